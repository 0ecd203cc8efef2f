"""Plants faults in one server's replies; the comparison must find every one.

Both servers are expected to agree without a fault (run it with --mortise as the oracle itself);
each fault then changes what the second server seems to have answered.
"""

import io
import random

import coverage
import traffic
from duel import Duel, Finished

_COMMANDS = 40_000
_SCRIPTS = 1_500


def _command(op):
    return op.args[0].upper() if op.args else b""


def _on(*names, change):
    def fault(op, raw):
        return change(raw) if _command(op) in names and not op.queued else raw

    return fault


def _counting(fault, every):
    """The fault at each nth chance only: rare errors must be found too."""
    seen = [0]

    def rare(op, raw):
        changed = fault(op, raw)
        if changed == raw:
            return raw
        seen[0] += 1
        return changed if seen[0] % every == 0 else raw

    return rare


def _one_more(raw):
    return b":%d\r\n" % (int(raw[1:-2]) + 1) if raw.startswith(b":") else raw


def _an_hour_more(raw):
    return (
        b":%d\r\n" % (int(raw[1:-2]) + 3_600_000)
        if raw.startswith(b":") and raw[1:2] != b"-"
        else raw
    )


def _last_dropped(raw):
    head, _, rest = raw.partition(b"\r\n")
    if head[:1] not in (b"*", b"~") or not head[1:].isdigit() or head[1:] in (b"0", b"1"):
        return raw
    start = rest.rfind(b"\r\n$")
    return raw if start < 0 else b"%c%d\r\n" % (head[0], int(head[1:]) - 1) + rest[: start + 2]


def _other_field(raw):
    return b"$6\r\nnobody\r\n" if raw.startswith(b"$") and raw != b"$-1\r\n" else raw


def _no_error(raw):
    return b"+OK\r\n" if raw.startswith(b"-") else raw


def _lower_case_error(raw):
    return raw[:6] + raw[6:].swapcase() if raw.startswith(b"-") else raw


def _with_fraction(raw):
    if raw.startswith(b"$") and raw.count(b"\r\n") == 2:
        text = raw.split(b"\r\n")[1]
        if text.isdigit():
            return b"$%d\r\n%s.0\r\n" % (len(text) + 2, text)
    return raw


def _next_line(raw):
    return raw.replace(b"user_script:1", b"user_script:2") if raw.startswith(b"-") else raw


def _null_as_empty(raw):
    return raw.replace(b"$-1\r\n", b"$0\r\n\r\n") if raw.startswith(b"$-1") else raw


def _as_null(raw):
    return b"$-1\r\n" if raw.startswith(b"$") else raw


def _one_call_more(raw):
    return raw.replace(b"calls=1,", b"calls=2,", 1)


def _other_invalidation(op, raw):
    return raw[:-3] + b"?\r\n" if raw.startswith(b">2\r\n$10\r\ninvalidate\r\n*") else raw


def _lost_invalidation(op, raw):
    return None if raw.startswith(b">2\r\n$10\r\ninvalidate") else raw


def _lost_message(op, raw):
    return None if _command(op) == b"LITERAL" and b"message" in raw[:20] else raw


def _message_changed(op, raw):
    return (
        raw[:-3] + b"?\r\n"
        if _command(op) == b"LITERAL" and b"message" in raw[:20] and raw[-3:-2] != b"\n"
        else raw
    )


def _lost_reply(op, raw):
    return None if _command(op) == b"SETNX" else raw


def _exec_null(raw):
    return b"*-1\r\n" if raw.startswith(b"*") and len(raw) > 5 else raw


def _left_open(op, raw):
    return (
        raw + b"x" if _command(op) in (b"QUIT", b"LITERAL") and b"message" not in raw[:20] else raw
    )


FAULTS = {
    "INCR one too high": ("commands", _on(b"INCR", change=_one_more)),
    "rare: HLEN one too high": ("commands", _counting(_on(b"HLEN", change=_one_more), 20)),
    "PTTL an hour late": ("commands", _on(b"PTTL", change=_an_hour_more)),
    "KEYS loses one": ("commands", _on(b"KEYS", change=_last_dropped)),
    "RANDOMKEY invents a key": ("commands", _on(b"RANDOMKEY", change=_other_field)),
    "HRANDFIELD invents a field": ("commands", _on(b"HRANDFIELD", change=_other_field)),
    "HRANDFIELD gives too few": ("commands", _on(b"HRANDFIELD", change=_last_dropped)),
    "error in other words": ("commands", _on(b"HSET", change=_lower_case_error)),
    "wrong argument accepted": ("commands", _on(b"EXPIRE", b"PEXPIRE", change=_no_error)),
    "null becomes empty": ("commands", _on(b"HGET", change=_null_as_empty)),
    "EXEC aborts": ("commands", _counting(_on(b"EXEC", change=_exec_null), 5)),
    "LRANGE loses one": ("commands", _counting(_on(b"LRANGE", change=_last_dropped), 10)),
    "SMEMBERS loses one": ("commands", _counting(_on(b"SMEMBERS", change=_last_dropped), 10)),
    "SUNION loses one": ("commands", _on(b"SUNION", change=_last_dropped)),
    "SRANDMEMBER invents a member": ("commands", _on(b"SRANDMEMBER", change=_other_field)),
    "SPOP invents a member": ("commands", _on(b"SPOP", change=_other_field)),
    "ZRANDMEMBER gives too few": ("commands", _on(b"ZRANDMEMBER", change=_last_dropped)),
    "a score prints a fraction": (
        "commands",
        _on(b"ZSCORE", b"ZINCRBY", change=_with_fraction),
    ),
    "BLPOP serves another": ("commands", _counting(_on(b"BLPOP", change=_last_dropped), 3)),
    "DUMP finds nothing": ("commands", _on(b"DUMP", change=_as_null)),
    "FUNCTION LIST loses a library": ("commands", _on(b"FUNCTION", change=_last_dropped)),
    "statistics count one more": ("commands", _on(b"INFO", change=_one_call_more)),
    "invalidation of another key": ("commands", _counting(_other_invalidation, 5)),
    "invalidation lost": ("commands", _counting(_lost_invalidation, 10)),
    "message lost": ("commands", _counting(_lost_message, 10)),
    "message changed": ("commands", _counting(_message_changed, 10)),
    "reply lost": ("commands", _lost_reply),
    "bytes after the close": ("commands", _left_open),
    "script: whole float prints .0": ("scripts", _on(b"EVAL", change=_with_fraction)),
    "script: line number": ("scripts", _on(b"EVAL", change=_next_line)),
    "script: integer off by one": ("scripts", _counting(_on(b"EVAL", change=_one_more), 10)),
    "script: error lost": ("scripts", _counting(_on(b"EVAL", change=_no_error), 10)),
}


def _mismatches(ports, seed, mode, fault):
    duel = Duel(ports, coverage.Coverage(traffic.ROWS), io.StringIO(), 3, fault)
    try:
        duel.afresh()
        if mode == "commands":
            traffic.play_commands(duel, random.Random(seed), _COMMANDS)
        else:
            traffic.play_scripts(duel, random.Random(seed), _SCRIPTS)
    except Finished:
        pass
    for link in list(duel.links.values()):
        link.close()
    return duel.failed


def run(ports, seed, out):
    """Returns (passed, failed) over the faults, and over the runs without any."""
    passed = failed = 0
    cases = [("no fault in %s" % mode, mode, None) for mode in ("commands", "scripts")]
    cases += [(name, mode, fault) for name, (mode, fault) in FAULTS.items()]
    for name, mode, fault in cases:
        found = _mismatches(ports, seed, mode, fault)
        good = (found > 0) == (fault is not None)
        passed, failed = passed + good, failed + (not good)
        print("%s %s: %d mismatches" % ("ok    " if good else "FAILED", name, found), file=out)
    return passed, failed
