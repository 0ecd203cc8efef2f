"""Streams on one connection, transactions, scans to the end, keys that expire."""

import time

import allowed
import stream
import values as v
from normalisations import (
    clock,
    near_milliseconds,
    near_seconds,
    scan_step,
    some_integer,
    unordered,
    unordered_pairs,
)
from operation import Op
from wire import encode, parse

from .registry import any_link, session, two_links


@session(60)
def plain(duel, r):
    any_link(duel, r).run(stream.batch(r, r.randint(30, 120)))


class _ExecReplies:
    """Normalisation of EXEC's array: every element by the rule of its own command."""

    def __init__(self, ops):
        self._ops = ops

    def __call__(self, op, a, b, before):
        if a[0] != "*" or b[0] != "*" or a[1] is None or b[1] is None:
            return False
        if not len(a[1]) == len(b[1]) == len(self._ops):
            return False
        last = None
        for queued, x, y in zip(self._ops, a[1], b[1]):
            if (
                x != y
                and not (queued.norm and queued.norm(queued, x, y, last))
                and (allowed.explanation(queued, x, y) is None)
            ):
                return False
            last = (x, y)
        return True


def _other_in_multi(r):
    """Not on data, yet queued: answered at EXEC, blocking nothing."""
    return r.choice(
        (
            Op(b"PING"),
            Op(b"ECHO", b"x"),
            Op(b"PUBLISH", b"news", b"m"),
            Op(b"SPUBLISH", b"news", b"m"),
            Op(b"WAIT", b"1", b"100000"),
            Op(b"UNWATCH"),
            Op(b"CLIENT", b"GETNAME"),
            Op(b"CLIENT", b"ID", norm=some_integer),
            Op(b"TIME", norm=clock),
            Op(b"CONFIG", b"GET", b"timeout"),
            Op(b"CONFIG", b"SET", b"timeout", b"x"),
            Op(b"COMMAND", b"COUNT"),
            Op(b"SCRIPT", b"LOAD", b"return 1"),
            Op(b"SCRIPT", b"KILL"),
            Op(b"ROLE"),
            Op(b"HELLO", b"9"),
            Op(b"AUTH", b"x"),
            Op(b"PUBSUB", b"NUMSUB"),
            Op(b"OBJECT", b"HELP"),
            Op(b"SELECT", b"99"),
            Op(b"ASKING"),
            Op(b"CLIENT", b"KILL", b"ID", b"0"),
            Op(b"DEBUG", b"SLEEP", b"0"),
            Op(b"INFO", b"nosuch"),
            Op(b"LASTSAVE", norm=near_seconds),
        )
    )


def _queued(op):
    out = Op(*op.args)
    out.queued = True
    return out


@session(32, "MULTI", "EXEC", "DISCARD", "WATCH", "UNWATCH")
def transaction(duel, r):
    link, other = two_links(duel, r)
    watched = [v.any_key(r) for _ in range(r.randint(1, 3))]
    if r.random() < 0.6:
        link.run([Op(v.cased(r, b"WATCH"), *watched, rows=("WATCH",))])
        if r.random() < 0.5:
            link.run([Op(b"UNWATCH", rows=("UNWATCH",))])
        if r.random() < 0.5:
            other.run(_disturbance(r, link, watched))
    ops = [op for op in stream.data_batch(r, r.randint(0, 8)) if op.raw is None]
    if r.random() < 0.4:
        # Not in the middle: KEYS and RANDOMKEY, HGETALL and HRANDFIELD are drawn as pairs.
        ops.insert(r.choice((0, len(ops))), _other_in_multi(r))
    inner = [_queued(op) for op in ops]
    if r.random() < 0.15:
        wrong = r.choice(
            (
                Op(b"MULTI"),
                Op(b"WATCH", b"k0"),
                Op(b"GET"),
                Op(b"NOSUCH", b"x"),
                Op(b"CLIENT", b"NOSUCH"),
                Op(b"CLIENT", b"SETNAME"),
                Op(b"EXEC", b"x"),
            )
        )
        # EXEC with an argument ends the transaction: nothing behind it would be queued.
        last = wrong.args[0] == b"EXEC"
        inner.insert(len(inner) if last else r.randint(0, len(inner)), _queued(wrong))
    end = Op(b"EXEC", rows=("EXEC",), norm=_ExecReplies(ops))
    if r.random() < 0.35:
        end = Op(b"DISCARD", rows=("DISCARD",))
    if r.random() < 0.3:
        link.run([Op(b"MULTI", rows=("MULTI",))] + inner, sentinel=False)
        if r.random() < 0.5:
            other.run(_disturbance(r, link, watched))
        link.run([end])
    else:
        link.run([Op(b"MULTI", rows=("MULTI",))] + inner + [end])


def _disturbance(r, link, watched):
    key = r.choice(watched)
    ops = [
        Op(b"SELECT", b"%d" % (link.db if r.random() < 0.8 else r.randint(0, 3)), rows=("SELECT",))
    ]
    ops.append(
        r.choice(
            (
                Op(b"SET", key, b"disturbed"),
                Op(b"DEL", key),
                Op(b"GET", key),
                Op(b"PEXPIRE", key, b"99999999"),
                Op(b"HSET", key, b"f1", b"disturbed"),
                Op(b"RPUSH", key, b"disturbed"),
                Op(b"LPOP", key),
                Op(b"SADD", key, b"1"),
                Op(b"SREM", key, b"no such"),
                Op(b"ZADD", key, b"0", b"m1"),
                Op(b"ZREM", key, b"m1"),
                Op(b"EVAL", b"return redis.call('touch', KEYS[1])", b"1", key),
                Op(b"RENAME", key, r.choice(v.MIXED_KEYS)) if not v.big(key) else Op(b"TYPE", key),
                Op(b"SWAPDB", b"0", b"1"),
                Op(b"PERSIST", key),
                Op(b"FLUSHDB"),
                Op(b"TOUCH", key),
            )
        )
    )
    return ops


@session(6, "SCAN/loop", "HSCAN/loop", "SSCAN/loop", "ZSCAN/loop")
def scan_to_the_end(duel, r):
    """Each server's own cursors; what the whole loop returns must agree."""
    link = any_link(duel, r)
    big, members, scored = (
        r.choice(keys) for keys in (v.BIG_HASH_KEYS, v.SET_KEYS, v.BIG_ZSET_KEYS)
    )
    pairs = [part for i in range(r.randint(150, 400)) for part in (b"field:%d" % i, b"v%d" % i)]
    links = [
        Op(b"SADD", members, *pairs[: r.choice((4, 100, 600)) : 2], rows=("SADD",)),
        Op(b"ZADD", scored, *(w for i, f in enumerate(pairs[::2]) for w in (b"%d" % (i % 40), f))),
    ]
    link.run(
        [Op(b"DEL", big, members, scored), Op(b"HSET", big, *pairs, rows=("HSET",))]
        + links
        + [Op(b"SET", b"many:%d" % i, b"x", rows=("SET",)) for i in range(r.randint(20, 120))]
    )
    count = r.choice((b"1", b"7", b"10", b"100"))
    extra = r.choice(((), (b"MATCH", b"*1*"), (b"MATCH", b"many:*")))
    kinds = r.choice(((), (b"TYPE", b"hash"), (b"TYPE", b"string"), (b"TYPE", b"zset")))
    for command, width, more in (
        ((b"HSCAN", big), 2, ()),
        ((b"SSCAN", members), 1, ()),
        ((b"ZSCAN", scored), 2, ()),
        ((b"SCAN",), 1, kinds),
    ):
        options = (b"COUNT", count) + extra + more
        seen = [_scan_loop(side, command, options, width) for side in link.sides]
        op = Op(*command, b"<all cursors>", *options, rows=(command[0].decode() + "/loop",))
        duel.compared(op, [b"+" + repr(sorted(s)).encode() for s in seen], None, (link, []))
    link.run(
        [
            Op(b"DEL", *(b"many:%d" % i for i in range(120)), rows=("DEL",)),
            Op(b"DEL", big, members, scored),
        ]
    )


def _scan_loop(side, command, options, width):
    cursor = b"0"
    seen = set()
    for _ in range(20000):
        side.send(encode(command + (cursor,) + options))
        reply = parse(side.read())
        if not scan_step(None, reply, reply, None):
            return {repr(reply)}
        items = [item[1] for item in reply[1][1][1]]
        seen.update(zip(*(items[i::width] for i in range(width))))
        cursor = reply[1][0][1]
        if cursor == b"0":
            return seen
    return {"no end after 20000 calls"}


@session(1.2)
def whole_state(duel, r):
    """Every key of one database, with its value and its time to live."""
    link = any_link(duel, r)
    replies = link.run(
        [Op(b"SELECT", v.small(r, 0, 3), rows=("SELECT",)), Op(b"KEYS", b"*", norm=unordered)]
    )
    keys = [item[1] for item in parse(replies[1])[1]]
    ops = []
    for key in keys:
        big = v.big(key)
        ops += [
            Op(b"TYPE", key),
            Op(b"PTTL", key, norm=near_milliseconds, rows=("PTTL",)),
            Op(b"GET", key),
            Op(b"HGETALL", key, norm=unordered_pairs if big else None),
            Op(b"LRANGE", key, b"0", b"-1", rows=("LRANGE",)),
            Op(b"SMEMBERS", key, rows=("SMEMBERS",), norm=None if key[:1] == b"i" else unordered),
            Op(b"ZRANGE", key, b"0", b"-1", b"WITHSCORES", rows=("ZRANGE",)),
            Op(b"OBJECT", b"ENCODING", key),
        ]
    link.run(ops)


@session(0.7)
def expiring_keys(duel, r):
    """Short leases by every command that gives one; read after all of them are over."""
    link, other = two_links(duel, r)
    link.run([Op(b"SELECT", b"0", rows=("SELECT",))])
    watch = r.random() < 0.4
    if watch:
        link.run(
            [Op(b"SET", b"x0", b"watched", b"PX", b"200"), Op(b"WATCH", b"x0", rows=("WATCH",))]
        )
    ops = []
    for i in range(1, 30):
        ops += _short_lease(r, b"x%d" % i)
    link.run(ops)
    time.sleep(0.36)
    after = []
    if watch:
        if r.random() < 0.4:
            other.run([Op(b"SELECT", b"0", rows=("SELECT",)), Op(b"GET", b"x0")])
        after += [Op(b"MULTI"), _queued(Op(b"GET", b"x0")), Op(b"EXEC")]
    for i in range(1, 30):
        after += _read_after(r, b"x%d" % i)
    after.append(Op(b"DEL", *(b"x%d" % i for i in range(30))))
    after.append(Op(b"DBSIZE"))
    link.run(after)


@session(3, "SET/expired at once", "GETEX/expired at once", "DBSIZE/after expiry")
def times_in_the_past(duel, r):
    """A key set to expire long ago is never seen; whoever looks makes it go."""
    link = any_link(duel, r)
    listener = duel.link("sub3", 3)
    link.run([Op(b"SELECT", b"0", rows=("SELECT",)), Op(b"FLUSHDB", rows=("FLUSHDB",))])
    row = "CONFIG/SET notify-keyspace-events"
    link.run([Op(b"CONFIG", b"SET", b"notify-keyspace-events", b"KEA", rows=(row,))])
    listener.run([Op(b"PSUBSCRIBE", b"__key*__:*", rows=("PSUBSCRIBE",))])
    for _ in range(3):
        option, time_ago = r.choice(((b"EXAT", b"1"), (b"EXAT", b"1000"), (b"PXAT", b"5")))
        rows = ("SET/expired at once", "SET/" + option.decode())
        link.run([Op(b"SET", b"x0", b"v", option, time_ago, rows=rows), *_look_at(r, b"x0")])
        if r.random() < 0.5:
            link.run(
                [
                    Op(b"SET", b"x0", b"v", option, time_ago, rows=rows),
                    Op(b"GET", b"x0"),
                    Op(b"DBSIZE", rows=("DBSIZE/after expiry",)),
                ]
            )
        rows = ("GETEX/expired at once", "GETEX/" + option.decode())
        link.run(
            [
                Op(b"SET", b"x1", b"v"),
                Op(b"GETEX", b"x1", option, time_ago, rows=rows),
                Op(b"DBSIZE", rows=("DBSIZE",)),
            ]
        )
    listener.run([Op(b"PUNSUBSCRIBE", b"__key*__:*", rows=("PUNSUBSCRIBE",))])
    link.run([Op(b"CONFIG", b"SET", b"notify-keyspace-events", b"")])


def _look_at(r, key):
    looks = (
        (b"GET", key),
        (b"EXISTS", key),
        (b"TTL", key),
        (b"TYPE", key),
        (b"STRLEN", key),
        (b"SET", key, b"w", b"XX"),
        (b"DEL", key),
        (b"APPEND", key, b"w"),
        (b"INCR", key),
    )
    return [Op(*r.choice(looks)), Op(b"GET", key), Op(b"DEL", key)]


def _short_lease(r, key):
    ms = b"%d" % r.randint(200, 300)
    ops = r.choice(
        (
            [Op(b"SET", key, b"v", b"PX", ms)],
            [Op(b"PSETEX", key, ms, b"v")],
            [Op(b"SET", key, b"v"), Op(b"PEXPIRE", key, ms)],
            [Op(b"HSET", key, b"f", b"v"), Op(b"PEXPIRE", key, ms)],
            [Op(b"RPUSH", key, b"a", b"b"), Op(b"PEXPIRE", key, ms)],
            [Op(b"SADD", key, b"a", b"b"), Op(b"PEXPIRE", key, ms)],
            [Op(b"ZADD", key, b"1", b"a"), Op(b"PEXPIRE", key, ms)],
            [Op(b"SET", key, b"v"), Op(b"GETEX", key, b"PX", ms)],
            [
                Op(b"HSET", key, b"f", b"v"),
                Op(b"PEXPIRE", key, b"99999"),
                Op(b"PEXPIRE", key, ms, b"LT"),
            ],
            [
                Op(b"SET", key, b"v", b"PX", ms),
                Op(b"COPY", key, key + b"c", b"REPLACE"),
                Op(b"RENAME", key + b"c", key),
            ],
        )
    )
    rescue = r.choice(
        (
            (),
            (),
            (),
            (b"PERSIST", key),
            (b"PEXPIRE", key, b"999999"),
            (b"INCR", key),
            (b"APPEND", key, b"w"),
            (b"SET", key, b"new"),
            (b"SET", key, b"new", b"KEEPTTL"),
            (b"HSET", key, b"g", b"h"),
            (b"RPUSH", key, b"g"),
            (b"SADD", key, b"g"),
            (b"ZADD", key, b"2", b"g"),
            (b"GETSET", key, b"fresh"),
            (b"RENAME", key, key),
        )
    )
    return ops + ([Op(*rescue)] if rescue else [])


def _read_after(r, key):
    ops = [
        Op(*args)
        for args in r.sample(
            (
                (b"GET", key),
                (b"EXISTS", key),
                (b"TYPE", key),
                (b"HGETALL", key),
                (b"HLEN", key),
                (b"LRANGE", key, b"0", b"-1"),
                (b"SCARD", key),
                (b"ZRANGE", key, b"0", b"-1"),
                (b"DUMP", b"never1"),
                (b"PERSIST", key),
                (b"STRLEN", key),
                (b"OBJECT", b"ENCODING", key),
                (b"GETEX", key),
                (b"TOUCH", key),
                (b"EVAL", b"return redis.call('exists', KEYS[1])", b"1", key),
            ),
            3,
        )
    ]
    ops.append(Op(b"PTTL", key, norm=near_milliseconds, rows=("PTTL",)))
    ops.append(
        Op(
            *r.choice(
                (
                    (b"SETNX", key, b"again"),
                    (b"INCR", key),
                    (b"HSETNX", key, b"f", b"again"),
                    (b"APPEND", key, b"again"),
                    (b"SET", key, b"again", b"XX"),
                    (b"RENAME", key, key + b"r"),
                    (b"COPY", key, key + b"r"),
                    (b"DEL", key),
                    (b"GETDEL", key),
                    (b"RPUSH", key, b"again"),
                    (b"LPUSHX", key, b"again"),
                    (b"SADD", key, b"again"),
                    (b"ZADD", key, b"XX", b"1", b"again"),
                    (b"SUNIONSTORE", key, b"x0"),
                    (b"SORT", key, b"ALPHA", b"STORE", key),
                    (b"SET", key, b"1", b"NX", b"GET"),
                    (b"EXPIRE", key, b"5000"),
                )
            )
        )
    )
    ops.append(Op(b"TTL", key, norm=near_milliseconds))
    ops.append(Op(b"DEL", key, key + b"r"))
    return ops
