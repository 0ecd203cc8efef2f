"""SORT and SORT_RO. Lists to sort by text hold no two elements that compare alike."""

import values as v
from normalisations import unordered
from operation import Op

from .registry import generator

_NUMBERS = (b"3", b"1", b"2", b"10", b"-7", b"2.5", b"1e2", b"7", b"0", b"100", b"-0.5", b"5")
_NAMES = tuple(m for m in v.MEMBERS if m[:1] == b"m") + (b"Ab", b"aB", b"zz", b"007", b"1.0")


# Redis turns a sorted set into a skip list when it sorts it: such keys are soon gone again.
_ZSET_KEYS = (b"sorted:z0", b"sorted:z1")


def _weights(r):
    names = r.sample(_NAMES + _NUMBERS, 8)
    pairs = [word for name in names for word in (b"w:" + name, r.choice(_NUMBERS))]
    return Op(b"MSET", *pairs, rows=("MSET",))


def _elements(r, key, numbers):
    """Fills the key with a list, set or sorted set to sort."""
    elements = r.sample(_NUMBERS if numbers else _NAMES, r.randint(0, 9))
    if not elements:
        return []
    if key[:1] == b"l":
        return [Op(b"RPUSH", key, *elements, rows=("RPUSH",))]
    if key[:1] == b"t":
        return [Op(b"SADD", key, *elements, rows=("SADD",))]
    pairs = [word for e in elements for word in (v.small(r), e)]
    return [Op(b"ZADD", key, *pairs, rows=("ZADD",))]


# Redis' SORT takes an errno left by an earlier number for one of its own; this number leaves none.
_NO_ERRNO = Op(b"INCRBYFLOAT", b"w:errno", b"0")


def _rows(name):
    words = ("", "/BY", "/BY nosort", "/LIMIT", "/GET", "/GET #", "/GET hash", "/ASC", "/DESC")
    return [name + word for word in words + ("/ALPHA",)]


def _gets(r, name, rows):
    options = []
    for _ in range(r.choice((0, 0, 1, 2, 3))):
        pattern, row = r.choice(
            (
                (b"#", "/GET #"),
                (b"w:*", "/GET"),
                (b"h*->f1", "/GET hash"),
                (b"nosuch*", "/GET"),
                (b"h1->f1", "/GET"),
                (b"h*->", "/GET"),
                (b"*", "/GET"),
            )
        )
        options.append([v.cased(r, b"GET"), pattern])
        rows.append(name + row)
    return options


@generator(4, *_rows("SORT"), "SORT/STORE", *_rows("SORT_RO"), spoilable=False)
def sort(r):
    name = r.choice(("SORT", "SORT", "SORT_RO"))
    key = r.choice(r.choice((v.LIST_KEYS, v.SET_KEYS, _ZSET_KEYS)))
    numbers = r.random() < 0.6
    filled = [Op(b"DEL", key, rows=("DEL",))] + _elements(r, key, numbers)
    rows = [name]
    options = _gets(r, name, rows)
    by = _by(r, name, rows)
    if by:
        options.append(by)
        filled.append(_weights(r))
    unsorted_set = by and by[1] == b"nosort" and key[:1] == b"t"
    if unsorted_set:
        options = [by]  # in no order: neither are the keys that GET looks up
        rows = [name, name + "/BY nosort"]
    if r.random() < 0.4 and not unsorted_set:
        options.append([v.cased(r, b"LIMIT"), v.small(r, -1, 5), v.small(r, -1, 6)])
        rows.append(name + "/LIMIT")
    for word, chance in ((r.choice((b"ASC", b"DESC")), 0.6), (b"ALPHA", 0.1 if numbers else 0.8)):
        by_weight = by and by[1] != b"nosort"
        if r.random() < chance and not (word == b"ALPHA" and by_weight):
            options.append([v.cased(r, word)])
            rows.append("%s/%s" % (name, word.decode()))
    if name == "SORT" and r.random() < 0.3:
        options.append([v.cased(r, b"STORE"), r.choice(v.LIST_KEYS)])
        rows.append("SORT/STORE")
    r.shuffle(options)
    if r.random() < 0.05:
        wrong = ([b"BY"], [b"GET"], [b"LIMIT", b"1"], [b"STORE"], [b"UP"], [b"LIMIT", b"x", b"1"])
        options.append(r.choice(wrong))
        rows = []
    words = [word for option in options for word in option]
    norm = unordered if unsorted_set else None
    sorting = Op(v.cased(r, name.encode()), key, *words, rows=tuple(rows), norm=norm)
    after = [Op(b"DEL", key)] if key in _ZSET_KEYS else []
    return filled + [_NO_ERRNO, sorting] + after


def _by(r, name, rows):
    pick = r.random()
    if pick < 0.5:
        return []
    if pick < 0.65:
        rows.append(name + "/BY nosort")
        return [v.cased(r, b"BY"), b"nosort"]
    rows.append(name + "/BY")
    return [v.cased(r, b"BY"), r.choice((b"w:*", b"w:*", b"w:*", b"h*->f1", b"none:*"))]


@generator(0.7, "SORT/BY ALPHA", spoilable=False)
def by_text(r):
    """At most six elements: Redis keeps the order of those that compare alike then."""
    key = r.choice(v.LIST_KEYS)
    elements = r.sample(_NAMES, r.randint(1, 6))
    words = [v.cased(r, b"ALPHA")] + ([v.cased(r, b"DESC")] if r.random() < 0.4 else [])
    return [
        Op(b"DEL", key),
        Op(b"RPUSH", key, *elements, rows=("RPUSH",)),
        _weights(r),
        _NO_ERRNO,
        Op(b"SORT", key, b"BY", b"w:*", *words, rows=("SORT/BY ALPHA",)),
    ]


@generator(0.8)
def sort_anything(r):
    """What the keys happen to hold: mostly no numbers, or no list at all."""
    key = r.choice(v.STRING_KEYS + v.LIST_KEYS + _ZSET_KEYS)
    words = r.choice(((), (b"DESC",), (b"STORE", b"l1")))
    return [_NO_ERRNO, Op(r.choice((b"SORT", b"SORT_RO")), key, *words)]


@generator(0.4, spoilable=False)
def sort_integers(r):
    key = r.choice(v.INTEGER_SET_KEYS)
    words = r.choice(((), (b"DESC",), (b"BY", b"nosort", b"LIMIT", b"0", b"3")))
    return [_NO_ERRNO, Op(b"SORT", key, *words)]
