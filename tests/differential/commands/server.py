"""Commands about the server: configuration, information, command table, time."""

import values as v
from normalisations import clock, command_info, config_pairs, info_keyspace, near_seconds, unordered
from operation import Op

from .registry import generator, rows

_PARAMETERS = (
    b"maxmemory",
    b"save",
    b"appendonly",
    b"timeout",
    b"requirepass",
    b"notify-keyspace-events",
    b"maxclients",
    b"tcp-keepalive",
    b"databases",
    b"proto-max-bulk-len",
    b"maxmemory-policy",
    b"lua-time-limit",
    b"busy-reply-threshold",
    b"client-query-buffer-limit",
    b"nosuch",
    b"client-output-buffer-limit",
    b"appendfsync",
    b"TIMEOUT",
    b"bind",
    b"protected-mode",
    b"tcp-backlog",
    b"unixsocket",
    b"loglevel",
    b"logfile",
)


@generator(
    1.5,
    "CONFIG/GET",
    "CONFIG/GET globs",
    "CONFIG/SET",
    "CONFIG/SET several",
    "CONFIG/RESETSTAT",
    "CONFIG/HELP",
    spoilable=False,
)
def config(r):
    pick = r.random()
    if pick < 0.35:
        names = [r.choice(_PARAMETERS) for _ in range(r.choice((1, 1, 2, 3)))]
        return Op(b"CONFIG", v.cased(r, b"GET"), *names, rows=("CONFIG/GET",), norm=config_pairs)
    if pick < 0.45:
        names = r.choice(
            (
                (b"maxmemory-*",),
                (b"*",),
                (b"notify*", b"time[o]ut"),
                (b"no?such",),
                (b"databas??", b"timeout"),
            )
        )
        return Op(b"CONFIG", b"GET", *names, rows=("CONFIG/GET globs",), norm=config_pairs)
    if pick < 0.5:
        return Op(b"CONFIG", b"HELP", rows=("CONFIG/HELP",))
    if pick < 0.56:
        return Op(b"CONFIG", b"RESETSTAT", rows=("CONFIG/RESETSTAT",))
    if pick < 0.62:
        return Op(b"CONFIG", b"REWRITE")
    return _config_set(r)


def _config_set(r):
    settings = (
        (b"timeout", r.choice((b"0", b"3600", b"-1", b"x"))),
        (b"maxmemory", r.choice((b"0", b"0", b"1gb", b"200mb", b"1tb", b"-5", b"many"))),
        (b"tcp-keepalive", r.choice((b"300", b"60", b"0", b"x"))),
        (b"busy-reply-threshold", r.choice((b"5000", b"6000", b"x"))),
        (b"lua-time-limit", r.choice((b"5000", b"7000"))),
        (b"notify-keyspace-events", r.choice((b"", b"?"))),
        (b"maxmemory-policy", r.choice((b"noeviction", b"bogus"))),
        (b"client-query-buffer-limit", r.choice((b"1gb", b"1073741824", b"64mb", b"1"))),
        (
            b"client-output-buffer-limit",
            r.choice(
                (
                    b"pubsub 32mb 8mb 60",
                    b"normal 0 0 0",
                    b"pubsub 33554432 8388608 60",
                    b"pubsub 1",
                    b"x 1 2 3",
                )
            ),
        ),
        (b"nosuch", b"1"),
        (b"databases", b"8"),
        (b"TIMEOUT", b"0"),
        (b"loglevel", r.choice((b"notice", b"bogus"))),
    )
    if r.random() < 0.7:
        name, value = r.choice(settings)
        return Op(b"CONFIG", v.cased(r, b"SET"), name, value, rows=("CONFIG/SET",))
    chosen = (
        r.sample(settings, 2)
        if r.random() < 0.6
        else [(b"timeout", b"0"), (b"tcp-keepalive", b"300")]
    )
    args = [part for pair in chosen for part in pair]
    if r.random() < 0.1:
        args.pop()
    return Op(b"CONFIG", b"SET", *args, rows=("CONFIG/SET several",))


@generator(0.8, "INFO", "INFO/section", "INFO/several", spoilable=False)
def info(r):
    sections = r.choice(
        (
            (),
            (b"server",),
            (b"clients",),
            (b"MEMORY",),
            (b"stats",),
            (b"replication",),
            (b"cpu",),
            (b"keyspace",),
            (b"all",),
            (b"everything",),
            (b"default",),
            (b"nosuch",),
            (b"server", b"clients"),
            (b"keyspace", b"replication", b"stats"),
            (b"persistence",),
            (b"server", b"nosuch"),
            (b"cluster", b"errorstats"),
        )
    )
    row = ("INFO", "INFO/section", "INFO/several")[min(len(sections), 2)]
    norm = info_keyspace if sections == (b"keyspace",) else None
    return Op(v.cased(r, b"INFO"), *sections, rows=(row,), norm=norm)


@generator(1, "TIME", "LASTSAVE", "ROLE", "WAIT", spoilable=False)
def small_ones(r):
    return r.choice(
        (
            Op(v.cased(r, b"TIME"), rows=("TIME",), norm=clock),
            Op(b"LASTSAVE", rows=("LASTSAVE",), norm=near_seconds),
            Op(b"ROLE", rows=("ROLE",)),
            Op(b"WAIT", b"0", b"0", rows=("WAIT",)),
            Op(b"WAIT", r.choice((b"1", b"2")), b"1", rows=("WAIT",)),
            Op(b"WAIT", r.choice((b"x", b"-1", b"0")), r.choice((b"x", b"-1"))),
            Op(r.choice((b"READONLY", b"READWRITE", b"ASKING"))),
            Op(b"SHUTDOWN", r.choice((b"BOGUS", b"ABORT", b"nosave save"))),
            Op(b"SHUTDOWN", b"SAVE", b"NOSAVE"),
        )
    )


@generator(0.5, "DEBUG/SLEEP", spoilable=False)
def debug(r):
    return r.choice(
        (
            Op(b"DEBUG", v.cased(r, b"SLEEP"), r.choice((b"0", b"0.0001")), rows=("DEBUG/SLEEP",)),
            Op(b"DEBUG", b"SLEEP", b"0", rows=("DEBUG/SLEEP",)),
            Op(b"DEBUG", b"NOSUCH"),
            Op(b"DEBUG", b"SLEEP"),
            Op(b"DEBUG"),
        )
    )


_GETKEYS = (
    (b"SET", b"a", b"b", b"EX", b"10"),
    (b"MSET", b"a", b"1", b"b", b"2"),
    (b"MGET", b"a", b"b"),
    (b"EVAL", b"return 1", b"2", b"x", b"y", b"z"),
    (b"EVALSHA_RO", b"f", b"1", b"k"),
    (b"COPY", b"a", b"b", b"REPLACE"),
    (b"HSET", b"h", b"f", b"v"),
    (b"DEL", b"a", b"b", b"c"),
    (b"RENAME", b"a", b"b"),
    (b"LCS", b"a", b"b"),
    (b"GETEX", b"a", b"PERSIST"),
    (b"PING",),
    (b"NOSUCH", b"a"),
    (b"GET",),
    (b"EVAL", b"return 1", b"0"),
    (b"OBJECT", b"ENCODING", b"k"),
    (b"MEMORY", b"USAGE", b"k"),
    (b"WATCH", b"a", b"b"),
    (b"GET", b"a", b"b"),
    (b"PUBLISH", b"c", b"m"),
    (b"SPUBLISH", b"c", b"m"),
    (b"EVAL", b"return 1", b"5", b"x"),
    (b"SET", b"k", b"v", b"GET"),
    (b"HGETALL", b"h"),
    (b"SWAPDB", b"0", b"1"),
    (b"LMOVE", b"a", b"b", b"LEFT", b"RIGHT"),
    (b"LMPOP", b"2", b"a", b"b", b"LEFT"),
    (b"BLMPOP", b"0", b"1", b"a", b"LEFT"),
    (b"BLPOP", b"a", b"b", b"0"),
    (b"BRPOPLPUSH", b"a", b"b", b"0"),
    (b"LPUSH", b"a", b"x"),
    (b"SINTERSTORE", b"d", b"a", b"b"),
    (b"SINTERCARD", b"2", b"a", b"b", b"LIMIT", b"1"),
    (b"SMOVE", b"a", b"b", b"m"),
    (b"ZUNIONSTORE", b"d", b"2", b"a", b"b", b"WEIGHTS", b"1", b"2"),
    (b"ZUNION", b"2", b"a", b"b"),
    (b"ZINTERCARD", b"1", b"a"),
    (b"ZDIFFSTORE", b"d", b"9", b"a"),
    (b"ZUNION", b"x", b"a"),
    (b"LMPOP", b"0", b"a", b"LEFT"),
    (b"SINTERCARD", b"9", b"a"),
    (b"FCALL", b"f", b"9", b"a"),
    (b"ZRANGESTORE", b"d", b"s", b"0", b"1"),
    (b"ZADD", b"z", b"1", b"m"),
    (b"ZMPOP", b"1", b"z", b"MIN"),
    (b"BZMPOP", b"0", b"2", b"a", b"b", b"MAX"),
    (b"BZPOPMIN", b"a", b"b", b"0"),
    (b"SORT", b"a", b"BY", b"w*", b"GET", b"x*", b"STORE", b"d"),
    (b"SORT", b"a"),
    (b"SORT", b"a", b"STORE"),
    (b"SORT_RO", b"a", b"GET", b"#"),
    (b"FCALL", b"f", b"1", b"k"),
    (b"FCALL_RO", b"f", b"0"),
    (b"RESTORE", b"k", b"0", b"x"),
    (b"DUMP", b"k"),
    (b"XADD",),
)
_NAMES = tuple(
    name.encode()
    for name in (
        "get set SETNX setex mget mset del exists expire hset hget hgetall hincrby hdel eval evalsha "
        "eval_ro publish subscribe multi exec watch ping select hello auth client config command script "
        "pubsub memory object scan keys rename copy move swapdb info wait role nosuch incr incrbyfloat "
        "lcs getex strlen append getrange spublish ssubscribe type ttl pttl persist "
        "lpush rpush lpushx rpushx lpop rpop llen lrange lindex lset linsert lrem ltrim lpos lmove rpoplpush "
        "lmpop blpop brpop blmove brpoplpush blmpop sadd srem scard sismember smismember smembers smove spop "
        "srandmember sinter sunion sdiff sinterstore sunionstore sdiffstore sintercard sscan zadd zincrby "
        "zrem zcard zscore zmscore zrank zrevrank zpopmin zpopmax zmpop zrandmember zscan zunion zinter "
        "zdiff zunionstore zinterstore zdiffstore zintercard zrange zrangestore zrevrange zrangebyscore "
        "zrevrangebyscore zrangebylex zrevrangebylex zcount zlexcount zremrangebyrank zremrangebyscore "
        "zremrangebylex bzpopmin bzpopmax bzmpop sort sort_ro dump restore function fcall fcall_ro slowlog "
        "latency monitor cluster lolwut failover module readonly readwrite asking lastsave shutdown "
        "flushall flushdb eval evalsha_ro touch unlink randomkey dbsize expireat pexpireat expiretime "
        "client|tracking client|caching config|set function|load slowlog|get cluster|info memory|stats"
    ).split()
)


@generator(
    2,
    "COMMAND",
    "COMMAND/COUNT",
    "COMMAND/LIST",
    "COMMAND/LIST FILTERBY PATTERN",
    "COMMAND/LIST FILTERBY ACLCAT",
    "COMMAND/LIST FILTERBY MODULE",
    "COMMAND/INFO",
    "COMMAND/DOCS",
    "COMMAND/GETKEYS",
    "COMMAND/GETKEYSANDFLAGS",
    "COMMAND/HELP",
    spoilable=False,
)
def command(r):
    pick = r.random()
    if pick < 0.28:
        return Op(b"COMMAND", b"GETKEYS", *r.choice(_GETKEYS), rows=("COMMAND/GETKEYS",))
    if pick < 0.56:
        return Op(
            b"COMMAND", b"GETKEYSANDFLAGS", *r.choice(_GETKEYS), rows=("COMMAND/GETKEYSANDFLAGS",)
        )
    if pick < 0.7:
        names = [r.choice(_NAMES) for _ in range(r.randint(1, 2))]
        return Op(b"COMMAND", b"INFO", *names, rows=("COMMAND/INFO",), norm=command_info)
    if pick < 0.8:
        return Op(b"COMMAND", b"DOCS", r.choice(_NAMES), rows=("COMMAND/DOCS",))
    if pick < 0.87:
        return Op(b"COMMAND", b"COUNT", rows=("COMMAND/COUNT",))
    if pick < 0.9:
        return Op(b"COMMAND", rows=("COMMAND",), norm=unordered)
    if pick < 0.93:
        return Op(b"COMMAND", b"HELP", rows=("COMMAND/HELP",))
    return _command_list(r)


def _command_list(r):
    kind, values = r.choice(
        (
            (b"", ()),
            (b"PATTERN", (b"h*", b"*expire*", b"get", b"nosuch*", b"z*store")),
            (
                b"ACLCAT",
                (b"hash", b"scripting", b"nosuch", b"list", b"set", b"sortedset", b"blocking"),
            ),
            (b"MODULE", (b"nosuch",)),
        )
    )
    if not kind:
        return Op(b"COMMAND", b"LIST", rows=("COMMAND/LIST",), norm=unordered)
    return Op(
        b"COMMAND",
        b"LIST",
        b"FILTERBY",
        kind,
        r.choice(values),
        rows=("COMMAND/LIST FILTERBY " + kind.decode(),),
        norm=unordered,
    )


rows("SHUTDOWN", "CONFIG REWRITE", "SCRIPT KILL")
