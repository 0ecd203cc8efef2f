"""Commands on sets. Those that pick by chance leave nothing of it: the set goes away after them."""

import values as v
from normalisations import random_members, unordered, whole_scan
from operation import Op

from .registry import generator


def a_set(r):
    return r.choice(v.INTEGER_SET_KEYS) if r.random() < 0.35 else v.set_key(r)


def _order(*keys):
    """Sets of whole numbers come in order; no other does."""
    return None if all(key[:1] == b"i" for key in keys) else unordered


def _members(r, key, count):
    return [v.member(r, key) for _ in range(count)]


@generator(6, "SADD", "SREM", spoilable=False)
def sadd(r):
    name = r.choice((b"SADD", b"SADD", b"SADD", b"SREM"))
    key = a_set(r)
    count = r.randint(20, 150) if v.big(key) and r.random() < 0.2 else r.randint(1, 6)
    return Op(v.cased(r, name), key, *_members(r, key, count), rows=(name.decode(),))


@generator(5, "SCARD", "SISMEMBER", "SMISMEMBER", "SMEMBERS")
def read(r):
    name = r.choice((b"SCARD", b"SISMEMBER", b"SMISMEMBER", b"SMEMBERS"))
    key = a_set(r)
    args = {
        b"SISMEMBER": _members(r, key, 1),
        b"SMISMEMBER": _members(r, key, r.randint(1, 5)),
    }.get(name, [])
    norm = _order(key) if name == b"SMEMBERS" else None
    return Op(v.cased(r, name), key, *args, rows=(name.decode(),), norm=norm)


@generator(2, "SMOVE", spoilable=False)
def smove(r):
    if r.random() < 0.35:
        source, destination = (r.choice(v.INTEGER_SET_KEYS) for _ in "12")
    else:
        source, destination = a_set(r), v.set_key(r)
    return Op(v.cased(r, b"SMOVE"), source, destination, v.member(r, source), rows=("SMOVE",))


@generator(1.5, "SPOP", "SPOP/count", spoilable=False)
def spop(r):
    key = a_set(r)
    args = []
    row = "SPOP"
    if r.random() < 0.7:
        args.append(v.small(r, 0, 12))
        row = "SPOP/count"
    return [
        Op(b"SADD", key, *_members(r, key, 4), rows=("SADD",)),
        Op(b"SMEMBERS", key, rows=("SMEMBERS",), norm=_order(key)),
        Op(v.cased(r, b"SPOP"), key, *args, rows=(row,), norm=random_members),
        Op(b"SCARD", key, rows=("SCARD",)),
        Op(b"DEL", key, rows=("DEL",)),
    ]


@generator(0.3, spoilable=False)
def spop_wrong(r):
    return Op(b"SPOP", a_set(r), *r.choice(((b"-1",), (b"x",), (b"1", b"2"), (b"1.5",))))


@generator(1.5, "SRANDMEMBER", "SRANDMEMBER/count")
def srandmember(r):
    key = a_set(r)
    args = []
    row = "SRANDMEMBER"
    if r.random() < 0.7:
        args.append(v.small(r, -12, 12))
        row = "SRANDMEMBER/count"
    return [
        Op(b"SMEMBERS", key, norm=_order(key)),
        Op(v.cased(r, b"SRANDMEMBER"), key, *args, rows=(row,), norm=random_members),
    ]


@generator(0.3, spoilable=False)
def srandmember_wrong(r):
    return Op(
        b"SRANDMEMBER",
        a_set(r),
        *r.choice(((b"x",), (b"9223372036854775808",), (b"-9223372036854775808",), (b"1", b"2")))
    )


def _several(r):
    if r.random() < 0.35:
        return [r.choice(v.INTEGER_SET_KEYS) for _ in range(r.randint(1, 4))]
    return [a_set(r) for _ in range(r.randint(1, 4))]


@generator(4, "SINTER", "SUNION", "SDIFF")
def algebra(r):
    name = r.choice((b"SINTER", b"SUNION", b"SDIFF"))
    keys = _several(r)
    return Op(v.cased(r, name), *keys, rows=(name.decode(),), norm=_order(*keys))


@generator(3, "SINTERSTORE", "SUNIONSTORE", "SDIFFSTORE", spoilable=False)
def store(r):
    name = r.choice((b"SINTERSTORE", b"SUNIONSTORE", b"SDIFFSTORE"))
    keys = _several(r)
    if _order(*keys) is None:
        destination = r.choice(v.INTEGER_SET_KEYS)
    elif any(map(v.big, keys)):
        destination = r.choice(v.BIG_SET_KEYS)
    else:
        destination = r.choice(v.SET_KEYS)
    return Op(v.cased(r, name), destination, *keys, rows=(name.decode(),))


@generator(2.5, "SINTERCARD", "SINTERCARD/LIMIT")
def sintercard(r):
    keys = _several(r)
    count = b"%d" % len(keys)
    rows = ["SINTERCARD"]
    args = []
    if r.random() < 0.5:
        args = [v.cased(r, b"LIMIT"), v.small(r, 0, 9)]
        rows.append("SINTERCARD/LIMIT")
    if r.random() < 0.08:
        rows = []
        if r.random() < 0.5:
            count = r.choice((b"0", b"-1", b"x", b"99", b"9223372036854775807"))
        else:
            args = r.choice(((b"LIMIT", b"-1"), (b"LIMIT", b"x"), (b"LIMIT",), (b"BOGUS", b"1")))
    return Op(v.cased(r, b"SINTERCARD"), count, *keys, *args, rows=tuple(rows))


MATCHES = (b"*", b"m*", b"m1?", b"[m1]*", b"member:1*", b"x", b"", b"-*")


@generator(2, "SSCAN", "SSCAN/MATCH", "SSCAN/COUNT", spoilable=False)
def sscan(r):
    key = a_set(r)
    args = [v.cased(r, b"SSCAN"), key, b"0"]
    rows = ["SSCAN"]
    if r.random() < 0.5:
        args += [v.cased(r, b"MATCH"), r.choice(MATCHES)]
        rows.append("SSCAN/MATCH")
    if _order(key) or r.random() < 0.5:
        args += [v.cased(r, b"COUNT"), b"5000" if _order(key) else v.small(r, 1, 50)]
        rows.append("SSCAN/COUNT")
    if r.random() < 0.04:
        args += r.choice(
            ((b"COUNT", b"0"), (b"COUNT", b"x"), (b"MATCH",), (b"TYPE", b"set"), (b"x",))
        )
        rows = []
    return Op(*args, rows=tuple(rows), norm=whole_scan if _order(key) else None)


@generator(0.3, spoilable=False)
def scan_wrong(r):
    cursor = r.choice((b"abc", b"18446744073709551616", b"1.5"))
    return Op(*r.choice(((b"SSCAN", a_set(r), cursor), (b"ZSCAN", v.zset_key(r), cursor))))
