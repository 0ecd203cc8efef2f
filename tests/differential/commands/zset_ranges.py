"""Ranges of sorted sets by rank, score and name; counting, removing and storing them."""

import values as v
from operation import Op

from .lists import index
from .registry import generator


def _limit(r, chance=0.5):
    if r.random() > chance:
        return []
    offset = v.small(r, 0, 5) if r.random() < 0.9 else r.choice((b"-1", b"x", b"99999999999"))
    count = v.small(r, -1, 8) if r.random() < 0.9 else r.choice((b"x", b"-99", b"1.5"))
    return [v.cased(r, b"LIMIT"), offset, count]


def _bounds(r, kind):
    """A key and the two ends of a range of that kind."""
    if kind == "LEX":
        ends = [v.name_bound(r) if r.random() < 0.97 else v.member(r) for _ in "12"]
        return r.choice(v.LEX_KEYS), ends
    if kind == "SCORE":
        ends = [v.score_bound(r) for _ in "12"]
        if r.random() < 0.3:
            ends = [b"-inf", b"+inf"]
        if r.random() < 0.03:
            ends[r.randrange(2)] = r.choice((b"x", b"(x", b"nan", b"(", b"", b"[1", b"((1"))
        return v.zset_key(r), ends
    ends = [b"0", b"-1"] if r.random() < 0.3 else [index(r), index(r)]
    return v.zset_key(r), ends


_KINDS = ("RANK", "SCORE", "LEX")


def _range_options(r, kind, row):
    options = []
    rows = [row]
    if kind != "RANK":
        options.append([v.cased(r, b"BY" + kind.encode())])
        rows.append("%s/BY%s" % (row, kind))
        limit = _limit(r)
        if limit:
            options.append(limit)
            rows.append(row + "/LIMIT")
    if r.random() < 0.4:
        options.append([v.cased(r, b"REV")])
        rows.append(row + "/REV")
    return options, rows


_WRONG = (
    [b"LIMIT", b"0", b"1"],
    [b"LIMIT"],
    [b"BOGUS"],
    [b"BYLEX"],
    [b"BYSCORE", b"BYLEX"],
    [b"WITHSCORES"],
)


@generator(
    7, "ZRANGE", "ZRANGE/BYSCORE", "ZRANGE/BYLEX", "ZRANGE/REV", "ZRANGE/LIMIT", "ZRANGE/WITHSCORES"
)
def zrange(r):
    kind = r.choice(_KINDS)
    key, ends = _bounds(r, kind)
    options, rows = _range_options(r, kind, "ZRANGE")
    if kind != "LEX" and r.random() < 0.5:
        options.append([v.cased(r, b"WITHSCORES")])
        rows.append("ZRANGE/WITHSCORES")
    if kind != "LEX" and r.random() < 0.04:
        options.append(r.choice(_WRONG[:3]))
        rows = []
    elif kind == "LEX" and r.random() < 0.05:
        options.append(r.choice(_WRONG))
        rows = []
    if "ZRANGE/REV" in rows and kind != "RANK" and r.random() < 0.5:
        ends.reverse()
    r.shuffle(options)
    words = [word for option in options for word in option]
    return Op(v.cased(r, b"ZRANGE"), key, *ends, *words, rows=tuple(rows))


@generator(
    4,
    "ZRANGESTORE",
    "ZRANGESTORE/BYSCORE",
    "ZRANGESTORE/BYLEX",
    "ZRANGESTORE/REV",
    "ZRANGESTORE/LIMIT",
    spoilable=False,
)
def zrangestore(r):
    kind = r.choice(_KINDS)
    key, ends = _bounds(r, kind)
    options, rows = _range_options(r, kind, "ZRANGESTORE")
    if r.random() < 0.04:
        options.append(r.choice(_WRONG[:3]))
        rows = []
    r.shuffle(options)
    words = [word for option in options for word in option]
    destination = r.choice(v.BIG_ZSET_KEYS if v.big(key) else v.ZSET_KEYS)
    return Op(v.cased(r, b"ZRANGESTORE"), destination, key, *ends, *words, rows=tuple(rows))


_OLD = (
    ("ZREVRANGE", "RANK"),
    ("ZRANGEBYSCORE", "SCORE"),
    ("ZREVRANGEBYSCORE", "SCORE"),
    ("ZRANGEBYLEX", "LEX"),
    ("ZREVRANGEBYLEX", "LEX"),
)


def _old_rows():
    for name, kind in _OLD:
        yield name
        if kind != "RANK":
            yield name + "/LIMIT"
        if kind != "LEX":
            yield name + "/WITHSCORES"


@generator(6, *_old_rows())
def old_ranges(r):
    name, kind = r.choice(_OLD)
    key, ends = _bounds(r, kind)
    options = []
    rows = [name]
    if kind != "LEX" and r.random() < 0.5:
        options.append([v.cased(r, b"WITHSCORES")])
        rows.append(name + "/WITHSCORES")
    if kind != "RANK" and r.random() < 0.5:
        options.append(_limit(r, 1))
        rows.append(name + "/LIMIT")
    if r.random() < 0.04:
        options.append(r.choice(([b"LIMIT", b"0"], [b"BOGUS"], [b"REV"], [b"BYSCORE"])))
        rows = []
    r.shuffle(options)
    words = [word for option in options for word in option]
    return Op(v.cased(r, name.encode()), key, *ends, *words, rows=tuple(rows))


@generator(4, "ZCOUNT", "ZLEXCOUNT", "ZREMRANGEBYRANK", "ZREMRANGEBYSCORE", "ZREMRANGEBYLEX")
def count_and_remove(r):
    name, kind = r.choice(
        (
            (b"ZCOUNT", "SCORE"),
            (b"ZLEXCOUNT", "LEX"),
            (b"ZREMRANGEBYRANK", "RANK"),
            (b"ZREMRANGEBYSCORE", "SCORE"),
            (b"ZREMRANGEBYLEX", "LEX"),
        )
    )
    key, ends = _bounds(r, kind)
    if name.startswith(b"ZREM") and r.random() < 0.4:
        ends = ends[:1] * 2  # remove little
    return Op(v.cased(r, name), key, *ends, rows=(name.decode(),))
