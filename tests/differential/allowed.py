"""The allowed differences from redis-server 7.0.15: each one a predicate and its explanation.

Each predicate takes (op, redis, mortise) with parsed replies (type, payload) and names the
heading of docs/compatibility.md that explains the difference. `missing_headings` finds those
that are not there; the run fails then. Tolerances of time, order and chance are in
normalisations.py instead.
"""

import itertools
import os
import re

PREDICATES = []


def _explained_by(heading):
    def register(function):
        function.heading = heading
        function.used = 0
        PREDICATES.append(function)
        return function

    return register


def _name(op, count=1):
    return [arg.upper() for arg in op.args[:count]]


def _both(kinds, a, b):
    return a[0] == b[0] and a[0] in kinds


@_explained_by("INFO has fields of its own")
def info_fields(op, a, b):
    if _COUNTED.issuperset(arg.lower() for arg in op.args[1:]) and len(op.args) > 1:
        return False
    return _name(op) == [b"INFO"] and _both("$=", a, b) and bool(a[1]) == bool(b[1])


_COUNTED = frozenset((b"commandstats", b"errorstats", b"latencystats"))  # compared, not allowed


@_explained_by("MEMORY USAGE reports the server's own bytes")
def memory_usage(op, a, b):
    return _name(op, 2) == [b"MEMORY", b"USAGE"] and _both(":", a, b) and b[1] > 0


@_explained_by("MEMORY USAGE reports the server's own bytes")
def memory_stats(op, a, b):
    """Those of Redis' fields that mean something here, and some of its own."""
    if _name(op, 2) != [b"MEMORY", b"STATS"] or not _both("*%", a, b):
        return False
    theirs, ours = ({name[1] for name in side[1][::2]} for side in (a, b))
    return len(ours & theirs) >= 5


@_explained_by("Replication, Sentinel and cluster mode")
def no_failover(op, a, b):
    return _name(op) == [b"FAILOVER"] and _both("-", a, b) and b[1].startswith(a[1])


@_explained_by("HELP texts are the server's own")
def help_texts(op, a, b):
    return (
        len(op.args) == 2
        and _name(op, 2)[1] == b"HELP"
        and _both("*", a, b)
        and all(line[0] == "+" for line in b[1])
    )


@_explained_by("COMMAND shows the commands there are")
def command_table(op, a, b):
    if _name(op) != [b"COMMAND"] or len(op.args) > 5:
        return False
    sub = op.args[1].upper() if len(op.args) > 1 else b""
    if sub == b"INFO" and len(op.args) == 2:
        sub = b""
    if sub == b"COUNT":
        return _both(":", a, b) and b[1] > 100
    if sub == b"DOCS":
        return _both("*%", a, b) and _documented(a) == _documented(b)
    if sub == b"LIST":
        return _both("*~", a, b) and len(b[1]) <= len(a[1])
    if sub == b"INFO":
        return _both("*", a, b) and len(a[1]) == len(b[1]) and all(map(_same_row, a[1], b[1]))
    return sub == b"" and _both("*", a, b) and len(b[1]) > 50


def _same_row(theirs, ours):
    """A row of COMMAND INFO but for tips, notes of key specs, and subcommands that are not here."""
    if theirs[0] != "*" or ours[0] != "*":
        return theirs == ours
    if len(theirs[1]) != 10 or len(ours[1]) != 10 or theirs[1][9][0] != ours[1][9][0]:
        return False
    name, *head, _tips, key_specs, subcommands = theirs[1]
    our_name, *our_head, _our_tips, our_key_specs, our_subcommands = ours[1]
    of_theirs = {row[1][0][1]: row for row in subcommands[1]}
    return (
        name == our_name
        and head == our_head
        and _without_notes(key_specs) == our_key_specs
        and all(
            row[1][0][1] in of_theirs and _same_row(of_theirs[row[1][0][1]], row)
            for row in our_subcommands[1]
            if row[1][0][1] not in _NEWER_SUBCOMMANDS
        )
    )


_NEWER_SUBCOMMANDS = frozenset((b"client|setinfo", b"client|no-touch"))


def _without_notes(key_specs):
    kind, specs = key_specs
    kept = []
    for spec_kind, fields in specs:
        pairs = list(zip(fields[::2], fields[1::2]))
        kept.append((spec_kind, [x for pair in pairs if pair[0][1] != b"notes" for x in pair]))
    return (kind, kept)


def _documented(reply):
    return sorted(name[1] for name in reply[1][::2])


@_explained_by("CONFIG GET shows the parameters there are")
def config_parameters(op, a, b):
    if _name(op, 2) != [b"CONFIG", b"GET"] or not _both("*%", a, b):
        return False
    if not any(c in arg for arg in op.args[2:] for c in b"*?["):
        return False
    theirs, ours = (dict(zip(x[1][::2], x[1][1::2])) for x in (a, b))
    return all(
        ours[name] == theirs[name] or name[1] in _OF_THIS_PROCESS
        for name in ours.keys() & theirs.keys()
    )


_OF_THIS_PROCESS = frozenset((b"port", b"dir", b"pidfile", b"logfile", b"hz"))


@_explained_by("HELLO names the server")
def hello_server(op, a, b):
    if _name(op) != [b"HELLO"] or not _both("*%", a, b):
        return False
    return [f[1] for f in a[1][::2]] == [f[1] for f in b[1][::2]]


@_explained_by("CLIENT LIST has fields of its own")
def client_fields(op, a, b):
    if _name(op, 2) not in ([b"CLIENT", b"LIST"], [b"CLIENT", b"INFO"]) or not _both("$=", a, b):
        return False
    return _shared_fields(a[1]) == _shared_fields(b[1])


_COMPARED = tuple(b"name flags db sub psub ssub multi cmd user redir resp".split())


def _shared_fields(text):
    clients = []
    for line in text.removeprefix(b"txt:").split(b"\n"):
        fields = dict(word.partition(b"=")[::2] for word in line.split(b" "))
        number = int(fields.get(b"id", b"0"))
        if fields.get(b"redir", b"-1").isdigit():
            fields[b"redir"] = b"an id"
        clients.append((number, [fields.get(name) for name in _COMPARED]))
    return [fields for _, fields in sorted(clients)]


@_explained_by("Client tracking")
def null_of_a_flush(op, a, b):
    """In the version of the client that is told, not of the one that tracks."""
    if _name(op) != [b"LITERAL"] or a[0] != b[0] or len(a[1]) != len(b[1]):
        return False
    return a[1][:-1] == b[1][:-1] and a[1][-1][1] in (None, b"") and b[1][-1][1] in (None, b"")


def in_one_order(items):
    """Invalidations that come one after the other: those of one command in any order.

    This too is explained by "Client tracking".
    """
    out = []
    for told, group in itertools.groupby(items, _is_invalidation):
        out += sorted(group) if told else group
    return out


def _is_invalidation(raw):
    return b"invalidate\r\n" in raw[:60] and raw[:1] in b"*>"


@_explained_by("OBJECT REFCOUNT knows no copies")
def shared_integers(op, a, b):
    return _name(op, 2) == [b"OBJECT", b"REFCOUNT"] and {a[1], b[1]} == {1, 2**31 - 1}


@_explained_by("string.dump makes no bytecode")
def no_bytecode(op, a, b):
    return _name(op)[0].startswith(b"EVAL") and "unable to dump given function" in repr(b)


@_explained_by("Orders that Lua leaves open")
def order_of_tables(op, a, b):
    """Maps and sets that went through a Lua table: the same pairs, or items, in another order."""
    if not _name(op)[0].startswith(b"EVAL") or b"setresp" not in op.args[1]:
        return False
    return _both("*%~", a, b) and _in_one_order(a) == _in_one_order(b)


def _in_one_order(reply):
    kind, payload = reply
    if kind not in "*%~":
        return repr(reply)
    items = [_in_one_order(item) for item in payload]
    by_pairs = len(items) % 2 == 0 and kind != "~"
    return repr((kind, sorted(zip(items[::2], items[1::2])) if by_pairs else sorted(items)))


@_explained_by("Small print of scripts")
def zero_without_sign(op, a, b):
    if not _name(op)[0].startswith(b"EVAL"):
        return False
    left, right = repr(_unsigned_zeros(a)), repr(_unsigned_zeros(b))
    # What was divided by a zero is infinite with its sign, and compares by it.
    if "inf" in left and "inf" in right:
        left, right = left.replace("b'true'", "b'false'"), right.replace("b'true'", "b'false'")
    return left == right


def _unsigned_zeros(reply):
    kind, payload = reply
    if isinstance(payload, list):
        return (kind, [_unsigned_zeros(item) for item in payload])
    if isinstance(payload, bytes):
        return (kind, re.sub(rb"-(0(?![0-9.])|inf)", rb"\1", payload))
    return reply


def explanation(op, a, b):
    """The first predicate that allows this difference, or None."""
    for predicate in PREDICATES:
        if predicate(op, a, b):
            predicate.used += 1
            return predicate
    return None


def missing_headings():
    """Headings named here that docs/compatibility.md does not have as a line."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    try:
        with open(os.path.join(root, "docs", "compatibility.md"), encoding="utf-8") as text:
            headings = {line.lstrip("#").strip() for line in text if line.startswith("#")}
    except FileNotFoundError:
        headings = set()
    return [p.heading for p in PREDICATES if p.heading not in headings]
