"""Fills a redis-server with a key of every kind: every type, small and large, every encoding that its
settings lead to, names and values of any bytes, with and without a time to live.
"""

import random

ALL_BYTES = bytes(range(256))
INTEGERS = (0, 1, -1, 12, 13, 63, 64, 127, 128, -128, -129, 4095, 4096, -4096, -4097, 32767, 32768,
            -32768, -32769, 8388607, 8388608, -8388609, 2**31 - 1, 2**31, -(2**31), -(2**31) - 1,
            2**63 - 1, -(2**63))
SCORES = (b"0", b"-0", b"1", b"-1", b"1.5", b"0.1", b"1e300", b"-1e-300", b"inf", b"-inf",
          b"3.0000000000000004", b"9007199254740993", b"123456789012")
LENGTHS = (0, 1, 20, 21, 44, 45, 63, 64, 65, 253, 254, 4095, 4096, 16383, 16384, 40000)

LIBRARY = b"#!lua name=imported\nredis.register_function('imported', function() return 'yes' end)"


def strings(bits):
    yield b"", b"the empty name"
    yield b"empty", b""
    yield ALL_BYTES, ALL_BYTES
    yield b"long name " + b"n" * 20000, b"x"
    for number in INTEGERS:
        yield b"integer %d" % number, b"%d" % number
    for text in (b"007", b"-0", b"+1", b" 1", b"1.5", b"9223372036854775808"):
        yield b"no integer " + text, text
    for length in LENGTHS:
        yield b"random %d" % length, bits(length)
        yield b"repeated %d" % length, b"abc" * (length // 3)
    yield b"megabyte random", bits(1 << 20)
    yield b"megabyte repeated", b"\0" * (1 << 20)


def items(bits):
    """Sequences of elements by a name; lists take them as they are."""
    yield b"one", [b"x"]
    yield b"empty item", [b""]
    yield b"integers", [b"%d" % number for number in INTEGERS]
    yield b"lengths", [bits(length) + b"%d" % length for length in LENGTHS]
    yield b"binary", [ALL_BYTES, ALL_BYTES[::-1]]
    yield b"hundred", [b"item %d" % at for at in range(100)]
    yield b"thousands", [b"item %d of many" % at for at in range(3000)]
    yield b"numbers 16", [b"%d" % at for at in range(-50, 50)]
    yield b"numbers 32", [b"%d" % (at * 100_000) for at in range(-50, 50)]
    yield b"numbers 64", [b"%d" % (at * 10**16) for at in range(-50, 50)]
    yield b"numbers many", [b"%d" % at for at in range(2000)]


def commands(seed):
    """The data of one database, as commands."""
    randomness = random.Random(seed)
    bits = randomness.randbytes
    for name, value in strings(bits):
        yield b"SET", name, value
    for name, elements in items(bits):
        for start in range(0, len(elements), 500):
            some = elements[start : start + 500]
            yield b"RPUSH", b"list " + name, *some
            yield b"SADD", b"set " + name, *some
            fields = [part for at, item in enumerate(some) for part in (item, b"%d" % at)]
            yield b"HSET", b"hash " + name, *fields
            fields = [part for at, item in enumerate(some) for part in (b"f%d" % (start + at), item)]
            yield b"HSET", b"hash of " + name, *fields
            scored = [part for at, item in enumerate(some) for part in (SCORES[at % len(SCORES)], item)]
            yield b"ZADD", b"sorted " + name, *scored
    yield b"HSET", b"redisson", b"b5d64bd5-0b8a-4c0e-9a59-5f0a2ab7b1d9:42", b"1"
    yield b"PEXPIRE", b"redisson", b"3600000"
    yield b"SET", b"plain lock", b"owner", b"NX", b"PX", b"7200000"
    for kind in (b"list", b"set", b"hash", b"sorted"):
        yield b"PEXPIRE", kind + b" hundred", b"%d" % randomness.randrange(10**6, 10**12)
    # Nothing removes it before the dump: active expiry is off.
    yield b"SET", b"overdue", b"x", b"PX", b"1"


def foreign_commands():
    """What is passed over: a stream with a group and something pending."""
    yield b"XADD", b"stream", b"1-1", b"field", b"value"
    yield b"XADD", b"stream", b"2-1", b"field", b"value"
    yield b"XGROUP", b"CREATE", b"stream", b"group", b"0"
    yield b"XREADGROUP", b"GROUP", b"group", b"reader", b"COUNT", b"1", b"STREAMS", b"stream", b">"
    yield b"XADD", b"empty stream", b"1-1", b"field", b"value"
    yield b"XDEL", b"empty stream", b"1-1"
