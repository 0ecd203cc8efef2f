"""Commands that wait, where they need not: served at once, or out of time in a few milliseconds.

Waiting in earnest, with another connection that serves, is in sessions/blocking.py.
"""

import values as v
from operation import Op

from .registry import generator

_TIMEOUTS = (b"0", b"1", b"0.5", b"2.25", b"3600", b"1e2", b"00.1")
_BAD_TIMEOUTS = (
    b"-1",
    b"-0.5",
    b"abc",
    b"",
    b" 1",
    b"1x",
    b"nan",
    b"inf",
    b"-inf",
    b"1e400",
    b"9223372036854775807",
    b"9223372036854776",
    b"1e16",
)


def _feed(r, key):
    """Makes the key a list that is not empty, unless it is of another type."""
    name = r.choice((b"RPUSH", b"LPUSH"))
    return Op(name, key, *(v.element(r) for _ in range(r.randint(1, 3))), rows=(name.decode(),))


def _feed_zset(r, key):
    pairs = [word for _ in range(r.randint(1, 3)) for word in (v.score(r), v.member(r, key))]
    return Op(b"ZADD", key, *pairs, rows=("ZADD",))


@generator(2, "BLPOP", "BRPOP", "BLMOVE", "BRPOPLPUSH", "BLMPOP", "BLMPOP/COUNT", spoilable=False)
def list_at_once(r):
    key = v.list_key(r)
    timeout = r.choice(_TIMEOUTS)
    name = r.choice((b"BLPOP", b"BRPOP", b"BLMOVE", b"BRPOPLPUSH", b"BLMPOP"))
    rows = (name.decode(),)
    if name in (b"BLPOP", b"BRPOP"):
        keys = [v.list_key(r) for _ in range(r.randint(0, 3))] + [key]
        r.shuffle(keys)
        args = [*keys, timeout]
    elif name == b"BLMOVE":
        sides = [v.cased(r, r.choice((b"LEFT", b"RIGHT"))) for _ in "12"]
        args = [key, v.list_key(r), *sides, timeout]
    elif name == b"BRPOPLPUSH":
        args = [key, v.list_key(r), timeout]
    else:
        keys = [v.list_key(r) for _ in range(r.randint(0, 2))] + [key]
        args = [timeout, b"%d" % len(keys), *keys, v.cased(r, r.choice((b"LEFT", b"RIGHT")))]
        if r.random() < 0.5:
            args += [v.cased(r, b"COUNT"), v.small(r, 1, 5)]
            rows += ("BLMPOP/COUNT",)
    return [_feed(r, key), Op(v.cased(r, name), *args, rows=rows)]


@generator(1.5, "BZPOPMIN", "BZPOPMAX", "BZMPOP", "BZMPOP/COUNT", spoilable=False)
def zset_at_once(r):
    key = v.zset_key(r)
    timeout = r.choice(_TIMEOUTS)
    name = r.choice((b"BZPOPMIN", b"BZPOPMAX", b"BZMPOP"))
    rows = (name.decode(),)
    keys = [v.zset_key(r) for _ in range(r.randint(0, 2))] + [key]
    r.shuffle(keys)
    args = [*keys, timeout]
    if name == b"BZMPOP":
        args = [timeout, b"%d" % len(keys), *keys, v.cased(r, r.choice((b"MIN", b"MAX")))]
        if r.random() < 0.5:
            args += [v.cased(r, b"COUNT"), v.small(r, 1, 5)]
            rows += ("BZMPOP/COUNT",)
    return [_feed_zset(r, key), Op(v.cased(r, name), *args, rows=rows)]


@generator(
    0.25,
    "BLPOP/timeout",
    "BLMOVE/timeout",
    "BLMPOP/timeout",
    "BZPOPMIN/timeout",
    "BZMPOP/timeout",
    "BRPOPLPUSH/timeout",
    spoilable=False,
)
def out_of_time(r):
    """Nobody ever makes these keys: the reply comes after the time, and in EXEC at once."""
    time = r.choice((b"0.001", b"0.002", b"1e-3"))
    name, *args = r.choice(
        (
            (b"BLPOP", b"never1", b"never2", time),
            (b"BRPOP", b"never1", time),
            (b"BLMOVE", b"never1", b"l0", b"LEFT", b"RIGHT", time),
            (b"BRPOPLPUSH", b"never1", b"l0", time),
            (b"BLMPOP", time, b"2", b"never1", b"never2", b"LEFT"),
            (b"BZPOPMIN", b"never1", time),
            (b"BZPOPMAX", b"never1", b"never2", time),
            (b"BZMPOP", time, b"1", b"never1", b"MAX", b"COUNT", b"5"),
        )
    )
    row = {b"BRPOP": b"BLPOP", b"BZPOPMAX": b"BZPOPMIN"}.get(name, name)
    return Op(name, *args, rows=(row.decode() + "/timeout",))


@generator(1, spoilable=False)
def wrong(r):
    time = r.choice(_BAD_TIMEOUTS)
    return Op(
        *r.choice(
            (
                (b"BLPOP", v.list_key(r), time),
                (b"BRPOP", v.list_key(r), v.list_key(r), time),
                (b"BLMOVE", v.list_key(r), v.list_key(r), b"LEFT", b"RIGHT", time),
                (b"BLMOVE", v.list_key(r), v.list_key(r), b"LEFT", b"UP", b"0"),
                (b"BRPOPLPUSH", v.list_key(r), v.list_key(r), time),
                (b"BLMPOP", time, b"1", v.list_key(r), b"LEFT"),
                (b"BLMPOP", b"0", b"0", v.list_key(r), b"LEFT"),
                (b"BLMPOP", b"0", b"1", v.list_key(r), b"UP"),
                (b"BLMPOP", b"0", b"9", v.list_key(r), b"LEFT"),
                (b"BLMPOP", b"0", b"x", v.list_key(r), b"LEFT"),
                (b"BLMPOP", b"0", b"1", v.list_key(r), b"LEFT", b"COUNT", b"0"),
                (b"BLMPOP", b"0", b"1", v.list_key(r), b"LEFT", b"COUNT"),
                (b"BZPOPMIN", v.zset_key(r), time),
                (b"BZPOPMAX", v.zset_key(r), v.zset_key(r), time),
                (b"BZMPOP", time, b"1", v.zset_key(r), b"MIN"),
                (b"BZMPOP", b"0", b"0", v.zset_key(r), b"MIN"),
                (b"BZMPOP", b"0", b"1", v.zset_key(r), b"UP"),
                (b"BZMPOP", b"0", b"1", v.zset_key(r), b"MAX", b"COUNT", b"-1"),
                (b"BZMPOP", b"0", b"1", v.zset_key(r), b"MAX", b"COUNT", b"1", b"COUNT", b"2"),
            )
        )
    )
