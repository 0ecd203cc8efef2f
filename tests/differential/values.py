"""Random keys, fields, values and numbers of the command streams.

Key classes keep comparisons strict: `h` and `k` keys never hold more than 128 fields nor fields
longer than 64 bytes (Redis then replies in insertion order); only `H` keys do, and their
replies are compared without order. `x` keys belong to the sessions that wait for expiry.
"""

BINARY_KEYS = (b"", b"\x00\xff\r\n bin", b"k with space", b"{tag}:k", "schlüssel".encode())
MIXED_KEYS = tuple(b"k%d" % i for i in range(10)) + BINARY_KEYS
STRING_KEYS = tuple(b"s%d" % i for i in range(16))
HASH_KEYS = tuple(b"h%d" % i for i in range(10))
BIG_HASH_KEYS = tuple(b"H%d" % i for i in range(3))
ALL_KEYS = frozenset(MIXED_KEYS + STRING_KEYS + HASH_KEYS + BIG_HASH_KEYS)

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


def any_key(r):
    pick = r.random()
    if pick < 0.4:
        return r.choice(STRING_KEYS)
    if pick < 0.65:
        return r.choice(HASH_KEYS)
    return r.choice(MIXED_KEYS) if pick < 0.95 else r.choice(BIG_HASH_KEYS)


def small_key(r):
    """Any key but those of big hashes."""
    return r.choice(r.choice((STRING_KEYS, HASH_KEYS, MIXED_KEYS)))


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
