"""Commands on keys of any type, and on whole databases."""

import values as v
from normalisations import (
    idle_seconds,
    near_milliseconds,
    near_seconds,
    random_key,
    unordered,
    whole_scan,
)
from operation import Op

from .registry import generator

_TYPES = (b"string", b"hash", b"HASH", b"list", b"set", b"zset", b"ZSet", b"stream", b"bogus")
_FLAGS = (b"NX", b"XX", b"GT", b"LT")


@generator(2, "DEL", "UNLINK", "EXISTS", "TOUCH")
def many_keys(r):
    name = r.choice((b"DEL", b"UNLINK", b"EXISTS", b"EXISTS", b"TOUCH"))
    keys = [v.any_key(r) for _ in range(r.choice((1, 1, 2, 4)))]
    return Op(v.cased(r, name), *keys, rows=(name.decode(),))


@generator(2, "TYPE")
def type_(r):
    return Op(b"TYPE", v.any_key(r), rows=("TYPE",))


def _expire_rows():
    return [
        name + flag
        for name in ("EXPIRE", "PEXPIRE", "EXPIREAT", "PEXPIREAT")
        for flag in ("", "/NX", "/XX", "/GT", "/LT")
    ]


@generator(8, *_expire_rows())
def expire(r):
    name, number = r.choice(
        (
            (b"EXPIRE", v.ttl_seconds),
            (b"PEXPIRE", v.ttl_milliseconds),
            (b"EXPIREAT", v.at_seconds),
            (b"PEXPIREAT", v.at_milliseconds),
        )
    )
    flags = [r.choice(_FLAGS)] if r.random() < 0.7 else []
    if r.random() < 0.08:
        flags.append(r.choice(_FLAGS + (b"KEEPTTL", b"")))
    rows = (
        tuple("%s/%s" % (name.decode(), flag.decode()) for flag in flags) if len(flags) < 2 else ()
    )
    time = number(r)
    if r.random() < 0.06:
        time = r.choice(
            (
                b"-1",
                b"0",
                b"-9999999",
                b"9223372036854775807",
                b"-9223372036854775808",
                b"9223372036854775",
                b"1e3",
                b"x",
            )
        )
    return Op(
        v.cased(r, name),
        v.any_key(r),
        time,
        *(v.cased(r, f) for f in flags),
        rows=rows + (name.decode(),)
    )


@generator(5, "TTL", "PTTL", "EXPIRETIME", "PEXPIRETIME")
def ttl(r):
    name = r.choice((b"TTL", b"PTTL", b"EXPIRETIME", b"PEXPIRETIME"))
    norm = near_milliseconds if name.startswith(b"P") else near_seconds
    return Op(v.cased(r, name), v.any_key(r), rows=(name.decode(),), norm=norm)


@generator(1.5, "PERSIST")
def persist(r):
    return Op(b"PERSIST", v.any_key(r), rows=("PERSIST",))


@generator(1.5, "KEYS")
def keys(r):
    return Op(b"KEYS", v.glob(r), rows=("KEYS",), norm=unordered)


@generator(2.5, "SCAN", "SCAN/MATCH", "SCAN/COUNT", "SCAN/TYPE", spoilable=False)
def scan(r):
    args = [v.cased(r, b"SCAN"), b"0", v.cased(r, b"COUNT"), b"5000"]
    rows = ["SCAN", "SCAN/COUNT"]
    if r.random() < 0.5:
        args += [v.cased(r, b"MATCH"), v.glob(r)]
        rows.append("SCAN/MATCH")
    if r.random() < 0.5:
        args += [v.cased(r, b"TYPE"), r.choice(_TYPES)]
        rows.append("SCAN/TYPE")
    if r.random() < 0.05:
        args += r.choice(((b"COUNT", b"0"), (b"COUNT", b"x"), (b"MATCH",), (b"x",), (b"TYPE",)))
        rows = []
    return Op(*args, rows=tuple(rows), norm=whole_scan)


@generator(0.3, spoilable=False)
def scan_wrong(r):
    return Op(b"SCAN", r.choice((b"abc", b"18446744073709551616", b"1.5")))


@generator(1, "RANDOMKEY")
def randomkey(r):
    return [
        Op(b"KEYS", b"*", norm=unordered),
        Op(v.cased(r, b"RANDOMKEY"), rows=("RANDOMKEY",), norm=random_key),
    ]


def _two_keys(r):
    """Source and destination of which the first may take the name of the second, see values.py."""
    pick = r.random()
    if pick < 0.1:
        keys = r.choice(v.BIG_KEYS)
        return r.choice(keys), r.choice(keys)
    if pick < 0.2:
        keys = r.choice((v.INTEGER_SET_KEYS, v.LEX_KEYS))
        return r.choice(keys), r.choice(keys if r.random() < 0.7 else v.MIXED_KEYS)
    return v.small_key(r), v.small_key(r)


@generator(4, "RENAME", "RENAMENX")
def rename(r):
    name = r.choice((b"RENAME", b"RENAMENX"))
    keys = _two_keys(r)
    ops = [Op(v.cased(r, name), *keys, rows=(name.decode(),))]
    if r.random() < 0.5 and keys[0] in v.SMALL_KEYS[0] + v.MIXED_KEYS:
        ops.insert(0, Op(b"SETNX", keys[0], v.short_value(r)))
    return ops


@generator(2, "COPY", "COPY/DB", "COPY/REPLACE")
def copy(r):
    options = []
    rows = ["COPY"]
    if r.random() < 0.5:
        options.append([v.cased(r, b"REPLACE")])
        rows.append("COPY/REPLACE")
    if r.random() < 0.5:
        options.append([v.cased(r, b"DB"), v.small(r, 0, 3)])
        rows.append("COPY/DB")
    if r.random() < 0.05:
        options.append(r.choice(([b"DB", b"16"], [b"DB", b"-1"], [b"DB", b"x"], [b"DB"], [b"x"])))
        rows = []
    r.shuffle(options)
    return Op(b"COPY", *_two_keys(r), *(w for o in options for w in o), rows=tuple(rows))


@generator(1, "MOVE")
def move(r):
    db = v.small(r, 0, 3) if r.random() < 0.9 else r.choice((b"16", b"-1", b"x", b"999999999999"))
    return Op(b"MOVE", v.any_key(r), db, rows=("MOVE",))


@generator(0.4, "SWAPDB")
def swapdb(r):
    dbs = [v.small(r, 0, 3) if r.random() < 0.9 else r.choice((b"16", b"-1", b"x")) for _ in "12"]
    return Op(b"SWAPDB", *dbs, rows=("SWAPDB",))


@generator(1, "SELECT")
def select(r):
    db = (
        v.small(r, 0, 3)
        if r.random() < 0.9
        else r.choice((b"16", b"-1", b"x", b"4294967296", b"15"))
    )
    return Op(v.cased(r, b"SELECT"), db, rows=("SELECT",))


@generator(1, "DBSIZE")
def dbsize(r):
    return Op(b"DBSIZE", rows=("DBSIZE",))


@generator(
    0.05, "FLUSHDB", "FLUSHDB/ASYNC", "FLUSHDB/SYNC", "FLUSHALL", "FLUSHALL/ASYNC", "FLUSHALL/SYNC"
)
def flush(r):
    name = r.choice((b"FLUSHDB", b"FLUSHALL"))
    option = r.choice((b"", b"ASYNC", b"SYNC", b"x" if r.random() < 0.2 else b"SYNC"))
    if not option:
        return Op(name, rows=(name.decode(),))
    return Op(
        name,
        v.cased(r, option),
        rows=("%s/%s" % (name.decode(), option.decode()),) if option != b"x" else (),
    )


@generator(
    2,
    "OBJECT/ENCODING",
    "OBJECT/IDLETIME",
    "OBJECT/REFCOUNT",
    "OBJECT/FREQ/refused",
    "OBJECT/HELP",
)
def object_(r):
    sub = r.choice((b"ENCODING", b"ENCODING", b"IDLETIME", b"REFCOUNT", b"FREQ", b"HELP", b"BOGUS"))
    norm = idle_seconds if sub == b"IDLETIME" else None
    if sub == b"HELP":
        return Op(b"OBJECT", b"HELP", rows=("OBJECT/HELP",))
    row = "OBJECT/" + sub.decode() + ("/refused" if sub == b"FREQ" else "")
    return Op(
        v.cased(r, b"OBJECT"),
        v.cased(r, sub),
        v.any_key(r),
        rows=(row,) if sub != b"BOGUS" else (),
        norm=norm,
    )


@generator(1, "MEMORY/USAGE", "MEMORY/USAGE SAMPLES")
def memory_usage(r):
    if r.random() < 0.5:
        return Op(b"MEMORY", v.cased(r, b"USAGE"), v.any_key(r), rows=("MEMORY/USAGE",))
    samples = v.small(r, 0, 9) if r.random() < 0.9 else r.choice((b"-1", b"x"))
    return Op(
        b"MEMORY",
        b"USAGE",
        v.any_key(r),
        v.cased(r, b"SAMPLES"),
        samples,
        rows=("MEMORY/USAGE SAMPLES",),
    )
