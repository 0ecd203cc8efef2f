"""Clients that wait for a list or a sorted set, and all the ways of serving them or not."""

import time

import values as v
from normalisations import client_lines
from operation import Op

from .registry import any_link, are_blocked, session, until_blocked

_KEYS = {"list": (b"l0", b"l1", b"l2"), "zset": (b"z0", b"z1", b"z2")}
_ELSEWHERE = {"list": b"l7", "zset": b"z7"}


def _forever(r):
    return r.choice((b"0", b"0", b"0", b"20", b"7.5"))


def _list_wait(r, timeout):
    keys = r.sample(_KEYS["list"], r.choice((1, 1, 2, 3)))
    side, other = (v.cased(r, r.choice((b"LEFT", b"RIGHT"))) for _ in "12")
    name = r.choice(
        (b"BLPOP", b"BRPOP", b"BLMOVE", b"BLMOVE", b"BRPOPLPUSH", b"BRPOPLPUSH", b"BLMPOP")
    )
    rows = (name.decode() + "/waiting",)
    if name in (b"BLPOP", b"BRPOP"):
        return Op(name, *keys, timeout, rows=rows)
    target = r.choice(_KEYS["list"] + (b"l5", b"s0"))
    if name == b"BLMOVE":
        return Op(name, keys[0], target, side, other, timeout, rows=rows)
    if name == b"BRPOPLPUSH":
        return Op(name, keys[0], target, timeout, rows=rows)
    count = [b"COUNT", v.small(r, 1, 4)] if r.random() < 0.5 else []
    return Op(name, timeout, b"%d" % len(keys), *keys, side, *count, rows=rows)


def _zset_wait(r, timeout):
    keys = r.sample(_KEYS["zset"], r.choice((1, 1, 2, 3)))
    name = r.choice((b"BZPOPMIN", b"BZPOPMAX", b"BZMPOP"))
    rows = (name.decode() + "/waiting",)
    if name != b"BZMPOP":
        return Op(name, *keys, timeout, rows=rows)
    count = [b"COUNT", v.small(r, 1, 4)] if r.random() < 0.5 else []
    side = v.cased(r, r.choice((b"MIN", b"MAX")))
    return Op(name, timeout, b"%d" % len(keys), *keys, side, *count, rows=rows)


def _elements(r):
    return [b"e%d" % r.randrange(100) for _ in range(r.choice((1, 1, 2, 3, 5)))]


def _pairs(r):
    return [word for e in _elements(r) for word in (v.small(r), e)]


def _script(text, *keys, args=()):
    return Op(b"EVAL", text, b"%d" % len(keys), *keys, *args, rows=("EVAL",))


def _list_feed(r):
    """Operations after which a list may be there for somebody."""
    key, other = r.sample(_KEYS["list"], 2)
    away = _ELSEWHERE["list"]
    push = Op(r.choice((b"LPUSH", b"RPUSH")), key, *_elements(r))
    elements = _elements(r)
    return r.choice(
        (
            lambda: [push],
            lambda: [push],
            lambda: [push, Op(b"RPUSH", other, b"second")],
            lambda: [push, Op(b"LPOP", key)],
            lambda: [
                _script(b"return redis.call('rpush', KEYS[1], unpack(ARGV))", key, args=elements)
            ],
            lambda: [
                _script(
                    b"redis.call('rpush', KEYS[1], 1, 2, 3) redis.call('lpush', KEYS[2], 'x') "
                    b"return redis.call('rpop', KEYS[1])",
                    key,
                    other,
                )
            ],
            lambda: [_script(b"redis.call('rpush', KEYS[1], 'x') redis.call('del', KEYS[1])", key)],
            lambda: [
                _script(
                    b"redis.call('rpush', KEYS[1], 'x') redis.call('del', KEYS[1]) "
                    b"redis.call('set', KEYS[1], 'a string')",
                    key,
                )
            ],
            lambda: _transaction([push, Op(b"RPUSH", other, b"x"), Op(b"LLEN", key)]),
            lambda: _transaction([push, Op(b"DEL", key)]),
            lambda: _transaction([push, Op(b"LPOP", key), Op(b"LPUSH", key, b"late")]),
            lambda: [Op(b"RPUSH", away, *elements), Op(b"RENAME", away, key)],
            lambda: [Op(b"RPUSH", away, *elements), Op(b"RENAMENX", away, key)],
            lambda: [
                Op(b"RPUSH", away, *elements),
                Op(b"COPY", away, key, b"REPLACE"),
                Op(b"DEL", away),
            ],
            lambda: [Op(b"RPUSH", away, *elements), Op(b"LMOVE", away, key, b"LEFT", b"LEFT")],
            lambda: [
                Op(b"RPUSH", away, b"2", b"1"),
                Op(b"INCRBYFLOAT", b"w:errno", b"0"),
                Op(b"SORT", away, b"STORE", key),
            ],
            lambda: [
                Op(b"SELECT", b"1"),
                Op(b"DEL", key),
                Op(b"RPUSH", key, *elements),
                Op(b"MOVE", key, b"0"),
                Op(b"SELECT", b"0"),
            ],
            lambda: [
                Op(b"SELECT", b"1"),
                Op(b"FLUSHDB"),  # several lists would be served in no defined order
                Op(b"RPUSH", key, *elements),
                Op(b"SWAPDB", b"0", b"1"),
                Op(b"SELECT", b"0"),
            ],
            lambda: [
                Op(b"RPUSH", away, *elements),
                _script(
                    b"return redis.call('restore', KEYS[2], 0, redis.call('dump', KEYS[1]))",
                    away,
                    key,
                ),
            ],
            lambda: [Op(b"SET", key, b"a string"), Op(b"DEL", key)],
            lambda: [Op(b"ZADD", key, b"1", b"m"), Op(b"DEL", key)],
            lambda: [Op(b"LPUSHX", key, b"x"), Op(b"LINSERT", key, b"BEFORE", b"a", b"b")],
            lambda: [Op(b"SET", b"s0", b"in the way"), push],
            lambda: [Op(b"DEL", b"s0"), push],
            lambda: [Op(b"FLUSHDB"), push],
        )
    )()


def _zset_feed(r):
    key, other = r.sample(_KEYS["zset"], 2)
    away = _ELSEWHERE["zset"]
    add = Op(b"ZADD", key, *_pairs(r))
    pairs = _pairs(r)
    return r.choice(
        (
            lambda: [add],
            lambda: [add],
            lambda: [add, Op(b"ZADD", other, b"1", b"second")],
            lambda: [Op(b"ZINCRBY", key, b"2", b"m")],
            lambda: [Op(b"ZADD", key, b"XX", b"2", b"m"), Op(b"ZADD", key, b"INCR", b"2", b"m")],
            lambda: [_script(b"return redis.call('zadd', KEYS[1], unpack(ARGV))", key, args=pairs)],
            lambda: [
                _script(b"redis.call('zadd', KEYS[1], 1, 'x') redis.call('del', KEYS[1])", key)
            ],
            lambda: _transaction([add, Op(b"ZADD", other, b"1", b"x"), Op(b"ZCARD", key)]),
            lambda: _transaction([add, Op(b"DEL", key)]),
            lambda: [Op(b"ZADD", away, *pairs), Op(b"RENAME", away, key)],
            lambda: [Op(b"ZADD", away, *pairs), Op(b"ZUNIONSTORE", key, b"1", away)],
            lambda: [Op(b"ZADD", away, *pairs), Op(b"ZRANGESTORE", key, away, b"0", b"1")],
            lambda: [Op(b"SADD", away + b"s", b"m"), Op(b"ZINTERSTORE", key, b"1", away + b"s")],
            lambda: [
                Op(b"ZADD", away, *pairs),
                Op(b"COPY", away, key, b"REPLACE"),
                Op(b"DEL", away),
            ],
            lambda: [Op(b"SET", key, b"a string"), Op(b"DEL", key)],
            lambda: [Op(b"RPUSH", key, b"m"), Op(b"DEL", key)],
            lambda: [Op(b"FLUSHDB"), add],
        )
    )()


def _transaction(ops):
    for op in ops:
        op.queued = True
    return [Op(b"MULTI"), *ops, Op(b"EXEC")]


class _Waiter:
    """A link in the middle of a command that waits, with what was sent behind it."""

    def __init__(self, duel, number, op, behind):
        self.link = duel.link("wait%d" % number, 2 + number % 2)
        self.op = op
        self._behind = behind
        for each in [op] + behind:
            self.link.send_only(each)
        until_blocked(duel, self.link)

    def served(self, duel):
        """Whether it was; its replies are compared then."""
        blocked = are_blocked(duel, self.link)
        if blocked[0] != blocked[1]:
            words = [b"waits" if b else b"is served" for b in blocked]
            duel.mismatch(self.op, *words, (self.link, list(duel.history)))
        if blocked[0]:
            return False
        sent = [
            Op(*op.args, raw=b"", rows=op.rows, norm=op.norm) for op in [self.op] + self._behind
        ]
        self.link.run(sent)
        return True


def _behind(r):
    if r.random() < 0.7:
        return []
    return r.choice(
        ([Op(b"LLEN", b"l0")], [Op(b"PING"), Op(b"GET", b"none")], [Op(b"RPUSH", b"l6", b"x")])
    )


def _look(kind):
    ops = [Op(b"LLEN", key) for key in (b"l5", b"l6")]
    for key in _KEYS[kind]:
        ops.append(
            Op(b"LRANGE", key, b"0", b"-1")
            if kind == "list"
            else Op(b"ZRANGE", key, b"0", b"-1", b"WITHSCORES")
        )
    return ops


_NAMES = ("BLPOP", "BRPOP", "BLMOVE", "BRPOPLPUSH", "BLMPOP", "BZPOPMIN", "BZPOPMAX", "BZMPOP")


@session(
    30, *(name + "/waiting" for name in _NAMES), "CLIENT/UNBLOCK a waiter", "CLIENT/LIST waiting"
)
def waiting(duel, r):
    feeder = any_link(duel, r)
    kind = r.choice(("list", "list", "zset"))
    wait, feed = (_list_wait, _list_feed) if kind == "list" else (_zset_wait, _zset_feed)
    feeder.run([Op(b"SELECT", b"0", rows=("SELECT",)), Op(b"FLUSHDB", rows=("FLUSHDB",))])
    listener = duel.link("sub3", 3) if r.random() < 0.3 else None
    if listener:
        row = "CONFIG/SET notify-keyspace-events"
        feeder.run([Op(b"CONFIG", b"SET", b"notify-keyspace-events", b"KEA", rows=(row,))])
        listener.run([Op(b"PSUBSCRIBE", b"__keyevent@0__:*", rows=("PSUBSCRIBE",))])
    numbers = r.sample(range(5), r.randint(1, 4))
    waiters = [_Waiter(duel, n, wait(r, _forever(r)), _behind(r)) for n in numbers]
    ids = (b"@ID:%s@" % waiter.link.name.encode() for waiter in waiters)
    listed = ("CLIENT/LIST waiting",)
    feeder.run([Op(b"CLIENT", b"LIST", b"ID", *ids, subst=True, norm=client_lines, rows=listed)])
    watcher = any_link(duel, r) if r.random() < 0.3 else feeder
    for _ in range(r.randint(2, 6)):
        if watcher is not feeder:
            watcher.run([Op(b"SELECT", b"0"), Op(b"WATCH", *_KEYS[kind][:2], rows=("WATCH",))])
        feeder.run(feed(r))
        if watcher is not feeder:
            watcher.run(_transaction([Op(b"PING")]))
        waiters = [w for w in waiters if not w.served(duel)]
        feeder.run(_look(kind))
        if not waiters:
            break
        if r.random() < 0.25:
            waiters = _one_leaves(duel, r, feeder, waiters)
    while waiters:
        waiters = _one_leaves(duel, r, feeder, waiters)
    feeder.run(_look(kind))
    if listener:
        listener.run([Op(b"PUNSUBSCRIBE", b"__keyevent@0__:*", rows=("PUNSUBSCRIBE",))])
        feeder.run([Op(b"CONFIG", b"SET", b"notify-keyspace-events", b"")])


def _one_leaves(duel, r, feeder, waiters):
    """Without being served: unblocked, killed or gone by itself."""
    waiter = r.choice(waiters)
    name = waiter.link.name.encode()
    pick = r.random()
    if pick < 0.55:
        word = r.choice(((), (b"TIMEOUT",), (b"ERROR",)))
        feeder.run(
            [
                Op(
                    b"CLIENT",
                    b"UNBLOCK",
                    b"@ID:%s@" % name,
                    *word,
                    subst=True,
                    rows=("CLIENT/UNBLOCK a waiter",)
                )
            ]
        )
        if not waiter.served(duel):
            duel.mismatch(waiter.op, b"still waits", b"still waits", (waiter.link, []))
    elif pick < 0.75:
        feeder.run([Op(b"CLIENT", b"KILL", b"ID", b"@ID:%s@" % name, subst=True)])
        waiter.link.expect_close(Op(b"LITERAL", b"close of a killed waiter"))
    else:
        waiter.link.close()
    return [w for w in waiters if w is not waiter]


@session(1.2, "BLPOP/out of time", "BZPOPMIN/out of time", "BLMOVE/out of time")
def out_of_time(duel, r):
    """None is served: each gets its null, no sooner than it asked for."""
    feeder = any_link(duel, r)
    feeder.run([Op(b"SELECT", b"0", rows=("SELECT",)), Op(b"FLUSHDB", rows=("FLUSHDB",))])
    links = [duel.link("wait%d" % n, 2 + n % 2) for n in range(5)]
    start = time.monotonic()
    sent = []
    for link in links:
        timeout = r.randint(20, 60)
        text = b"%.3f" % (timeout / 1000)
        op = r.choice(
            (
                Op(b"BLPOP", b"l0", b"l1", text, rows=("BLPOP/out of time",)),
                Op(b"BZPOPMIN", b"z0", text, rows=("BZPOPMIN/out of time",)),
                Op(b"BLMOVE", b"l0", b"l1", b"LEFT", b"LEFT", text, rows=("BLMOVE/out of time",)),
            )
        )
        link.send_only(op)
        sent.append((timeout, link, op))
    for timeout, link, op in sorted(sent, key=lambda each: each[0]):
        link.run([Op(*op.args, raw=b"", rows=op.rows)])
        if (time.monotonic() - start) * 1000 < timeout - 1:
            duel.mismatch(op, b"in time", b"too soon", (link, []))
