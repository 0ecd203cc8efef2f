"""Commands on sorted sets that change them or look at single members; ranges are elsewhere."""

import values as v
from normalisations import random_members, whole_hash_scan
from operation import Op

from .lists import several
from .registry import generator
from .sets import MATCHES, a_set


def _pairs(r, key, count):
    return [word for _ in range(count) for word in (v.score(r), v.member(r, key))]


@generator(8, "ZADD", "ZADD/NX", "ZADD/XX", "ZADD/GT", "ZADD/LT", "ZADD/CH", "ZADD/INCR")
def zadd(r):
    key = v.zset_key(r)
    flags = []
    if r.random() < 0.6:
        flags = r.choice(
            ((b"NX",), (b"XX",), (b"GT",), (b"LT",), (b"XX", b"GT"), (b"LT", b"XX"), (), ())
        )
        flags = list(flags)
        for more in (b"CH", b"INCR"):
            if r.random() < 0.35:
                flags.append(more)
        if r.random() < 0.04:
            flags.append(r.choice((b"NX", b"GT", b"LT", b"BOGUS")))
        r.shuffle(flags)
    count = r.randint(1, 4)
    if b"INCR" in flags and r.random() < 0.95:
        count = 1
    elif v.big(key) and r.random() < 0.2:
        count = r.randint(20, 150)
    args = _pairs(r, key, count)
    if r.random() < 0.02:
        args.pop()
    rows = ("ZADD",) + tuple("ZADD/" + flag.decode() for flag in flags if flag != b"BOGUS")
    return Op(v.cased(r, b"ZADD"), key, *(v.cased(r, f) for f in flags), *args, rows=rows)


@generator(1.5, spoilable=False)
def zadd_of_one_score(r):
    """For the ranges by name."""
    key = r.choice(v.LEX_KEYS)
    return Op(b"ZADD", key, *(w for _ in range(r.randint(1, 9)) for w in (b"0", v.member(r))))


@generator(2, "ZINCRBY")
def zincrby(r):
    key = v.zset_key(r)
    return Op(v.cased(r, b"ZINCRBY"), key, v.score(r), v.member(r, key), rows=("ZINCRBY",))


@generator(1.5, "ZREM")
def zrem(r):
    key = v.zset_key(r) if r.random() < 0.9 else r.choice(v.LEX_KEYS)
    members = [v.member(r, key) for _ in range(r.randint(1, 4))]
    return Op(v.cased(r, b"ZREM"), key, *members, rows=("ZREM",))


@generator(4, "ZCARD", "ZSCORE", "ZMSCORE", "ZRANK", "ZREVRANK")
def read(r):
    name = r.choice((b"ZCARD", b"ZSCORE", b"ZMSCORE", b"ZRANK", b"ZREVRANK"))
    key = v.zset_key(r)
    count = {b"ZCARD": 0, b"ZMSCORE": r.randint(1, 5)}.get(name, 1)
    members = [v.member(r, key) for _ in range(count)]
    return Op(v.cased(r, name), key, *members, rows=(name.decode(),))


@generator(3, "ZPOPMIN", "ZPOPMIN/count", "ZPOPMAX", "ZPOPMAX/count")
def pop(r):
    name = r.choice((b"ZPOPMIN", b"ZPOPMAX"))
    if r.random() < 0.4:
        return Op(v.cased(r, name), v.zset_key(r), rows=(name.decode(),))
    count = v.small(r, 0, 7)
    if r.random() < 0.06:
        count = r.choice((b"-1", b"99999", b"x", b"-9223372036854775808"))
    return Op(v.cased(r, name), v.zset_key(r), count, rows=(name.decode() + "/count",))


@generator(2.5, "ZMPOP", "ZMPOP/COUNT")
def pop_from_several(r):
    args = several(r, v.zset_key) + [v.cased(r, r.choice((b"MIN", b"MAX")))]
    rows = ["ZMPOP"]
    if r.random() < 0.5:
        args += [v.cased(r, b"COUNT"), v.small(r, 1, 9)]
        rows.append("ZMPOP/COUNT")
    if r.random() < 0.05:
        args += r.choice(
            ((b"COUNT", b"0"), (b"COUNT", b"-1"), (b"COUNT",), (b"BOGUS",), (b"COUNT", b"x"))
        )
        rows = []
    return Op(v.cased(r, b"ZMPOP"), *args, rows=tuple(rows))


@generator(2, "ZRANDMEMBER", "ZRANDMEMBER/count", "ZRANDMEMBER/WITHSCORES")
def zrandmember(r):
    key = v.zset_key(r)
    args = []
    row = "ZRANDMEMBER"
    if r.random() < 0.8:
        args.append(v.small(r, -12, 12))
        row = "ZRANDMEMBER/count"
        if r.random() < 0.6:
            args.append(v.cased(r, b"WITHSCORES"))
            row = "ZRANDMEMBER/WITHSCORES"
    return [
        Op(b"ZRANGE", key, b"0", b"-1", b"WITHSCORES"),
        Op(v.cased(r, b"ZRANDMEMBER"), key, *args, rows=(row,), norm=random_members),
    ]


@generator(0.3, spoilable=False)
def zrandmember_wrong(r):
    return Op(
        b"ZRANDMEMBER",
        v.zset_key(r),
        *r.choice(
            (
                (b"x",),
                (b"9223372036854775808",),
                (b"-9223372036854775808",),
                (b"-9223372036854775807", b"WITHSCORES"),
                (b"1", b"SCORES"),
                (b"1", b"WITHSCORES", b"x"),
            )
        )
    )


@generator(2, "ZSCAN", "ZSCAN/MATCH", "ZSCAN/COUNT", spoilable=False)
def zscan(r):
    key = v.zset_key(r)
    args = [v.cased(r, b"ZSCAN"), key, b"0"]
    rows = ["ZSCAN"]
    if r.random() < 0.5:
        args += [v.cased(r, b"MATCH"), r.choice(MATCHES)]
        rows.append("ZSCAN/MATCH")
    if v.big(key) or r.random() < 0.5:
        args += [v.cased(r, b"COUNT"), b"5000" if v.big(key) else v.small(r, 1, 50)]
        rows.append("ZSCAN/COUNT")
    if r.random() < 0.04:
        args += r.choice(
            ((b"COUNT", b"0"), (b"COUNT", b"x"), (b"MATCH",), (b"TYPE", b"zset"), (b"x",))
        )
        rows = []
    return Op(*args, rows=tuple(rows), norm=whole_hash_scan if v.big(key) else None)


def _source(r):
    return a_set(r) if r.random() < 0.2 else v.zset_key(r)


def _weights_and_aggregate(r, name, count):
    options = []
    rows = []
    if r.random() < 0.5:
        options.append([v.cased(r, b"WEIGHTS"), *(v.score(r) for _ in range(count))])
        rows.append(name + "/WEIGHTS")
    if r.random() < 0.5:
        how = r.choice((b"SUM", b"MIN", b"MAX"))
        options.append([v.cased(r, b"AGGREGATE"), v.cased(r, how)])
        rows.append("%s/AGGREGATE %s" % (name, how.decode()))
    return options, rows


_WRONG_ENDS = (
    [b"WEIGHTS", b"1", b"x"],
    [b"WEIGHTS"],
    [b"WEIGHTS", b"nan", b"1", b"1", b"1"],
    [b"AGGREGATE", b"AVG"],
    [b"AGGREGATE"],
    [b"BOGUS"],
    [b"WITHSCORES"],
    [b"LIMIT", b"1"],
)


def _algebra_rows(names, ends):
    return [name + end for name in names for end in ends]


_AGGREGATES = ("/WEIGHTS", "/AGGREGATE SUM", "/AGGREGATE MIN", "/AGGREGATE MAX")


@generator(
    4,
    "ZDIFF",
    "ZDIFF/WITHSCORES",
    *_algebra_rows(("ZUNION", "ZINTER"), ("", "/WITHSCORES") + _AGGREGATES)
)
def algebra(r):
    name = r.choice(("ZUNION", "ZINTER", "ZDIFF"))
    count, *keys = several(r, _source, 4)
    options, rows = ([], []) if name == "ZDIFF" else _weights_and_aggregate(r, name, len(keys))
    if r.random() < 0.5:
        options.append([v.cased(r, b"WITHSCORES")])
        rows.append(name + "/WITHSCORES")
    rows.append(name)
    if r.random() < 0.06:
        options.append(r.choice(_WRONG_ENDS))
        rows = []
    r.shuffle(options)
    words = [word for option in options for word in option]
    return Op(v.cased(r, name.encode()), count, *keys, *words, rows=tuple(rows))


@generator(4, "ZDIFFSTORE", *_algebra_rows(("ZUNIONSTORE", "ZINTERSTORE"), ("",) + _AGGREGATES))
def store(r):
    name = r.choice(("ZUNIONSTORE", "ZINTERSTORE", "ZDIFFSTORE"))
    count, *keys = several(r, _source, 4)
    options, rows = ([], []) if name == "ZDIFFSTORE" else _weights_and_aggregate(r, name, len(keys))
    rows.append(name)
    if r.random() < 0.06:
        options.append(r.choice(_WRONG_ENDS))
        rows = []
    r.shuffle(options)
    destination = r.choice(v.BIG_ZSET_KEYS if any(map(v.big, keys)) else v.ZSET_KEYS)
    words = [word for option in options for word in option]
    return Op(v.cased(r, name.encode()), destination, count, *keys, *words, rows=tuple(rows))


@generator(2, "ZINTERCARD", "ZINTERCARD/LIMIT")
def zintercard(r):
    args = several(r, _source, 3)
    rows = ["ZINTERCARD"]
    if r.random() < 0.5:
        args += [v.cased(r, b"LIMIT"), v.small(r, 0, 9)]
        rows.append("ZINTERCARD/LIMIT")
    if r.random() < 0.05:
        args += r.choice(((b"LIMIT", b"-1"), (b"LIMIT", b"x"), (b"LIMIT",), (b"BOGUS", b"1")))
        rows = []
    return Op(v.cased(r, b"ZINTERCARD"), *args, rows=tuple(rows))
