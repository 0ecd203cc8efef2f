"""Comparisons that are not byte for byte because time, chance or process numbers are in the reply.

None of these is a deviation of Mortise. Each takes (op, redis, mortise, before) with parsed
replies, `before` being the pair of replies of the command sent just before, and says whether
the two replies mean the same. REASONS is printed by --list-normalisations.
"""

import itertools
import re

from wire import is_pattern_message, parse

REASONS = {}
_TIME_TOLERANCE_MS = 8000


def _normalisation(reason):
    def register(function):
        REASONS[function.__name__] = reason
        return function

    return register


def _close(a, b, tolerance):
    if a[0] != ":" or b[0] != ":":
        return a == b
    if a[1] < 0 or b[1] < 0:
        return a == b
    return abs(a[1] - b[1]) <= tolerance


@_normalisation("both servers run side by side: remaining or absolute seconds differ slightly")
def near_seconds(op, a, b, before):
    return _close(a, b, _TIME_TOLERANCE_MS // 1000)


@_normalisation("both servers run side by side: remaining or absolute ms differ slightly")
def near_milliseconds(op, a, b, before):
    return _close(a, b, _TIME_TOLERANCE_MS)


@_normalisation("seconds since the last access depend on the moment of the question")
def idle_seconds(op, a, b, before):
    return _close(a, b, 1800)


@_normalisation("TIME is the wall clock: seconds alike, microseconds below one million")
def clock(op, a, b, before):
    if a[0] != "*" or b[0] != "*" or len(a[1]) != 2 or len(b[1]) != 2:
        return a == b
    seconds = [int(side[1][0][1]) for side in (a, b)]
    return abs(seconds[0] - seconds[1]) <= 8 and int(b[1][1][1]) < 1_000_000


@_normalisation("keys of a hash table come in no defined order")
def unordered(op, a, b, before):
    return a[0] == b[0] and isinstance(a[1], list) and sorted_items(a) == sorted_items(b)


@_normalisation("field-value pairs of a hash table come in no defined order")
def unordered_pairs(op, a, b, before):
    if a[0] != b[0] or not isinstance(a[1], list) or not isinstance(b[1], list):
        return False
    return _pairs(a[1]) == _pairs(b[1]) and len(a[1]) == len(b[1])


@_normalisation("a scan that reaches the end in one call: cursor 0, elements in no defined order")
def whole_scan(op, a, b, before):
    return (
        _scan_shape(a)
        and _scan_shape(b)
        and a[1][0] == b[1][0]
        and (sorted_items(a[1][1]) == sorted_items(b[1][1]))
    )


@_normalisation("as whole_scan, for HSCAN: field-value pairs")
def whole_hash_scan(op, a, b, before):
    return (
        _scan_shape(a)
        and _scan_shape(b)
        and a[1][0] == b[1][0]
        and (_pairs(a[1][1][1]) == _pairs(b[1][1][1]))
    )


@_normalisation(
    "cursors and the number of elements per call are the server's own; loops are compared whole"
)
def scan_step(op, a, b, before):
    return _scan_shape(a) and _scan_shape(b)


@_normalisation("RANDOMKEY is random: each side's key must be in its own KEYS * just before")
def random_key(op, a, b, before):
    return all(
        side[0] == "$" and keys[0] == "*" and side in keys[1] for side, keys in zip((a, b), before)
    )


@_normalisation(
    "HRANDFIELD is random: fields must be in the side's own HGETALL just before, "
    "as many and as distinct as the count says"
)
def random_fields(op, a, b, before):
    return all(_drawn_from(op, side, _flat_pairs(whole)) for side, whole in zip((a, b), before))


@_normalisation(
    "SPOP, SRANDMEMBER and ZRANDMEMBER are random: members must be among those read just before, "
    "as many and as distinct as the count says"
)
def random_members(op, a, b, before):
    if a[0] != b[0]:
        return False
    scored = op.args[0].upper() == b"ZRANDMEMBER"
    wholes = [_flat_pairs(side) if scored else _members_alone(side) for side in before]
    return all(_drawn_from(op, side, whole) for side, whole in zip((a, b), wholes))


def _flat_pairs(reply):
    """Fields with values, or members with scores, however the protocol version nests them."""
    if not isinstance(reply[1], list):
        return {}
    items = reply[1]
    if items and items[0][0] == "*":
        items = [part for pair in items for part in pair[1]]
    return dict(zip((f[1] for f in items[::2]), items[1::2]))


def _members_alone(reply):
    return {item[1]: None for item in reply[1]} if isinstance(reply[1], list) else {}


@_normalisation("how much was slow depends on the machine")
def some_list(op, a, b, before):
    return a[0] == b[0] == "*" and isinstance(b[1], list)


@_normalisation("passwords are random: as many hexadecimal digits")
def password(op, a, b, before):
    return len(a[1]) == len(b[1]) and all(re.fullmatch(rb"[0-9a-f]+", side[1]) for side in (a, b))


@_normalisation("payloads of DUMP are each server's own: both there or both missing")
def payload(op, a, b, before):
    return a[0] == b[0] == "$" and bool(a[1]) == bool(b[1])


@_normalisation("texts for people, about this process")
def free_text(op, a, b, before):
    return a[0] == b[0] and a[0] in "$=" and bool(a[1]) and bool(b[1])


@_normalisation("libraries and their functions come in no defined order, flags neither")
def deep_unordered(op, a, b, before):
    return _deep_sorted(a) == _deep_sorted(b)


@_normalisation("of several functions that exist already, any is named")
def existing_function(op, a, b, before):
    return all(re.fullmatch(rb"ERR Function \w+ already exists", side[1] or b"") for side in (a, b))


@_normalisation("amounts of memory: the same fields")
def memory_fields(op, a, b, before):
    return a[0] == b[0] and a[0] in "*%" and a[1][::2] == b[1][::2]


def _deep_sorted(reply):
    kind, content = reply
    if not isinstance(content, list):
        return repr(reply)
    items = [_deep_sorted(item) for item in content]
    if kind == "%" or (content and content[0][1] in (b"name", b"library_name")):
        return repr((kind, sorted(zip(items[::2], items[1::2]))))
    return repr((kind, sorted(items)))


@_normalisation("process-wide numbers: both are non-negative integers")
def some_integer(op, a, b, before):
    return a[0] == ":" and b[0] == ":" and a[1] >= 0 and b[1] >= 0


@_normalisation("HELLO: the connection's id is the server's own count")
def hello(op, a, b, before):
    if a[0] != b[0] or not isinstance(a[1], list) or len(a[1]) != len(b[1]):
        return False
    return all(
        x == y or (i % 2 == 1 and a[1][i - 1][1] == b"id" and x[0] == y[0] == ":")
        for i, (x, y) in enumerate(zip(a[1], b[1]))
    )


_CLIENT_OWN = frozenset(
    (
        b"id",
        b"addr",
        b"laddr",
        b"fd",
        b"age",
        b"idle",
        b"qbuf",
        b"qbuf-free",
        b"argv-mem",
        b"multi-mem",
        b"rbs",
        b"rbp",
        b"obl",
        b"oll",
        b"omem",
        b"tot-mem",
        b"events",
    )
)


@_normalisation(
    "CLIENT LIST and INFO: ids, addresses, ages, buffer sizes are the process' own; "
    "the names of the fields and all other values are compared"
)
def client_lines(op, a, b, before):
    if a[0] != b[0] or a[1] is None or b[1] is None:
        return a == b
    return _client_table(a[1]) == _client_table(b[1])


@_normalisation("CONFIG GET answers in hash table order")
def config_pairs(op, a, b, before):
    return unordered_pairs(op, a, b, before)


@_normalisation("INFO keyspace: avg_ttl is sampled; keys and expires are compared")
def info_keyspace(op, a, b, before):
    if a[0] != b[0] or a[1] is None or b[1] is None:
        return False
    return re.sub(rb"avg_ttl=\d+", b"", a[1]) == re.sub(rb"avg_ttl=\d+", b"", b[1])


@_normalisation("COMMAND INFO: subcommands come in hash table order")
def command_info(op, a, b, before):
    return (
        a[0] == b[0] and isinstance(a[1], list) and _subcommands_sorted(a) == _subcommands_sorted(b)
    )


def _subcommands_sorted(reply):
    out = [
        (
            (entry[0], entry[1][:9] + [sorted_items(entry[1][9])])
            if isinstance(entry[1], list) and len(entry[1]) == 10
            else entry
        )
        for entry in reply[1]
    ]
    return sorted(out, key=repr) if len(out) > 20 else out


def patterns_sorted(items):
    """A message that matches several patterns comes once for each, in no defined order.

    The client that is gone in the message about a broken redirection is a process' own number.
    """
    items = [
        re.sub(rb"^(>2..\$21..tracking-redir-broken..:)\d+", rb"\1?", i, flags=re.S) for i in items
    ]
    if sum(map(is_pattern_message, items)) < 2:
        return items
    out = []
    for tail, group in itertools.groupby(items, _channel_and_payload):
        out += sorted(group) if tail else group
    return out


def _channel_and_payload(raw):
    return repr(parse(raw)[1][2:]) if is_pattern_message(raw) else b""


def sorted_items(value):
    return sorted(value[1], key=repr)


def _pairs(items):
    return sorted(zip(items[::2], items[1::2]), key=repr)


def _scan_shape(reply):
    return (
        reply[0] == "*"
        and isinstance(reply[1], list)
        and len(reply[1]) == 2
        and reply[1][0][0] == "$"
        and reply[1][1][0] == "*"
    )


def _drawn_from(op, side, whole):
    """Whether a reply is a draw from `whole`, by the count in the operation's third argument."""
    if len(op.args) == 2:
        return side[0] == "$" and side[1] in whole
    if side[0] not in "*~" or side[1] is None:
        return False
    with_values = len(op.args) == 4
    drawn = side[1]
    if with_values and drawn and drawn[0][0] == "*":
        if any(len(pair[1]) != 2 for pair in drawn):
            return False
        drawn = [part for pair in drawn for part in pair[1]]
    names = [f[1] for f in (drawn[::2] if with_values else drawn)]
    if any(name not in whole for name in names):
        return False
    if with_values and any(whole[f[1]] != v for f, v in zip(drawn[::2], drawn[1::2])):
        return False
    count = int(op.args[2])
    if count < 0:
        return len(names) == -count
    return len(names) == min(count, len(whole)) and len(set(names)) == len(names)


def _client_id(line):
    match = re.match(rb"id=(\d+)", line)
    return int(match.group(1)) if match else 1 << 62


def _client_table(text):
    lines = []
    if text.startswith(b"txt:"):
        text = text[4:]
    for line in sorted(text.split(b"\n"), key=_client_id):
        lines.append(
            [
                (name, None if name in _CLIENT_OWN else value)
                for name, _, value in (word.partition(b"=") for word in line.split(b" "))
            ]
        )
    return lines
