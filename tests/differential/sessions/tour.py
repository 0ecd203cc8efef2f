"""Every command that is rare or destructive in the plain stream, once each, in random order."""

import random

from normalisations import (
    clock,
    command_info,
    config_pairs,
    hello,
    info_keyspace,
    near_seconds,
    password,
    some_integer,
    client_lines,
    unordered,
)
from operation import Op

from .registry import any_link, session


def _op(text, norm=None, row=None):
    words = text.split()
    return Op(*(word.encode() for word in words), rows=(row or text,), norm=norm)


_ASKING = (
    _op("COMMAND", unordered),
    _op("COMMAND COUNT", row="COMMAND/COUNT"),
    _op("COMMAND LIST", unordered, "COMMAND/LIST"),
    _op("COMMAND LIST FILTERBY PATTERN h*", unordered, "COMMAND/LIST FILTERBY PATTERN"),
    _op("COMMAND LIST FILTERBY ACLCAT hash", unordered, "COMMAND/LIST FILTERBY ACLCAT"),
    _op("COMMAND LIST FILTERBY MODULE none", unordered, "COMMAND/LIST FILTERBY MODULE"),
    _op("COMMAND INFO get set", command_info, "COMMAND/INFO"),
    _op("COMMAND INFO", command_info, "COMMAND/INFO all"),
    _op("COMMAND DOCS get", row="COMMAND/DOCS"),
    _op("COMMAND HELP", row="COMMAND/HELP"),
    _op("CLIENT HELP", row="CLIENT/HELP"),
    _op("CONFIG HELP", row="CONFIG/HELP"),
    _op("SCRIPT HELP", row="SCRIPT/HELP"),
    _op("PUBSUB HELP", row="PUBSUB/HELP"),
    _op("OBJECT HELP", row="OBJECT/HELP"),
    _op("MEMORY HELP", row="MEMORY/HELP"),
    _op("DEBUG HELP", row="DEBUG/HELP"),
    _op("ACL HELP", row="ACL/HELP"),
    _op("ACL GENPASS", password, "ACL/GENPASS"),
    _op("ACL GENPASS 17", password, "ACL/GENPASS bits"),
    _op("CONFIG GET timeout", config_pairs, "CONFIG/GET"),
    _op("CONFIG GET no*such tcp-k*", config_pairs, "CONFIG/GET globs"),
    _op("CONFIG SET timeout 0", row="CONFIG/SET"),
    _op("CONFIG SET timeout 0 tcp-keepalive 300", row="CONFIG/SET several"),
    _op("CONFIG RESETSTAT", row="CONFIG/RESETSTAT"),
    _op("INFO"),
    _op("INFO keyspace", info_keyspace, "INFO/section"),
    _op("INFO keyspace nosuch", info_keyspace, "INFO/several"),
    _op("TIME", clock),
    _op("LASTSAVE", near_seconds),
    _op("ROLE"),
    _op("WAIT 0 0", row="WAIT"),
    _op("HELLO", hello),
    _op("CLIENT ID", some_integer, "CLIENT/ID"),
    _op("CLIENT INFO", client_lines, "CLIENT/INFO"),
    _op("CLIENT LIST TYPE normal", client_lines, "CLIENT/LIST TYPE"),
    _op("CLIENT UNBLOCK 9999999", row="CLIENT/UNBLOCK"),
    _op("CLIENT UNBLOCK 9999999 TIMEOUT", row="CLIENT/UNBLOCK TIMEOUT"),
    _op("CLIENT UNBLOCK 9999999 ERROR", row="CLIENT/UNBLOCK ERROR"),
    _op("CLIENT PAUSE 0", row="CLIENT/PAUSE"),
    _op("CLIENT PAUSE 0 WRITE", row="CLIENT/PAUSE WRITE"),
    _op("CLIENT PAUSE 0 ALL", row="CLIENT/PAUSE ALL"),
    _op("CLIENT UNPAUSE", row="CLIENT/UNPAUSE"),
    _op("PUBSUB CHANNELS", unordered, "PUBSUB/CHANNELS"),
    _op("PUBSUB NUMPAT", row="PUBSUB/NUMPAT"),
    _op("PUBSUB SHARDCHANNELS", unordered, "PUBSUB/SHARDCHANNELS"),
)
_DESTROYING = (
    _op("FLUSHDB"),
    _op("FLUSHDB ASYNC", row="FLUSHDB/ASYNC"),
    _op("FLUSHDB SYNC", row="FLUSHDB/SYNC"),
    _op("FLUSHALL"),
    _op("FLUSHALL ASYNC", row="FLUSHALL/ASYNC"),
    _op("FLUSHALL SYNC", row="FLUSHALL/SYNC"),
    _op("SCRIPT FLUSH", row="SCRIPT/FLUSH"),
    _op("SCRIPT FLUSH ASYNC", row="SCRIPT/FLUSH ASYNC"),
    _op("SCRIPT FLUSH SYNC", row="SCRIPT/FLUSH SYNC"),
    _op("SWAPDB 0 1", row="SWAPDB"),
)


@session(8, *(row for op in _ASKING + _DESTROYING for row in op.rows))
def tour(duel, r):
    ops = []
    for op in random.Random(r.random()).sample(_ASKING, len(_ASKING)):
        ops.append(op)
        if r.random() < 0.1:
            ops.append(Op(b"GET", b"s1", rows=("GET",)))
    any_link(duel, r).run(ops)
    ops = []
    for op in r.sample(_DESTROYING, len(_DESTROYING)):
        ops += [
            Op(b"SET", b"s1", b"x", rows=("SET",)),
            Op(b"EVAL", b"return 1", b"0"),
            op,
            Op(b"DBSIZE", rows=("DBSIZE",)),
            Op(
                b"SCRIPT",
                b"EXISTS",
                b"e0e1f9fabfc9d4800c877a703b823ac0578ff8db",
                rows=("SCRIPT/EXISTS",),
            ),
        ]
    any_link(duel, r).run(ops)
