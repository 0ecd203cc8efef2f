"""OBJECT ENCODING on both sides of every threshold, small thresholds set by CONFIG among them."""

import values as v
from duel import ORDINARY_SETTINGS
from normalisations import unordered, unordered_pairs
from operation import Op

from .registry import any_link, session

_SETTINGS = (
    b"set-max-intset-entries hash-max-listpack-entries hash-max-listpack-value "
    b"zset-max-listpack-entries zset-max-listpack-value list-max-listpack-size "
    b"hash-max-ziplist-entries hash-max-ziplist-value zset-max-ziplist-entries "
    b"zset-max-ziplist-value list-max-ziplist-size"
).split()
_SMALL = (b"0", b"1", b"2", b"3", b"5", b"8", b"16")
_KEYS = {
    kind: (kind + b"0", kind + b"1", kind + b"2") for kind in (b"Eh", b"Es", b"Ei", b"Ez", b"El")
}


def _name(r, room):
    """Of a field or member; the room is the threshold in bytes, which it may pass by one."""
    length = r.choice((1, 2, 3, room - 1, room, room + 1)) if r.random() < 0.3 else 2
    return (b"%d" % r.randrange(99) + b"x" * 80)[: max(length, 1)]


def _whole(r):
    return r.choice((b"%d" % r.randrange(40), r.choice(v.WHOLE_MEMBERS)))


def _steps(r, kind, room):
    key, other, third = r.sample(_KEYS[kind], 3)
    if kind == b"Eh":
        pair = (_name(r, room), _name(r, room))
        return r.choice(
            (
                Op(b"HSET", key, *pair),
                Op(b"HSET", key, *pair, _name(r, room), b"v"),
                Op(b"HSETNX", key, *pair),
                Op(b"HINCRBY", key, pair[0][:1], b"1"),
                Op(b"HINCRBYFLOAT", key, pair[0][:2], b"0.1"),
                Op(b"HDEL", key, pair[0]),
                Op(b"HLEN", key),
                Op(b"HGETALL", key, norm=unordered_pairs),
                Op(b"COPY", key, other, b"REPLACE"),
            )
        )
    if kind in (b"Es", b"Ei"):
        element = _whole if kind == b"Ei" or r.random() < 0.5 else lambda r: _name(r, room)
        return r.choice(
            (
                Op(b"SADD", key, element(r)),
                Op(b"SADD", key, element(r), element(r), element(r)),
                Op(b"SREM", key, element(r)),
                Op(b"SMEMBERS", key, norm=unordered),
                Op(b"SMOVE", key, other, element(r)),
                Op(b"SUNIONSTORE", key, other, third),
                Op(b"SINTERSTORE", key, other, third),
                Op(b"SDIFFSTORE", key, other, third),
                Op(b"COPY", key, other, b"REPLACE"),
                Op(b"SADD", key, *(b"%d" % n for n in range(r.choice((3, 9, 20))))),
            )
        )
    if kind == b"Ez":
        pair = (v.small(r), _name(r, room))
        return r.choice(
            (
                Op(b"ZADD", key, *pair),
                Op(b"ZADD", key, *pair, v.small(r), _name(r, room)),
                Op(b"ZADD", key, b"INCR", *pair),
                Op(b"ZINCRBY", key, *pair),
                Op(b"ZREM", key, pair[1]),
                Op(b"ZPOPMIN", key),
                Op(b"ZRANGE", key, b"0", b"-1", b"WITHSCORES"),
                Op(b"ZUNIONSTORE", key, b"2", other, third),
                Op(b"ZUNIONSTORE", key, b"2", other, b"Es0"),
                Op(b"ZINTERSTORE", key, b"2", other, third),
                Op(b"ZDIFFSTORE", key, b"2", other, third),
                Op(b"ZRANGESTORE", key, other, b"0", r.choice((b"1", b"-1"))),
                Op(b"COPY", key, other, b"REPLACE"),
                Op(b"ZCARD", key),
                Op(b"GETRANGE", key, b"0", b"1"),
            )
        )
    return r.choice(
        (
            Op(b"RPUSH", key, _name(r, room), _name(r, room)),
            Op(b"LPUSH", key, b"x" * r.choice((1, 60, 5000, 9000))),
            Op(b"LINSERT", key, b"BEFORE", _name(r, room), b"y"),
            Op(b"LSET", key, b"0", b"z" * r.choice((1, 9000))),
            Op(b"LRANGE", key, b"0", b"-1"),
            Op(b"LREM", key, b"1", _name(r, room)),
            Op(b"LTRIM", key, b"-3", b"-1"),
            Op(b"LMOVE", key, other, b"LEFT", b"RIGHT"),
            Op(b"SORT", b"Ei0", b"BY", b"nosort", b"STORE", key),
            Op(b"COPY", key, other, b"REPLACE"),
        )
    )


_ROUND = (
    b"local p = redis.call('dump', KEYS[1]) if not p then return 'none' end "
    b"return redis.call('restore', KEYS[1], 0, p, 'REPLACE')"
)


@session(12, "CONFIG/SET thresholds", "OBJECT/ENCODING thresholds")
def encodings(duel, r):
    link = any_link(duel, r)
    link.run([Op(b"SELECT", b"0", rows=("SELECT",))])
    room = 64
    changed = r.sample(_SETTINGS, r.randint(0, 4))
    for name in changed:
        number = r.choice(_SMALL)
        if name.startswith(b"list"):
            number = r.choice(_SMALL[1:] + (b"-1", b"-3", b"-5", b"-6", b"x"))
        if name.endswith(b"-value"):
            number = r.choice((b"4", b"10", b"0"))
            room = int(number)
        link.run(
            [
                Op(b"CONFIG", b"SET", name, number, rows=("CONFIG/SET thresholds",)),
                Op(b"CONFIG", b"GET", name, rows=("CONFIG/GET",)),
            ]
        )
    ops = []
    for _ in range(r.randint(20, 60)):
        kind = r.choice(tuple(_KEYS))
        step = _steps(r, kind, room)
        ops.append(step)
        if r.random() < 0.1:
            ops.append(Op(b"EVAL", _ROUND, b"1", step.args[1], rows=("RESTORE/round",)))
        ops += [_encoding(step.args[1])] if step.args[1][:1] == b"E" else []
    ops += _grown(r)
    ops += [_encoding(key) for keys in _KEYS.values() for key in keys]
    link.run(ops)
    link.run([Op(b"DEL", *(key for keys in _KEYS.values() for key in keys))])
    link.run([Op(b"CONFIG", b"SET", *setting) for setting in ORDINARY_SETTINGS])


def _encoding(key):
    return Op(b"OBJECT", b"ENCODING", key, rows=("OBJECT/ENCODING", "OBJECT/ENCODING thresholds"))


def _grown(r):
    """One collection to just below, at and above the ordinary threshold, and back."""
    kind = r.choice((b"Eh", b"Ei", b"Ez"))
    limit = {b"Eh": 512, b"Ei": 512, b"Ez": 128}[kind]
    key = kind + b"2"
    ops = [Op(b"DEL", key)]
    for low, high in ((0, limit - 1), (limit - 1, limit), (limit, limit + 1)):
        numbers = range(low, high)
        if kind == b"Eh":
            ops.append(Op(b"HSET", key, *(w for n in numbers for w in (b"%d" % n, b"v"))))
        elif kind == b"Ei":
            ops.append(Op(b"SADD", key, *(b"%d" % n for n in numbers)))
        else:
            ops.append(Op(b"ZADD", key, *(w for n in numbers for w in (b"%d" % n, b"m%d" % n))))
        ops.append(_encoding(key))
    shrink = {b"Eh": b"HDEL", b"Ei": b"SREM", b"Ez": b"ZREM"}[kind]
    ops.append(Op(shrink, key, b"5", b"m5"))
    ops.append(_encoding(key))
    return ops
