"""DUMP and RESTORE. Payloads are each server's own: what they restore is compared."""

import values as v
from normalisations import payload
from operation import Op

from .registry import generator

_ROUND = (
    b"local p = redis.call('dump', KEYS[1]) if not p then return 'none' end "
    b"return redis.call('restore', KEYS[2], ARGV[1], p, unpack(ARGV, 2))"
)


@generator(1, "DUMP")
def dump(r):
    return Op(v.cased(r, b"DUMP"), v.any_key(r), rows=("DUMP",), norm=payload)


@generator(
    3,
    "RESTORE/round",
    "RESTORE/REPLACE",
    "RESTORE/ABSTTL",
    "RESTORE/IDLETIME",
    "RESTORE/FREQ",
    spoilable=False,
)
def round_trip(r):
    """Within a script, which is how one command of a stream sends back what it was given."""
    source = v.any_key(r)
    small = source[:1] in b"iq" and not v.big(source)
    target = source if v.big(source) or small or r.random() < 0.3 else r.choice(v.MIXED_KEYS)
    rows = ["RESTORE/round"]
    options = []
    ttl = b"0"
    if r.random() < 0.8:
        options.append([v.cased(r, b"REPLACE")])
        rows.append("RESTORE/REPLACE")
    if r.random() < 0.4:
        ttl = v.ttl_milliseconds(r)
        if r.random() < 0.5:
            ttl = v.at_milliseconds(r) if r.random() < 0.8 else b"1"
            options.append([v.cased(r, b"ABSTTL")])
            rows.append("RESTORE/ABSTTL")
    if r.random() < 0.25:
        options.append([v.cased(r, b"IDLETIME"), v.small(r, 0, 5)])
        rows.append("RESTORE/IDLETIME")
    elif r.random() < 0.2:
        options.append([v.cased(r, b"FREQ"), v.small(r, 0, 255)])
        rows.append("RESTORE/FREQ")
    if r.random() < 0.04:
        rows = []
        options.append(
            r.choice(([b"BOGUS"], [b"IDLETIME"], [b"FREQ", b"256"], [b"IDLETIME", b"-1"]))
        )
    r.shuffle(options)
    words = [word for option in options for word in option]
    return [
        Op(b"EVAL", _ROUND, b"2", source, target, ttl, *words, rows=tuple(rows)),
        Op(b"TYPE", target, rows=("TYPE",)),
        Op(b"OBJECT", b"ENCODING", target, rows=("OBJECT/ENCODING",)),
    ]


@generator(0.7, "RESTORE/refused", spoilable=False)
def damaged(r):
    text = r.choice(
        (b"", b"x", b"0123456789", b"\x00\x03abc\x0a\x00" + b"\x01" * 8, r.randbytes(40))
    )
    options = r.choice(
        (
            (),
            (b"REPLACE",),
            (b"BOGUS",),
            (b"IDLETIME", b"x"),
            (b"IDLETIME", b"-1"),
            (b"FREQ", b"999"),
            (b"FREQ", b"1", b"IDLETIME", b"1"),
            (b"ABSTTL", b"REPLACE"),
        )
    )
    ttl = r.choice((b"0", b"-1", b"x", b"1000"))
    return Op(b"RESTORE", v.any_key(r), ttl, text, *options, rows=("RESTORE/refused",))
