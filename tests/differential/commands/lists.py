"""Commands on lists; those that wait are in blocking.py."""

import values as v
from operation import Op

from .registry import generator


@generator(7, "LPUSH", "RPUSH", "LPUSHX", "RPUSHX")
def push(r):
    name = r.choice((b"LPUSH", b"RPUSH", b"LPUSH", b"RPUSH", b"LPUSHX", b"RPUSHX"))
    key = v.list_key(r)
    count = r.randint(20, 150) if v.big(key) and r.random() < 0.2 else r.randint(1, 6)
    return Op(v.cased(r, name), key, *(v.element(r) for _ in range(count)), rows=(name.decode(),))


@generator(4, "LPOP", "LPOP/count", "RPOP", "RPOP/count")
def pop(r):
    name = r.choice((b"LPOP", b"RPOP"))
    key = v.list_key(r)
    if r.random() < 0.5:
        return Op(v.cased(r, name), key, rows=(name.decode(),))
    count = v.small(r, -1, 8) if r.random() < 0.9 else r.choice((b"0", b"99999999", b"x"))
    return Op(v.cased(r, name), key, count, rows=(name.decode() + "/count",))


def index(r):
    return v.small(r, -12, 12) if r.random() < 0.9 else v.integer(r)


@generator(6, "LLEN", "LRANGE", "LINDEX")
def read(r):
    name = r.choice((b"LLEN", b"LRANGE", b"LRANGE", b"LINDEX"))
    indexes = [index(r) for _ in range({b"LLEN": 0, b"LRANGE": 2, b"LINDEX": 1}[name])]
    if name == b"LRANGE" and r.random() < 0.3:
        indexes = [b"0", b"-1"]
    return Op(v.cased(r, name), v.list_key(r), *indexes, rows=(name.decode(),))


@generator(2, "LSET", "LTRIM")
def change(r):
    key = v.list_key(r)
    if r.random() < 0.6:
        ops = [Op(v.cased(r, b"LSET"), key, index(r), v.element(r), rows=("LSET",))]
        if r.random() < 0.6:
            ops.insert(0, Op(b"RPUSH", key, *(v.element(r) for _ in range(6)), rows=("RPUSH",)))
        return ops
    return Op(v.cased(r, b"LTRIM"), key, index(r), index(r), rows=("LTRIM",))


@generator(2.5, "LINSERT/BEFORE", "LINSERT/AFTER")
def insert(r):
    where = r.choice((b"BEFORE", b"AFTER"))
    if r.random() < 0.03:
        where = b"BESIDE"
    return Op(
        v.cased(r, b"LINSERT"),
        v.list_key(r),
        v.cased(r, where),
        v.element(r),
        v.element(r),
        rows=("LINSERT/" + where.decode(),) if where != b"BESIDE" else (),
    )


@generator(1.5, "LREM")
def remove(r):
    count = v.small(r, -3, 3) if r.random() < 0.9 else v.integer(r)
    return Op(v.cased(r, b"LREM"), v.list_key(r), count, v.element(r), rows=("LREM",))


@generator(3, "LPOS", "LPOS/RANK", "LPOS/COUNT", "LPOS/MAXLEN")
def position(r):
    options = []
    rows = ["LPOS"]
    for word, low in ((b"RANK", -3), (b"COUNT", 0), (b"MAXLEN", 0)):
        if r.random() < 0.5:
            number = v.small(r, low, 6)
            if r.random() < 0.05:
                number = r.choice((b"-1", b"0", b"-9223372036854775808", b"9223372036854775807"))
            options.append((v.cased(r, word), number))
            rows.append("LPOS/" + word.decode())
    if r.random() < 0.04:
        options.append(r.choice(((b"RANK",), (b"BOGUS", b"1"), (b"COUNT", b"x"), (b"RANK", b"0"))))
        rows = []
    r.shuffle(options)
    return Op(
        v.cased(r, b"LPOS"),
        v.list_key(r),
        v.element(r),
        *(word for option in options for word in option),
        rows=tuple(rows)
    )


@generator(4, "LMOVE", "RPOPLPUSH")
def move(r):
    source, destination = v.list_key(r), v.list_key(r)
    if r.random() < 0.15:
        destination = source
    if r.random() < 0.3:
        return Op(v.cased(r, b"RPOPLPUSH"), source, destination, rows=("RPOPLPUSH",))
    sides = [v.cased(r, r.choice((b"LEFT", b"RIGHT"))) for _ in "12"]
    rows = ("LMOVE",)
    if r.random() < 0.03:
        sides[r.randrange(2)] = b"UP"
    return Op(v.cased(r, b"LMOVE"), source, destination, *sides, rows=rows)


def several(r, key, at_most=3):
    """numkeys and that many keys; sometimes a number that is not theirs."""
    keys = [key(r) for _ in range(r.randint(1, at_most))]
    count = b"%d" % len(keys)
    if r.random() < 0.03:
        count = r.choice((b"0", b"-1", b"x", b"99", b"1.5", b"9223372036854775807"))
    return [count, *keys]


@generator(2.5, "LMPOP", "LMPOP/COUNT")
def pop_from_several(r):
    args = several(r, v.list_key) + [v.cased(r, r.choice((b"LEFT", b"RIGHT")))]
    rows = ["LMPOP"]
    if r.random() < 0.5:
        args += [v.cased(r, b"COUNT"), v.small(r, 1, 9)]
        rows.append("LMPOP/COUNT")
    if r.random() < 0.05:
        args += r.choice(
            ((b"COUNT", b"0"), (b"COUNT", b"-1"), (b"COUNT",), (b"BOGUS",), (b"COUNT", b"x"))
        )
        rows = []
    return Op(v.cased(r, b"LMPOP"), *args, rows=tuple(rows))
