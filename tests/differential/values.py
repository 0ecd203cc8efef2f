"""Random keys, fields, values and numbers of the command streams.

Key classes keep comparisons strict. Keys of a small letter hold less than 128 fields or members,
none longer than 64 bytes: Redis then keeps hashes in insertion order and sorted sets in one block
in the order of the scores. `i` keys hold whole numbers only, as a set in numeric order. Replies
about sets at other keys (`t`) and about the big ones (`H`, `T`, `Z`) are compared without order.
`q` keys are sorted sets of one score, as ranges by name ask for; `w:` keys hold numbers to sort
by. `x` keys belong to the sessions that wait for expiry, `E` keys to those that change the
settings of encodings.
"""

BINARY_KEYS = (b"", b"\x00\xff\r\n bin", b"k with space", b"{tag}:k", "schlüssel".encode())
MIXED_KEYS = tuple(b"k%d" % i for i in range(10)) + BINARY_KEYS
STRING_KEYS = tuple(b"s%d" % i for i in range(16))
HASH_KEYS = tuple(b"h%d" % i for i in range(10))
BIG_HASH_KEYS = tuple(b"H%d" % i for i in range(3))
LIST_KEYS = tuple(b"l%d" % i for i in range(8))
BIG_LIST_KEYS = (b"L0", b"L1")
SET_KEYS = tuple(b"t%d" % i for i in range(7))
BIG_SET_KEYS = (b"T0", b"T1")
INTEGER_SET_KEYS = tuple(b"i%d" % i for i in range(5))
ZSET_KEYS = tuple(b"z%d" % i for i in range(8))
BIG_ZSET_KEYS = (b"Z0", b"Z1")
LEX_KEYS = tuple(b"q%d" % i for i in range(4))
SMALL_KEYS = (STRING_KEYS, HASH_KEYS, MIXED_KEYS, LIST_KEYS, SET_KEYS, ZSET_KEYS)
BIG_KEYS = (BIG_HASH_KEYS, BIG_LIST_KEYS, BIG_SET_KEYS, BIG_ZSET_KEYS)
ALL_KEYS = frozenset(
    key for keys in SMALL_KEYS + BIG_KEYS + (INTEGER_SET_KEYS, LEX_KEYS) for key in keys
)

MEMBERS = tuple(b"m%d" % i for i in range(16)) + (
    b"",
    b"\x01\xff",
    b"a b\r\n",
    b"Ab",
    b"aB",
    "ß".encode(),
    b"y" * 64,
    b"007",
    b"1.0",
    b"1",
    b"2",
    b"-3",
    b"10",
)
WHOLE_MEMBERS = tuple(b"%d" % i for i in range(-5, 30)) + (
    b"32767",
    b"32768",
    b"-32769",
    b"2147483647",
    b"2147483648",
    b"9223372036854775807",
    b"-9223372036854775808",
)

FIELDS = tuple(b"f%d" % i for i in range(14)) + (b"", b"\x00\x01", b"7", b"-3", b"a b\r\n")

INTEGERS = (
    b"0",
    b"1",
    b"-1",
    b"7",
    b"10",
    b"42",
    b"100",
    b"-250",
    b"9999",
    b"10000",
    b"123456789",
    b"2147483647",
    b"2147483648",
    b"-2147483649",
    b"9007199254740993",
    b"4611686018427387904",
    b"9223372036854775806",
    b"9223372036854775807",
    b"-9223372036854775807",
    b"-9223372036854775808",
)
FLOATS = (
    b"0.5",
    b"-0.25",
    b"3.0",
    b"1e3",
    b"5e-3",
    b"10.1",
    b"3.14159265358979",
    b"1e17",
    b"0.1",
    b"100000000000000000000",
    b"-1e-7",
    b"2.50",
    b".5",
    b"1.",
)
SCORES = (
    b"inf",
    b"-inf",
    b"+inf",
    b"Infinity",
    b"-0",
    b"1e300",
    b"-1e300",
    b"1e-320",
    b"1.7976931348623157e308",
    b"9007199254740993",
    b"123456789012345680",
    b"0x10",
    b"+3",
    b"0.30000000000000004",
)
# No small positive numbers here: as a time to live they would race with the clock.
BAD_NUMBERS = (
    b"abc",
    b"1.5x",
    b"",
    b" 10",
    b"10 ",
    b"9223372036854775808",
    b"-9223372036854775809",
    b"0x10",
    b"+5",
    b"-0",
    b"00012",
    b"inf",
    b"-inf",
    b"nan",
    b"1e5000",
    b"1\x00",
    b"--1",
    b"-",
    b"9223372036854775807",
    b"-1",
    b"0",
)
WORDS = (b"ohmytext", b"mynewtext", b"hello world", b"Hello", b"foobar", b"aaaa", b"a", b"")


def key(r):
    return r.choice(MIXED_KEYS)


def string_key(r):
    return r.choice(STRING_KEYS if r.random() < 0.8 else MIXED_KEYS)


def hash_key(r):
    pick = r.random()
    if pick < 0.72:
        return r.choice(HASH_KEYS)
    return r.choice(BIG_HASH_KEYS if pick < 0.82 else MIXED_KEYS)


def list_key(r):
    return _of(r, LIST_KEYS, BIG_LIST_KEYS)


def set_key(r):
    return _of(r, SET_KEYS, BIG_SET_KEYS)


def zset_key(r):
    return _of(r, ZSET_KEYS, BIG_ZSET_KEYS)


def _of(r, keys, big_keys):
    pick = r.random()
    if pick < 0.82:
        return r.choice(keys)
    return r.choice(big_keys if pick < 0.9 else MIXED_KEYS)


def any_key(r):
    pick = r.random()
    if pick < 0.3:
        return r.choice(STRING_KEYS)
    if pick < 0.45:
        return r.choice(HASH_KEYS)
    if pick < 0.8:
        return r.choice(r.choice((LIST_KEYS, SET_KEYS, ZSET_KEYS, INTEGER_SET_KEYS, LEX_KEYS)))
    return r.choice(MIXED_KEYS) if pick < 0.95 else r.choice(r.choice(BIG_KEYS))


def small_key(r):
    """Any key whose class says nothing but that its value is small."""
    return r.choice(r.choice(SMALL_KEYS))


def big(key):
    """Whether the value of this key may have no defined order for its size alone."""
    return key[:1] in (b"H", b"L", b"T", b"Z")


def member(r, key=b""):
    if key[:1] == b"i":
        return r.choice(WHOLE_MEMBERS)
    if big(key) and r.random() < 0.7:
        return b"member:%d" % r.randrange(300)
    return r.choice(MEMBERS)


def element(r):
    """Of a list: mostly one that may be there already."""
    pick = r.random()
    if pick < 0.7:
        return r.choice(MEMBERS)
    return short_value(r) if pick < 0.97 else value(r)[:3000]


def score(r):
    pick = r.random()
    if pick < 0.6:
        return b"%d" % r.randint(-5, 20)
    return r.choice(FLOATS if pick < 0.8 else SCORES)


def score_bound(r):
    bound = r.choice((b"-inf", b"+inf", b"inf")) if r.random() < 0.25 else score(r)
    return b"(" + bound if r.random() < 0.3 else bound


def name_bound(r):
    """Of a range by name."""
    pick = r.random()
    if pick < 0.3:
        return r.choice((b"-", b"+"))
    return r.choice((b"[", b"(")) + r.choice(MEMBERS)


def field(r, key_name=b""):
    if key_name.startswith(b"H") and r.random() < 0.7:
        return b"field:%d" % r.randrange(300)
    return r.choice(FIELDS)


def blob(r, length):
    return r.randbytes(length)


def short_value(r):
    """At most 64 bytes: keeps a hash small."""
    pick = r.random()
    if pick < 0.35:
        return integer(r)
    if pick < 0.5:
        return r.choice(FLOATS)
    if pick < 0.7:
        return r.choice(WORDS)
    if pick < 0.85:
        return b"v%d" % r.randrange(1000)
    return blob(r, r.choice((0, 1, 5, 20, 44, 45, 63, 64)))


def value(r):
    if r.random() < 0.9:
        return short_value(r)
    return blob(r, r.choice((65, 200, 1000))) if r.random() < 0.95 else blob(r, 20000)


def hash_value(r, key_name):
    if key_name.startswith(b"H") and r.random() < 0.1:
        return blob(r, r.randrange(60, 90))
    return short_value(r)


def integer(r):
    return r.choice(INTEGERS) if r.random() < 0.3 else b"%d" % r.randint(-1000, 1000)


def small(r, low=-20, high=20):
    return b"%d" % r.randint(low, high)


def cased(r, word):
    """A word of a command's syntax in any case; mostly as it is written."""
    pick = r.random()
    if pick < 0.7:
        return word
    if pick < 0.9:
        return word.lower()
    return bytes(c ^ 0x20 if 65 <= (c & 0xDF) <= 90 and r.random() < 0.5 else c for c in word)


def ttl_seconds(r):
    """Far from the clock on both sides: at least 100 s, and no two alike."""
    return b"%d" % (1000 + r.randrange(10_000_000))


def ttl_milliseconds(r):
    return b"%d" % (1_000_000 + r.randrange(10_000_000_000))


def at_seconds(r):
    return b"%d" % (2_000_000_000 + r.randrange(1_000_000_000))


def at_milliseconds(r):
    return b"%d" % (2_000_000_000_000 + r.randrange(1_000_000_000_000))


def channel(r):
    return r.choice((b"news", b"news.tech", b"jobs", b"", b"\x00bin", b"lock:{a}"))


def pattern(r):
    return r.choice((b"*", b"n*", b"news.*", b"[nj]*", b"?obs", b"h?llo", b"new[^x]", b"\\*", b""))


def glob(r):
    """Patterns over the key names."""
    return r.choice(
        (
            b"*",
            b"s*",
            b"k?",
            b"[hk]*",
            b"s[0-5]",
            b"s1?",
            b"h[^3]",
            b"nothing",
            b"",
            b"*\xff*",
            b"k\\0",
            b"[",
            b"*[5-1]",
            b"**1",
            b"s[1-",
            b"k with*",
        )
    )
