"""Client side caching: who is told of which key, when, and in which order with the replies."""

import time

import values as v
from normalisations import client_lines, unordered
from operation import Op

from .registry import session

_CHANNEL = b"__redis__:invalidate"
_KEYS = (b"s0", b"s1", b"s2", b"h0", b"l0", b"i0", b"z0", b"k0")


def _key(r):
    return r.choice(_KEYS)


def _read(r):
    key = _key(r)
    return Op(
        *r.choice(
            (
                (b"GET", key),
                (b"MGET", key, _key(r)),
                (b"EXISTS", key),
                (b"TTL", b"none"),
                (b"STRLEN", key),
                (b"TYPE", key),
                (b"HGETALL", b"h0"),
                (b"HGET", b"h0", b"f1"),
                (b"LRANGE", b"l0", b"0", b"-1"),
                (b"SMEMBERS", b"i0"),
                (b"ZRANGE", b"z0", b"0", b"-1"),
                (b"ZSCORE", b"z0", b"m"),
                (b"EVAL", b"return redis.call('get', KEYS[1])", b"1", key),
                (b"EVAL_RO", b"return redis.call('exists', KEYS[1])", b"1", key),
                (b"GETEX", b"s0"),
                (b"PING",),
                (b"SORT", b"l0", b"ALPHA"),
                (b"OBJECT", b"ENCODING", key),
            )
        )
    )


def _write(r):
    key = _key(r)
    return Op(
        *r.choice(
            (
                (b"SET", key, b"v"),
                (b"SET", key, b"v"),
                (b"MSET", key, b"a", _key(r), b"b"),
                (b"DEL", key),
                (b"DEL", _key(r), _key(r), _key(r)),
                (b"INCR", b"s0"),
                (b"APPEND", key, b"x"),
                (b"HSET", b"h0", b"f1", b"v%d" % r.randrange(9)),
                (b"HDEL", b"h0", b"f1"),
                (b"RPUSH", b"l0", b"x"),
                (b"LPOP", b"l0"),
                (b"SADD", b"i0", b"%d" % r.randrange(9)),
                (b"SREM", b"i0", b"%d" % r.randrange(9)),
                (b"ZADD", b"z0", b"%d" % r.randrange(9), b"m"),
                (b"ZREM", b"z0", b"m"),
                (b"RENAME", key, _key(r)),
                (b"COPY", key, b"s2", b"REPLACE"),
                (b"EXPIRE", key, b"10000"),
                (b"PERSIST", key),
                (b"TOUCH", key),
                (b"GETDEL", b"s1"),
                (b"SETNX", key, b"v"),
                (b"LMOVE", b"l0", b"l0", b"LEFT", b"RIGHT"),
                (
                    b"EVAL",
                    b"redis.call('set', KEYS[1], '1') return redis.call('incr', KEYS[1])",
                    b"1",
                    key,
                ),
                (b"SORT", b"i0", b"ALPHA", b"STORE", b"l0"),
                (b"FLUSHDB",) if r.random() < 0.3 else (b"SET", key, b"v"),
                (b"FLUSHALL",) if r.random() < 0.3 else (b"MSETNX", key, b"v"),
                (b"SWAPDB", b"0", b"1") if r.random() < 0.3 else (b"UNLINK", key),
                (b"MOVE", key, b"1"),
            )
        )
    )


_PREFIXES = ((), (), (b"s",), (b"s", b"h"), (b"",), (b"k", b"l0", b"z"))
_MODES = ("", "OPTIN", "OPTOUT", "BCAST", "BCAST")
_ROWS = tuple("CLIENT/TRACKING %s" % mode for mode in _MODES[1:]) + (
    "CLIENT/TRACKING ON",
    "CLIENT/TRACKING NOLOOP",
    "CLIENT/TRACKING REDIRECT",
    "CLIENT/TRACKING PREFIX",
    "CLIENT/TRACKINGINFO on",
    "CLIENT/GETREDIR on",
    "CLIENT/CACHING YES",
    "CLIENT/CACHING NO",
    "CLIENT/LIST tracking",
)


class _Tracker:
    """A connection that tracks, and the one that is told instead, if any."""

    def __init__(self, duel, r):
        self.mode = r.choice(_MODES)
        self.to = None
        self.is_deaf = False
        version = r.choice((2, 3))
        self.link = duel.link("track%d" % version, version)
        words = [b"ON"]
        rows = ["CLIENT/TRACKING ON"]
        if version == 2 or r.random() < 0.25:
            self.to = duel.link(*r.choice((("told2", 2), ("told3", 3))))
            words += [v.cased(r, b"REDIRECT"), b"@ID:%s@" % self.to.name.encode()]
            rows.append("CLIENT/TRACKING REDIRECT")
            if self.to.proto == 2 or r.random() < 0.3:
                self.to.run([Op(b"SUBSCRIBE", _CHANNEL, rows=("SUBSCRIBE",))])
        if self.mode:
            words.append(v.cased(r, self.mode.encode()))
            rows.append("CLIENT/TRACKING " + self.mode)
        if self.mode == "BCAST":
            for prefix in r.choice(_PREFIXES):
                words += [v.cased(r, b"PREFIX"), prefix]
                rows.append("CLIENT/TRACKING PREFIX")
        if r.random() < 0.3:
            words.append(v.cased(r, b"NOLOOP"))
            self.is_deaf = self.mode == "BCAST"  # to its own scripts, which Redis is not
            rows.append("CLIENT/TRACKING NOLOOP")
        self.link.run([Op(b"CLIENT", b"TRACKING", *words, subst=True, rows=tuple(rows))])

    def ask(self):
        """Its own state; ids differ only where it says to whom."""
        info = Op(b"CLIENT", b"TRACKINGINFO", rows=("CLIENT/TRACKINGINFO on",), norm=_same_but_id)
        self.link.run([info, Op(b"CLIENT", b"GETREDIR", rows=("CLIENT/GETREDIR on",), norm=_an_id)])

    def caching(self, r):
        word = r.choice((b"YES", b"NO", b"YES" if self.mode == "OPTIN" else b"NO"))
        return Op(
            b"CLIENT", b"CACHING", v.cased(r, word), rows=("CLIENT/CACHING " + word.decode(),)
        )

    def reads(self, r):
        ops = []
        for _ in range(r.randint(1, 4)):
            if self.mode.startswith("OPT") and r.random() < 0.6:
                ops.append(self.caching(r))
            ops.append(_read(r))
        if r.random() < 0.2:
            inner = [_read(r), _read(r)]
            for op in inner:
                op.queued = True
            ops += [Op(b"MULTI"), *inner, Op(b"EXEC")]
        self.link.run(ops)

    def collect(self):
        self.link.run([])
        if self.to:
            self.to.run([])

    def leave(self, duel, r):
        if self.to and r.random() < 0.2:
            self.to.close()
            self.link.run([Op(b"GET", b"s0"), _look_at_broken()])
        if r.random() < 0.15:
            self.link.run([Op(b"RESET", rows=("RESET",)), Op(b"CLIENT", b"TRACKINGINFO")])
            self.link.close()
        else:
            self.link.run([Op(b"CLIENT", b"TRACKING", b"OFF", rows=("CLIENT/TRACKING OFF",))])
        if self.to and self.to.name in duel.links:
            self.to.run([Op(b"UNSUBSCRIBE", _CHANNEL, rows=("UNSUBSCRIBE",))])


def _look_at_broken():
    return Op(b"CLIENT", b"TRACKINGINFO", norm=_same_but_id)


def _same_but_id(op, a, b, before):
    """TRACKINGINFO: the id in `redirect` is the process' own, flags are a set."""
    if a[0] != b[0] or len(a[1]) != len(b[1]):
        return False
    fields = [dict(zip((k[1] for k in side[1][::2]), side[1][1::2])) for side in (a, b)]
    redirects = [side.pop(b"redirect")[1] for side in fields]
    if (redirects[0] > 0) != (redirects[1] > 0):
        return False
    return all(unordered(op, fields[0][name], fields[1][name], None) for name in fields[0])


def _an_id(op, a, b, before):
    return a[0] == b[0] == ":" and (a[1] > 0) == (b[1] > 0)


@session(18, *_ROWS)
def tracking(duel, r):
    writer = duel.link(*r.choice((("write2", 2), ("write3", 3))))
    writer.run(
        [Op(b"FLUSHALL", rows=("FLUSHALL",)), Op(b"MSET", b"s0", b"1", b"s1", b"x", b"k0", b"y")]
    )
    tracker = _Tracker(duel, r)
    tracker.ask()
    for _ in range(r.randint(2, 5)):
        tracker.reads(r)
        tracker.collect()
        # One at a time: broadcasts gather what one turn of the event loop brings.
        for _ in range(r.randint(1, 3)):
            op = _write(r)
            own = r.random() < 0.25 and not (tracker.is_deaf and op.args[0] == b"EVAL")
            (tracker.link if own else writer).run([op])
            tracker.collect()
    if r.random() < 0.1:
        _expiry(tracker, writer)
    if r.random() < 0.4:
        names = r.sample(("track2", "track3"), 1)
        if names[0] in duel.links:
            listed = Op(
                b"CLIENT",
                b"LIST",
                b"ID",
                b"@ID:%s@" % names[0].encode(),
                subst=True,
                norm=_tracking_flags,
                rows=("CLIENT/LIST tracking",),
            )
            writer.run([listed])
    tracker.ask()
    tracker.leave(duel, r)


def _tracking_flags(op, a, b, before):
    """The id in redir= is the process' own as well."""
    sides = []
    for side in (a, b):
        text = b" ".join(
            b"redir=?" if word.startswith(b"redir=") and word[6:7] != b"-" else word
            for word in (side[1] or b"").split(b" ")
        )
        sides.append((side[0], text))
    return client_lines(op, *sides, before)


def _expiry(tracker, writer):
    writer.run([Op(b"SET", b"x0", b"v", b"PX", b"60")])
    tracker.link.run([Op(b"GET", b"x0")])
    tracker.collect()
    time.sleep(0.08)
    writer.run([Op(b"EXISTS", b"x0"), Op(b"DEL", b"x0")])
    tracker.collect()
