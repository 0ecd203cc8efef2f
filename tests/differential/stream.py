"""Random streams: draws operations from the generators, sometimes with broken arguments."""

import commands.blocking
import commands.connection
import commands.functions
import commands.hashes
import commands.keyspace
import commands.lists
import commands.scripting
import commands.serialized
import commands.server
import commands.sets
import commands.sorting
import commands.strings
import commands.watching
import commands.zset_ranges
import commands.zsets
import values
from commands.registry import GENERATORS
from operation import Op

_FUNCTIONS = [function for _, function in GENERATORS]
_CUMULATIVE = []
for _weight, _ in GENERATORS:
    _CUMULATIVE.append(_weight + (_CUMULATIVE[-1] if _CUMULATIVE else 0))

# Generators whose operations may stand in a transaction: one reply each, nothing else changes.
_DATA_MODULES = frozenset(
    "commands." + name
    for name in "strings hashes lists sets zsets zset_ranges blocking sorting serialized keyspace scripting".split()
)


def batch(r, count):
    """About count operations for one connection."""
    ops = []
    while len(ops) < count:
        function = r.choices(_FUNCTIONS, cum_weights=_CUMULATIVE)[0]
        ops += drawn(r, function)
    return ops


def data_batch(r, count):
    """As batch, only commands on data."""
    ops = []
    while len(ops) < count:
        function = r.choices(_FUNCTIONS, cum_weights=_CUMULATIVE)[0]
        if function.__module__ in _DATA_MODULES:
            ops += drawn(r, function)
    return ops


def drawn(r, function):
    made = function(r)
    if made is None:
        return []
    ops = made if isinstance(made, list) else [made]
    if function.spoilable and r.random() < 0.07:
        ops[-1] = _spoiled(r, ops[-1])
    return ops


def _spoiled(r, op):
    args = list(op.args)
    pick = r.random()
    if pick < 0.3 and len(args) > 1:
        args.pop()
    elif pick < 0.5:
        args.append(r.choice((b"x", b"NX", b"5", b"")))
    elif len(args) > 2:
        args[r.randrange(2, len(args))] = r.choice(values.BAD_NUMBERS)
    return Op(*args, norm=op.norm)
