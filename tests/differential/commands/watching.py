"""What tells of the server's work: SLOWLOG, LATENCY, MEMORY, tracking when off, cluster when off."""

import values as v
from normalisations import free_text, memory_fields, some_integer, some_list
from operation import Op

from .registry import generator

_CLUSTER = (
    b"INFO",
    b"MYID",
    b"NODES",
    b"SLOTS",
    b"SHARDS",
    b"LINKS",
    b"HELP",
    b"KEYSLOT key",
    b"COUNTKEYSINSLOT 5",
    b"GETKEYSINSLOT 5 5",
    b"REPLICAS x",
    b"RESET",
    b"RESET HARD",
    b"MEET 127.0.0.1 1",
    b"FAILOVER",
    b"ADDSLOTS 1",
    b"FORGET x",
    b"ADDSLOTSRANGE 1 2",
    b"DELSLOTS 1",
    b"DELSLOTSRANGE 1 2",
    b"SETSLOT 1 STABLE",
    b"FLUSHSLOTS",
    b"BUMPEPOCH",
    b"SET-CONFIG-EPOCH 1",
    b"COUNT-FAILURE-REPORTS x",
    b"REPLICATE x",
    b"SLAVES x",
    b"SAVECONFIG",
)


@generator(
    1.2, *("CLUSTER/%s/refused" % sub.split()[0].decode() for sub in _CLUSTER), spoilable=False
)
def cluster(r):
    sub, *args = r.choice(_CLUSTER).split()
    row = "CLUSTER/%s/refused" % sub.decode()
    if r.random() < 0.07:
        args += [b"x", b"y", b"z"]
        row = ""
    elif r.random() < 0.05:
        sub, row = b"NOSUCH", ""
    return Op(v.cased(r, b"CLUSTER"), v.cased(r, sub), *args, rows=(row,) if row else ())


@generator(0.4, "ASKING/refused", "READONLY/refused", "READWRITE/refused", spoilable=False)
def of_a_cluster(r):
    name = r.choice((b"ASKING", b"READONLY", b"READWRITE"))
    return Op(v.cased(r, name), rows=(name.decode() + "/refused",))


@generator(
    1,
    "SLOWLOG/GET",
    "SLOWLOG/GET count",
    "SLOWLOG/LEN",
    "SLOWLOG/RESET",
    "SLOWLOG/HELP",
    spoilable=False,
)
def slowlog(r):
    """Nothing is slow here; sessions/reports.py lowers the threshold."""
    pick = r.random()
    if pick < 0.25:
        return Op(b"SLOWLOG", v.cased(r, b"LEN"), rows=("SLOWLOG/LEN",), norm=some_integer)
    if pick < 0.4:
        return Op(b"SLOWLOG", b"HELP", rows=("SLOWLOG/HELP",))
    reset = Op(b"SLOWLOG", v.cased(r, b"RESET"), rows=("SLOWLOG/RESET",))
    if pick < 0.5:
        return Op(
            b"SLOWLOG", *r.choice(((b"GET", b"x"), (b"GET", b"-2"), (b"GET", b"1", b"2"), ()))
        )
    if pick < 0.7:
        return [reset, Op(b"SLOWLOG", b"GET", rows=("SLOWLOG/GET",), norm=some_list)]
    count = v.small(r, -1, 9)
    return [reset, Op(b"SLOWLOG", b"GET", count, rows=("SLOWLOG/GET count",), norm=some_list)]


@generator(
    1,
    "LATENCY/LATEST",
    "LATENCY/HISTORY",
    "LATENCY/RESET",
    "LATENCY/RESET events",
    "LATENCY/GRAPH/refused",
    "LATENCY/DOCTOR",
    "LATENCY/HISTOGRAM of nothing",
    "LATENCY/HELP",
    spoilable=False,
)
def latency(r):
    """Off by default, so that there are no events."""
    return r.choice(
        (
            Op(b"LATENCY", v.cased(r, b"LATEST"), rows=("LATENCY/LATEST",)),
            Op(b"LATENCY", b"HISTORY", r.choice((b"command", b"x")), rows=("LATENCY/HISTORY",)),
            Op(b"LATENCY", b"RESET", rows=("LATENCY/RESET",)),
            Op(b"LATENCY", b"RESET", b"command", b"nosuch", rows=("LATENCY/RESET events",)),
            Op(b"LATENCY", b"GRAPH", b"nosuch", rows=("LATENCY/GRAPH/refused",)),
            Op(b"LATENCY", b"DOCTOR", rows=("LATENCY/DOCTOR",), norm=free_text),
            Op(b"LATENCY", b"HISTOGRAM", b"nosuch", rows=("LATENCY/HISTOGRAM of nothing",)),
            Op(b"LATENCY", b"HELP", rows=("LATENCY/HELP",)),
            Op(b"LATENCY", r.choice((b"HISTORY", b"GRAPH", b"NOSUCH"))),
        )
    )


@generator(
    0.6,
    "MEMORY/DOCTOR",
    "MEMORY/MALLOC-STATS",
    "MEMORY/PURGE",
    "MEMORY/STATS",
    "LOLWUT",
    "LOLWUT/VERSION",
    spoilable=False,
)
def memory(r):
    sub = r.choice(
        (b"DOCTOR", b"MALLOC-STATS", b"PURGE", b"STATS", b"LOLWUT", b"LOLWUT", b"NOSUCH")
    )
    if sub == b"NOSUCH":
        return Op(b"MEMORY", *r.choice(((b"NOSUCH",), (b"STATS", b"x"), (b"DOCTOR", b"x"), ())))
    if sub == b"LOLWUT":
        args = r.choice(((), (b"VERSION", b"5"), (b"version", b"6"), (b"VERSION", b"x")))
        return Op(sub, *args, rows=("LOLWUT/VERSION" if args else "LOLWUT",), norm=free_text)
    norm = {b"PURGE": None, b"STATS": memory_fields}.get(sub, free_text)
    return Op(b"MEMORY", v.cased(r, sub), rows=("MEMORY/" + sub.decode(),), norm=norm)


@generator(
    1.2,
    "CLIENT/GETREDIR",
    "CLIENT/TRACKINGINFO",
    "CLIENT/CACHING/refused",
    "CLIENT/TRACKING/refused",
    "CLIENT/TRACKING OFF",
    spoilable=False,
)
def tracking_off(r):
    """No tracking on these connections: sessions/tracking.py has some of its own."""
    pick = r.random()
    if pick < 0.2:
        return Op(b"CLIENT", v.cased(r, b"GETREDIR"), rows=("CLIENT/GETREDIR",))
    if pick < 0.4:
        return Op(b"CLIENT", v.cased(r, b"TRACKINGINFO"), rows=("CLIENT/TRACKINGINFO",))
    if pick < 0.6:
        word = r.choice((b"YES", b"no", b"bogus"))
        return Op(b"CLIENT", v.cased(r, b"CACHING"), word, rows=("CLIENT/CACHING/refused",))
    if pick < 0.75:
        return Op(b"CLIENT", b"TRACKING", v.cased(r, b"OFF"), rows=("CLIENT/TRACKING OFF",))
    wrong = r.choice(
        (
            b"MAYBE",
            b"ON BOGUS",
            b"ON BCAST OPTIN",
            b"ON BCAST OPTOUT",
            b"ON PREFIX a",
            b"ON OPTIN OPTOUT",
            b"ON REDIRECT 99999999",
            b"ON REDIRECT x",
            b"ON REDIRECT -1",
            b"ON REDIRECT 0",
            b"ON REDIRECT 1 REDIRECT 2",
            b"ON REDIRECT",
            b"ON PREFIX",
            b"ON BCAST PREFIX a PREFIX ab",
            b"ON BCAST PREFIX ab PREFIX a",
            b"ON BCAST PREFIX a PREFIX a",
        )
    ).split()
    return Op(b"CLIENT", b"TRACKING", *wrong, rows=("CLIENT/TRACKING/refused",))


@generator(0.4, "FAILOVER/refused", "MODULE/LIST", spoilable=False)
def not_here(r):
    return r.choice(
        (
            Op(b"FAILOVER", rows=("FAILOVER/refused",)),
            Op(b"FAILOVER", b"ABORT", rows=("FAILOVER/refused",)),
            Op(b"MODULE", b"LIST", rows=("MODULE/LIST",)),
            Op(b"MODULE", b"LOAD"),
        )
    )
