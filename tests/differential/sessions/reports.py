"""Reports about what was done: slow log, statistics of commands and errors, MONITOR."""

import re

import stream
import values as v
from normalisations import free_text, near_seconds, some_integer
from operation import Op

from .registry import any_link, session

_SOME = (
    (b"GET", b"s0"),
    (b"SET", b"s0", b"v"),
    (b"LPUSH", b"l0", b"a"),
    (b"HGET", b"h0", b"f"),
    (b"INCR", b"l0"),
    (b"GET",),
    (b"NOSUCH", b"a"),
    (b"CONFIG", b"GET", b"timeout"),
    (b"CLIENT", b"GETNAME"),
    (b"CLIENT", b"NOSUCH"),
    (b"EVAL", b"return redis.call('get', KEYS[1])", b"1", b"s0"),
    (b"EVAL", b"return redis.call('incr', KEYS[1])", b"1", b"l0"),
    (b"EVAL", b"return redis.pcall('incr', KEYS[1])", b"1", b"l0"),
    (b"EVAL", b"return redis.error_reply('MY own')", b"0"),
    (b"EVALSHA", b"0" * 40, b"0"),
    (b"ZADD", b"z0", b"1", b"m"),
    (b"OBJECT", b"ENCODING", b"s0"),
    (b"AUTH", b"nobody", b"x"),
    (b"PING",),
)


def _some(r, count):
    return [Op(*r.choice(_SOME)) for _ in range(count)]


@session(4, "SLOWLOG/GET entries", "SLOWLOG/LEN entries", "CONFIG/SET slowlog")
def slow_log(duel, r):
    """With a threshold of zero everything is slow."""
    link = any_link(duel, r)
    limit = r.choice((b"128", b"3"))
    link.run(
        [
            Op(b"SELECT", b"0"),
            Op(b"CONFIG", b"SET", b"slowlog-max-len", limit, rows=("CONFIG/SET slowlog",)),
            Op(b"SLOWLOG", b"RESET"),
            Op(b"CONFIG", b"SET", b"slowlog-log-slower-than", b"0"),
        ],
    )
    more = [
        Op(b"MSET", *(b"s%d" % (i % 16) for i in range(r.choice((2, 30, 32, 34, 60))))),
        Op(b"SET", b"s0", b"x" * r.choice((10, 128, 129, 500))),
        Op(b"CLIENT", b"SETNAME", b"slow"),
    ]
    link.run(_some(r, r.randint(1, 6)) + [r.choice(more)], sentinel=False)
    count = r.choice(((), (b"2",), (b"-1",), (b"100",)))
    link.run(
        [
            Op(b"SLOWLOG", b"LEN", rows=("SLOWLOG/LEN entries",)),
            Op(b"SLOWLOG", b"GET", *count, rows=("SLOWLOG/GET entries",), norm=_entries),
            Op(b"CONFIG", b"SET", b"slowlog-log-slower-than", b"10000"),
            Op(b"CONFIG", b"SET", b"slowlog-max-len", b"128"),
            Op(b"SLOWLOG", b"RESET"),
            Op(b"CLIENT", b"SETNAME", b""),
        ]
    )


def _entries(op, a, b, before):
    """Ids, moments, durations and ports are the process' own; ids count down by one."""
    if a[0] != b[0] or len(a[1]) != len(b[1]):
        return False
    for i, (x, y) in enumerate(zip(a[1], b[1])):
        if len(x[1]) != 6 or len(y[1]) != 6 or not near_seconds(op, x[1][1], y[1][1], None):
            return False
        hosts = [side[1][4][1].rpartition(b":")[0] for side in (x, y)]
        if x[1][3] != y[1][3] or x[1][5] != y[1][5] or hosts[0] != hosts[1]:
            return False
        if i and b[1][i - 1][1][0][1] - y[1][0][1] != a[1][i - 1][1][0][1] - x[1][0][1]:
            return False
    return True


@session(5, "INFO/commandstats", "INFO/errorstats", "LATENCY/HISTOGRAM", "INFO/latencystats")
def statistics(duel, r):
    link = any_link(duel, r)
    ops = _some(r, r.randint(2, 12))
    if r.random() < 0.3:
        inner = [op for op in _some(r, 3) if op.args != (b"NOSUCH", b"a") and len(op.args) > 1]
        for op in inner:
            op.queued = True
        ops += [Op(b"MULTI"), *inner, Op(b"EXEC") if r.random() < 0.8 else Op(b"DISCARD")]
    link.run([Op(b"SELECT", b"0"), Op(b"SET", b"s0", b"1"), Op(b"CONFIG", b"RESETSTAT")] + ops)
    link.run(
        [
            Op(b"INFO", b"commandstats", rows=("INFO/commandstats",), norm=_command_counts),
            Op(b"INFO", b"errorstats", rows=("INFO/errorstats",)),
            Op(b"LATENCY", b"HISTOGRAM", rows=("LATENCY/HISTOGRAM",), norm=_histograms),
            Op(
                b"LATENCY",
                b"HISTOGRAM",
                b"get",
                b"set",
                b"zadd",
                rows=("LATENCY/HISTOGRAM",),
                norm=_histograms,
            ),
            Op(b"LATENCY", b"HISTOGRAM", b"config", rows=("LATENCY/HISTOGRAM",), norm=_histograms),
            Op(b"INFO", b"latencystats", rows=("INFO/latencystats",), norm=_percentiles),
        ]
    )


def _command_counts(op, a, b, before):
    """Microseconds differ; every command and its counts do not. Lines come in no order."""
    return a[0] == b[0] and _counts(a[1]) == _counts(b[1])


def _counts(text):
    lines = text.removeprefix(b"txt:").replace(b"\r", b"").split(b"\n")
    return sorted(re.sub(rb"usec(_per_call)?=[0-9.]+,", b"", line) for line in lines)


def _percentiles(op, a, b, before):
    names = [
        sorted(line.partition(b":")[0] for line in side[1].replace(b"\r", b"").split(b"\n"))
        for side in (a, b)
    ]
    return a[0] == b[0] and names[0] == names[1]


def _histograms(op, a, b, before):
    """How many calls of what; the buckets are time."""
    if a[0] != b[0]:
        return False
    tables = []
    for side in (a, b):
        table = dict(zip((name[1] for name in side[1][::2]), side[1][1::2]))
        if any(
            len(entry[1]) != 4 or entry[1][2][1] != b"histogram_usec" for entry in table.values()
        ):
            return False
        tables.append({name: entry[1][:2] for name, entry in table.items()})
    return tables[0] == tables[1]


_FIGURES = (
    b"keyspace_hits keyspace_misses total_commands_processed total_error_replies expired_keys "
    b"pubsub_channels pubsub_patterns pubsubshard_channels tracking_clients blocked_clients "
    b"clients_in_timeout_table connected_clients evicted_keys rejected_connections"
).split()


@session(3, "INFO/stats figures", "INFO/clients figures")
def figures(duel, r):
    link = any_link(duel, r)
    link.run([Op(b"SELECT", b"0"), Op(b"CONFIG", b"RESETSTAT")])
    ops = [op for op in stream.data_batch(r, r.randint(5, 30)) if b"RESETSTAT" not in op.args]
    asked = [
        Op(b"INFO", section, rows=("INFO/%s figures" % section.decode(),), norm=_same_figures)
        for section in (b"stats", b"clients")
    ]
    link.run(ops + asked)


def _same_figures(op, a, b, before):
    tables = []
    for side in (a, b):
        lines = side[1].removeprefix(b"txt:").replace(b"\r", b"").split(b"\n")
        table = dict(line.partition(b":")[::2] for line in lines)
        tables.append([table.get(name) for name in _FIGURES])
    return a[0] == b[0] and tables[0] == tables[1]


@session(0.5, "LATENCY/LATEST events", "LATENCY/HISTORY samples", "LATENCY/RESET of one")
def latency_events(duel, r):
    link = any_link(duel, r)
    link.run(
        [
            Op(b"CONFIG", b"SET", b"latency-monitor-threshold", b"4"),
            Op(b"LATENCY", b"RESET"),
            Op(b"DEBUG", b"SLEEP", b"0.006", rows=("DEBUG/SLEEP",)),
            Op(b"LATENCY", b"LATEST", rows=("LATENCY/LATEST events",), norm=_same_events),
            Op(
                b"LATENCY", b"HISTORY", b"command", rows=("LATENCY/HISTORY samples",), norm=_samples
            ),
            Op(b"LATENCY", b"GRAPH", b"command", norm=free_text),
            Op(b"LATENCY", b"DOCTOR", norm=free_text),
            Op(b"LATENCY", b"RESET", b"command", rows=("LATENCY/RESET of one",)),
            Op(b"CONFIG", b"SET", b"latency-monitor-threshold", b"0"),
            Op(b"LATENCY", b"RESET", norm=some_integer),
        ]
    )


def _same_events(op, a, b, before):
    """The event `command` at the least: other events are the machine's."""
    names = [{entry[1][0][1] for entry in side[1]} for side in (a, b)]
    return all(b"command" in side for side in names)


def _samples(op, a, b, before):
    return a[0] == b[0] and len(a[1]) == len(b[1]) and all(len(s[1]) == 2 for s in b[1])


@session(7, "MONITOR")
def monitor(duel, r):
    """The lines up to a marker, but for moments and ports."""
    link = any_link(duel, r)
    watcher = duel.link("monitor", r.choice((2, 3)))
    watcher.run([Op(v.cased(r, b"MONITOR"), rows=("MONITOR",))], sentinel=False)
    # Payloads of DUMP are each server's own.
    ops = [op for op in stream.data_batch(r, 5) if b"'restore'" not in b"".join(op.args[:2])]
    ops += _some(r, 3)
    ops.append(
        Op(b"EVAL", b"return redis.call('set', KEYS[1], ARGV[1])", b"1", b"s0", b'\x00q"\\\n')
    )
    link.run([Op(b"SELECT", b"%d" % r.randrange(2))] + ops)
    marker = b"marker %d" % r.randrange(1 << 30)
    link.run([Op(b"ECHO", marker)])
    seen = []
    for side in watcher.sides:
        lines = []
        while not lines or marker not in lines[-1]:
            lines.append(side.read())
        seen.append(b"".join(_without_moment(line) for line in lines))
    duel.compared(Op(b"LITERAL", b"lines of MONITOR"), seen, None, (watcher, ops))
    watcher.close()


def _without_moment(line):
    return re.sub(
        rb"^\+\d+\.\d{6} \[(\d+) (?:127\.0\.0\.1:\d+|(lua))\]", rb"+T [\1 \2]", line, count=1
    )
