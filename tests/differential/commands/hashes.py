"""Commands on hashes."""

import values as v
from normalisations import random_fields, unordered, unordered_pairs, whole_hash_scan
from operation import Op

from .registry import generator


def _big(key):
    return key.startswith(b"H")


def _pairs(r, key, count):
    return [part for _ in range(count) for part in (v.field(r, key), v.hash_value(r, key))]


@generator(6, "HSET", "HMSET")
def hset(r):
    name = r.choice((b"HSET", b"HSET", b"HMSET"))
    key = v.hash_key(r)
    args = _pairs(r, key, r.randint(1, 40 if _big(key) else 4))
    if r.random() < 0.04:
        args.pop()
    return Op(v.cased(r, name), key, *args, rows=(name.decode(),))


@generator(1, "HSETNX")
def hsetnx(r):
    key = v.hash_key(r)
    return Op(b"HSETNX", key, v.field(r, key), v.hash_value(r, key), rows=("HSETNX",))


@generator(4, "HGET", "HEXISTS", "HSTRLEN")
def hget(r):
    name = r.choice((b"HGET", b"HEXISTS", b"HSTRLEN"))
    key = v.hash_key(r)
    return Op(v.cased(r, name), key, v.field(r, key), rows=(name.decode(),))


@generator(1.5, "HMGET", "HDEL")
def hmget(r):
    name = r.choice((b"HMGET", b"HDEL"))
    key = v.hash_key(r)
    return Op(name, key, *(v.field(r, key) for _ in range(r.randint(1, 5))), rows=(name.decode(),))


@generator(3, "HGETALL", "HKEYS", "HVALS", "HLEN")
def hgetall(r):
    name = r.choice((b"HGETALL", b"HKEYS", b"HVALS", b"HLEN"))
    key = v.hash_key(r)
    norm = None
    if _big(key):
        norm = unordered_pairs if name == b"HGETALL" else unordered
    return Op(v.cased(r, name), key, rows=(name.decode(),), norm=norm)


@generator(3, "HINCRBY")
def hincrby(r):
    key = v.hash_key(r)
    ops = [Op(b"HINCRBY", key, v.field(r, key), v.integer(r), rows=("HINCRBY",))]
    if r.random() < 0.5:
        ops.insert(0, Op(b"HSET", key, ops[0].args[2], r.choice(v.INTEGERS + (b"1.5", b" 1"))))
    return ops


@generator(3, "HINCRBYFLOAT")
def hincrbyfloat(r):
    key = v.hash_key(r)
    by = r.choice((r.choice(v.FLOATS), v.integer(r), b"%.4f" % (r.random() * 10 - 5)))
    ops = [Op(b"HINCRBYFLOAT", key, v.field(r, key), by, rows=("HINCRBYFLOAT",))]
    if r.random() < 0.5:
        ops.insert(0, Op(b"HSET", key, ops[0].args[2], r.choice(v.FLOATS + (b"abc", b"1 "))))
    return ops


@generator(2, "HRANDFIELD", "HRANDFIELD/count", "HRANDFIELD/WITHVALUES")
def hrandfield(r):
    key = v.hash_key(r)
    args = [b"HRANDFIELD", key]
    row = "HRANDFIELD"
    if r.random() < 0.8:
        args.append(v.small(r, -12, 12))
        row = "HRANDFIELD/count"
        if r.random() < 0.6:
            args.append(v.cased(r, b"WITHVALUES"))
            row = "HRANDFIELD/WITHVALUES"
    return [
        Op(b"HGETALL", key, norm=unordered_pairs if _big(key) else None),
        Op(*args, rows=(row,), norm=random_fields),
    ]


@generator(0.3, spoilable=False)
def hrandfield_wrong(r):
    return Op(
        b"HRANDFIELD",
        v.hash_key(r),
        *r.choice(
            (
                (b"x",),
                (b"9223372036854775808",),
                (b"-9223372036854775808",),
                (b"-9223372036854775807", b"WITHVALUES"),
                (b"1", b"VALUES"),
                (b"1", b"WITHVALUES", b"x"),
            )
        )
    )


@generator(2, "HSCAN", "HSCAN/MATCH", "HSCAN/COUNT", spoilable=False)
def hscan(r):
    key = v.hash_key(r)
    args = [v.cased(r, b"HSCAN"), key, b"0"]
    rows = ["HSCAN"]
    if r.random() < 0.5:
        args += [v.cased(r, b"MATCH"), r.choice((b"*", b"f*", b"f1?", b"[f7]*", b"field:1*", b"x"))]
        rows.append("HSCAN/MATCH")
    if _big(key) or r.random() < 0.5:
        args += [v.cased(r, b"COUNT"), b"5000" if _big(key) else v.small(r, 1, 50)]
        rows.append("HSCAN/COUNT")
    if r.random() < 0.04:
        args += r.choice(
            ((b"COUNT", b"0"), (b"COUNT", b"x"), (b"MATCH",), (b"TYPE", b"hash"), (b"x",))
        )
        rows = []
    return Op(*args, rows=tuple(rows), norm=whole_hash_scan if _big(key) else None)


@generator(0.3, spoilable=False)
def hscan_wrong(r):
    cursor = r.choice((b"abc", b"18446744073709551616", b"1.5"))
    return Op(b"HSCAN", v.hash_key(r), cursor)
