"""All keys of a server with values and leases, as one connection sees them."""

import collections
import time

import wire

Seen = collections.namedtuple("Seen", "value pttl token")
# `keys` {name: Seen} was true at some moment between `asked` and `answered` (monotonic seconds).
Look = collections.namedtuple("Look", "keys asked answered")

READERS = {
    b"string": lambda key: (b"GET", key),
    b"hash": lambda key: (b"HGETALL", key),
    b"list": lambda key: (b"LRANGE", key, b"0", b"-1"),
}


def ask_all(connection, requests):
    connection.send(b"".join(wire.encode(request) for request in requests))
    return [wire.parse(connection.read()) for _ in requests]


def value_of(kind, reply):
    if kind == b"hash":
        items = [text for _, text in reply[1]]
        return frozenset(zip(items[::2], items[1::2]))
    if kind == b"list":
        return tuple(text for _, text in reply[1])
    return reply[1]


def look_at(connection):
    """A key that ends meanwhile is not there."""
    names = [text for _, text in ask_all(connection, [(b"KEYS", b"*")])[0][1]]
    kinds = [kind for _, kind in ask_all(connection, [(b"TYPE", name) for name in names])]
    there = [(name, kind) for name, kind in zip(names, kinds) if kind != b"none"]
    requests = []
    for name, kind in there:
        requests += [READERS[kind](name), (b"PTTL", name), (b"FENCE.TOKEN", name)]
    asked = time.monotonic()
    replies = ask_all(connection, requests)
    answered = time.monotonic()
    seen = {}
    for index, (name, kind) in enumerate(there):
        value, pttl, token = replies[3 * index : 3 * index + 3]
        if token[1] is None or pttl[1] == -2:
            continue
        seen[name] = Seen(value_of(kind, value), pttl[1], token[1])
    return Look(seen, asked, answered)
