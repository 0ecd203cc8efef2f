"""Commands on strings."""

import values as v
from operation import Op

from .registry import generator


def _expiry_option(r):
    """One of EX PX EXAT PXAT with a time far away, and its name."""
    name, number = r.choice(
        (
            (b"EX", v.ttl_seconds),
            (b"PX", v.ttl_milliseconds),
            (b"EXAT", v.at_seconds),
            (b"PXAT", v.at_milliseconds),
        )
    )
    return name, [v.cased(r, name), number(r)]


@generator(
    6,
    "SET",
    "SET/NX",
    "SET/XX",
    "SET/GET",
    "SET/EX",
    "SET/PX",
    "SET/EXAT",
    "SET/PXAT",
    "SET/KEEPTTL",
)
def set_(r):
    names = []
    options = []
    if r.random() < 0.35:
        names.append(r.choice((b"NX", b"XX")))
        options.append([v.cased(r, names[-1])])
    if r.random() < 0.3:
        names.append(b"GET")
        options.append([v.cased(r, b"GET")])
    pick = r.random()
    if pick < 0.4:
        name, words = _expiry_option(r)
        names.append(name)
        options.append(words)
    elif pick < 0.55:
        names.append(b"KEEPTTL")
        options.append([v.cased(r, b"KEEPTTL")])
    if r.random() < 0.05:
        options.append([r.choice((b"NX", b"XX", b"KEEPTTL", b"EX", b"BOGUS", b"PX"))])
    r.shuffle(options)
    rows = ("SET",) + tuple("SET/" + n.decode() for n in names)
    return Op(
        v.cased(r, b"SET"), v.string_key(r), v.value(r), *(w for o in options for w in o), rows=rows
    )


@generator(2, "SET")
def set_number(r):
    return Op(b"SET", v.string_key(r), r.choice((v.integer(r), r.choice(v.FLOATS))), rows=("SET",))


@generator(5, "GET")
def get(r):
    return Op(v.cased(r, b"GET"), v.string_key(r), rows=("GET",))


@generator(1, "GETSET")
def getset(r):
    return Op(b"GETSET", v.string_key(r), v.value(r), rows=("GETSET",))


@generator(1, "GETDEL")
def getdel(r):
    return Op(b"GETDEL", v.string_key(r), rows=("GETDEL",))


@generator(3, "GETEX", "GETEX/EX", "GETEX/PX", "GETEX/EXAT", "GETEX/PXAT", "GETEX/PERSIST")
def getex(r):
    pick = r.random()
    if pick < 0.2:
        return Op(b"GETEX", v.string_key(r), rows=("GETEX",))
    if pick < 0.4:
        return Op(b"GETEX", v.string_key(r), v.cased(r, b"PERSIST"), rows=("GETEX/PERSIST",))
    name, words = _expiry_option(r)
    if r.random() < 0.05:
        words.append(r.choice((b"PERSIST", b"EX", b"KEEPTTL", b"NX")))
    return Op(b"GETEX", v.string_key(r), *words, rows=("GETEX/" + name.decode(),))


@generator(1, "SETNX")
def setnx(r):
    return Op(b"SETNX", v.string_key(r), v.value(r), rows=("SETNX",))


@generator(1, "SETEX")
def setex(r):
    return Op(b"SETEX", v.string_key(r), v.ttl_seconds(r), v.value(r), rows=("SETEX",))


@generator(1, "PSETEX")
def psetex(r):
    return Op(b"PSETEX", v.string_key(r), v.ttl_milliseconds(r), v.value(r), rows=("PSETEX",))


@generator(0.6, spoilable=False)
def set_bad_expiry(r):
    """Times at and beyond every limit, all refused; sessions/data.py has times in the past."""
    number = r.choice(
        (
            b"0",
            b"-1",
            b"9223372036854775807",
            b"9223372036854775",
            b"-9223372036854775808",
            b"9223372036854776",
            b"abc",
            b"1.5",
            b"",
        )
    )
    key = v.string_key(r)
    return r.choice(
        (
            Op(b"SETEX", key, number, b"x"),
            Op(b"PSETEX", key, r.choice((b"0", b"-5", b"9223372036854775807", b"x")), b"x"),
            Op(b"SET", key, b"x", b"EX", number),
            Op(b"GETEX", key, b"EX", number),
            Op(b"SET", key, b"x", b"PXAT", r.choice((b"0", b"-1", b"zz"))),
            Op(b"SET", key, b"x", b"EXAT", r.choice((b"0", b"-7", b""))),
        )
    )


def _keys(r):
    return [v.string_key(r) for _ in range(r.randint(1, 5))]


@generator(2, "MGET")
def mget(r):
    return Op(b"MGET", *_keys(r), *([v.any_key(r)] if r.random() < 0.4 else []), rows=("MGET",))


@generator(1.5, "MSET", "MSETNX")
def mset(r):
    name = r.choice((b"MSET", b"MSETNX"))
    args = [part for key in _keys(r) for part in (key, v.value(r))]
    if r.random() < 0.06:
        args.pop()
    return Op(name, *args, rows=(name.decode(),))


@generator(1.5, "APPEND")
def append(r):
    return Op(b"APPEND", v.string_key(r), v.short_value(r), rows=("APPEND",))


@generator(1, "STRLEN")
def strlen(r):
    return Op(b"STRLEN", v.string_key(r), rows=("STRLEN",))


@generator(2, "GETRANGE", "SUBSTR")
def getrange(r):
    name = r.choice((b"GETRANGE", b"SUBSTR"))
    low, high = (v.small(r) if r.random() < 0.9 else v.integer(r) for _ in range(2))
    return Op(name, v.string_key(r), low, high, rows=(name.decode(),))


@generator(1.5, "SETRANGE")
def setrange(r):
    offset = (
        v.small(r, 0, 60)
        if r.random() < 0.9
        else r.choice((b"-1", b"536870912", b"9223372036854775807", b"x"))
    )
    return Op(b"SETRANGE", v.string_key(r), offset, v.short_value(r) or b"tail", rows=("SETRANGE",))


@generator(3, "INCR", "DECR")
def incr(r):
    name = r.choice((b"INCR", b"DECR"))
    return Op(v.cased(r, name), v.string_key(r), rows=(name.decode(),))


@generator(3, "INCRBY", "DECRBY")
def incrby(r):
    name = r.choice((b"INCRBY", b"DECRBY"))
    return Op(name, v.string_key(r), v.integer(r), rows=(name.decode(),))


@generator(0.7)
def incr_from_number(r):
    """Increments at the edges of 64 bits."""
    key = v.string_key(r)
    return [
        Op(b"SET", key, r.choice(v.INTEGERS)),
        Op(r.choice((b"INCRBY", b"DECRBY")), key, r.choice(v.INTEGERS)),
        Op(b"GET", key),
    ]


@generator(2, "INCRBYFLOAT")
def incrbyfloat(r):
    by = r.choice((r.choice(v.FLOATS), v.integer(r), b"%.3f" % (r.random() * 100 - 50)))
    ops = [Op(b"INCRBYFLOAT", v.string_key(r), by, rows=("INCRBYFLOAT",))]
    if r.random() < 0.3:
        ops.insert(0, Op(b"SET", ops[0].args[1], r.choice(v.FLOATS + (b"10.50", b"5.0e3", b" 1"))))
    return ops


@generator(1.5, "LCS", "LCS/LEN", "LCS/IDX", "LCS/MINMATCHLEN", "LCS/WITHMATCHLEN")
def lcs(r):
    keys = [v.string_key(r), v.string_key(r)]
    ops = [Op(b"SET", key, r.choice(v.WORDS) * r.randint(1, 3)) for key in keys if r.random() < 0.7]
    options = []
    rows = ["LCS"]
    pick = r.random()
    if pick < 0.25:
        options.append(v.cased(r, b"LEN"))
        rows.append("LCS/LEN")
    elif pick < 0.75:
        options.append(v.cased(r, b"IDX"))
        rows.append("LCS/IDX")
    elif pick < 0.8:
        options += [b"LEN", b"IDX"]
    if pick > 0.15 and r.random() < 0.6:
        options += [v.cased(r, b"MINMATCHLEN"), v.small(r, -2, 6)]
        rows.append("LCS/MINMATCHLEN")
    if pick > 0.15 and r.random() < 0.6:
        options.append(v.cased(r, b"WITHMATCHLEN"))
        rows.append("LCS/WITHMATCHLEN")
    return ops + [Op(b"LCS", *keys, *options, rows=tuple(rows))]
