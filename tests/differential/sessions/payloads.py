"""DUMP and RESTORE of keys and of libraries of functions, sent back as each server gave them."""

import commands.functions as functions
import values as v
from normalisations import deep_unordered, near_milliseconds, payload, unordered, unordered_pairs
from operation import Op
from wire import parse

from .registry import any_link, session


def _fetch(duel, link, op):
    """Runs DUMP; keeps each side's payload for @SAVED@. Whether there is any."""
    raws = [side.ask(*op.args) for side in link.sides]
    if not duel.compared(op, raws, None, (link, [])):
        return False
    link.saved = [parse(raw)[1] for raw in raws]
    return all(isinstance(text, bytes) for text in link.saved)


def _saved(link):
    return b"@SAVED:%s@" % link.name.encode()


def _damage(r, link):
    place, bit = r.random(), 1 << r.randrange(8)
    damaged = []
    for text in link.saved:
        at = min(int(place * len(text)), len(text) - 1)
        damaged.append(text[:at] + bytes((text[at] ^ bit,)) + text[at + 1 :])
    pick = r.random()
    if pick < 0.2:
        damaged = [text[:-1] for text in link.saved]
    elif pick < 0.3:
        damaged = [text + b"x" for text in link.saved]
    link.saved = damaged


def _contents(key):
    big = v.big(key)
    return [
        Op(b"TYPE", key),
        Op(b"PTTL", key, norm=near_milliseconds, rows=("PTTL",)),
        Op(b"GET", key),
        Op(b"HGETALL", key, norm=unordered_pairs if big else None),
        Op(b"LRANGE", key, b"0", b"-1"),
        Op(b"SMEMBERS", key, norm=unordered),
        Op(b"ZRANGE", key, b"0", b"-1", b"WITHSCORES"),
        Op(b"OBJECT", b"ENCODING", key),
    ]


def _fill(r, key):
    pick = r.randrange(5)
    if pick == 0:
        return Op(b"SET", key, r.choice((v.value(r), v.integer(r))))
    if pick == 1:
        return Op(b"HSET", key, *(w for _ in range(4) for w in (v.field(r), v.short_value(r))))
    if pick == 2:
        return Op(b"RPUSH", key, *(v.element(r) for _ in range(5)))
    if pick == 3:
        return Op(b"SADD", key, *(v.member(r, r.choice((b"i0", b""))) for _ in range(5)))
    return Op(b"ZADD", key, *(w for _ in range(4) for w in (v.score(r), v.member(r))))


@session(8, "RESTORE", "DUMP", "RESTORE/damaged/refused", "RESTORE/busy/refused")
def restored(duel, r):
    link = any_link(duel, r)
    link.run([Op(b"SELECT", b"0", rows=("SELECT",))])
    for key in r.sample(v.MIXED_KEYS, 3):
        target = r.choice(v.MIXED_KEYS)
        link.run([Op(b"DEL", key, target), _fill(r, key)])
        dump = Op(b"DUMP", key, rows=("DUMP",), norm=payload)
        if not _fetch(duel, link, dump):
            continue
        saved = _saved(link)
        link.run([Op(b"DEL", target)])
        restore = Op(b"RESTORE", target, b"0", saved, subst=True, rows=("RESTORE",))
        busy = Op(b"RESTORE", target, b"0", saved, subst=True, rows=("RESTORE/busy/refused",))
        link.run([restore, busy, *_contents(target)])
        _damage(r, link)
        options = r.choice(((), (b"REPLACE",)))
        rows = ("RESTORE/damaged/refused",)
        link.run(
            [
                Op(b"RESTORE", b"s0", b"0", saved, *options, subst=True, rows=rows),
                Op(b"RESTORE", b"s0", b"-1", saved, subst=True),
                Op(b"RESTORE", b"never1", b"0", saved, subst=True, rows=rows),
                Op(b"EXISTS", b"never1"),
            ]
        )


@session(
    5,
    "FUNCTION/RESTORE",
    "FUNCTION/RESTORE FLUSH",
    "FUNCTION/RESTORE APPEND",
    "FUNCTION/RESTORE REPLACE",
    "FUNCTION/DUMP",
)
def libraries_restored(duel, r):
    link = any_link(duel, r)
    link.run([Op(b"FUNCTION", b"FLUSH", rows=("FUNCTION/FLUSH",))])
    names = r.sample(functions.LIBRARIES, r.randint(0, 3))
    link.run([_load(r, i, name) for i, name in enumerate(names)])
    if not _fetch(duel, link, Op(b"FUNCTION", b"DUMP", rows=("FUNCTION/DUMP",), norm=payload)):
        return
    for _ in range(4):
        before = r.choice(
            (
                [Op(b"FUNCTION", b"FLUSH")],
                [_load(r, 7, r.choice(functions.LIBRARIES), b"REPLACE")],
                [Op(b"FUNCTION", b"FLUSH"), _load(r, 8, b"lib9")],
                [],
            )
        )
        policy = r.choice((b"", b"", b"FLUSH", b"APPEND", b"REPLACE"))
        row = ("FUNCTION/RESTORE " + policy.upper().decode()).strip()
        words = [policy] if policy else []
        link.run(
            before
            + [
                Op(
                    b"FUNCTION",
                    b"RESTORE",
                    _saved(link),
                    *words,
                    subst=True,
                    rows=(row,),
                    norm=_some
                ),
                Op(b"FUNCTION", b"LIST", b"WITHCODE", norm=deep_unordered),
                Op(b"FCALL", b"g0", b"0"),
                Op(b"FUNCTION", b"STATS", rows=("FUNCTION/STATS",)),
            ]
        )
    _damage(r, link)
    link.run([Op(b"FUNCTION", b"RESTORE", _saved(link), subst=True)])
    link.run([Op(b"FUNCTION", b"FLUSH", rows=("FUNCTION/FLUSH",))])


def _load(r, number, name, *words):
    text = b"#!lua name=%s\nredis.register_function('g%d', function() return %d end)\n" % (
        name,
        number if r.random() < 0.9 else 0,
        r.randrange(99),
    )
    return Op(b"FUNCTION", b"LOAD", *words, text, rows=("FUNCTION/LOAD",), norm=_some)


def _some(op, a, b, before):
    """Of several libraries or functions in the way, any is named."""
    return a[0] == b[0] == "-" and all(side[1].endswith(b" already exists") for side in (a, b))
