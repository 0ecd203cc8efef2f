"""Commands about the connection itself; sessions.py has those that need several connections."""

import values as v
from normalisations import client_lines, hello, some_integer
from operation import Op

from .registry import generator, rows


@generator(1, "PING", "PING/message", "ECHO")
def ping(r):
    pick = r.random()
    if pick < 0.3:
        return Op(v.cased(r, b"PING"), rows=("PING",))
    if pick < 0.6:
        return Op(b"PING", v.value(r), rows=("PING/message",))
    return Op(b"ECHO", v.value(r), rows=("ECHO",))


@generator(1, "PING/inline", "SET/inline")
def inline(r):
    """Commands as a person types them; quoting and its errors have a session of their own."""
    return r.choice(
        (
            Op(b"PING", raw=b"PING\r\n", rows=("PING/inline",)),
            Op(b"PING", raw=b'  ping   "a b\\x41\\n\\""  \r\n', rows=("PING/inline",)),
            Op(b"SET", b"s0", b"in line", raw=b"SET s0 'in line'\n", rows=("SET/inline",)),
            Op(b"SET", b"s0", b"x", raw=b'*0\r\n\r\nSET s0 "x"\r\n', rows=("SET/inline",)),
            Op(b"GET", b"s0", raw=b"get s0\n", rows=("GET",)),
        )
    )


@generator(0.5, spoilable=False)
def unknown(r):
    word = r.choice((b"NOSUCH", b"get2", b"", b"\x00\xffcmd", b"a" * 200, b"x y", b"SETT"))
    args = [v.value(r)[:200] for _ in range(r.randint(0, 30 if r.random() < 0.1 else 4))]
    return Op(word, *args)


@generator(0.5, spoilable=False)
def unknown_subcommand(r):
    names = (
        "CLIENT CONFIG OBJECT SCRIPT PUBSUB COMMAND MEMORY FUNCTION SLOWLOG LATENCY CLUSTER MODULE"
    )
    name = r.choice(names.split()).encode()
    args = r.choice(((), (b"NOSUCH",), (b"nosuch", b"a"), (b"",), (b"a" * 200,), (b"x\r\ny",)))
    return Op(name, *args)


_ARITIES = tuple(
    name.encode()
    for name in (
        "GET SET GETSET GETDEL GETEX SETNX SETEX PSETEX MGET MSET MSETNX APPEND STRLEN GETRANGE SUBSTR "
        "SETRANGE INCR DECR INCRBY DECRBY INCRBYFLOAT LCS HSET HSETNX HMSET HGET HMGET HGETALL HDEL "
        "HEXISTS HINCRBY HINCRBYFLOAT HKEYS HVALS HLEN HSTRLEN HRANDFIELD HSCAN DEL UNLINK EXISTS TYPE "
        "EXPIRE PEXPIRE EXPIREAT PEXPIREAT TTL PTTL EXPIRETIME PEXPIRETIME PERSIST KEYS SCAN RENAME "
        "RENAMENX COPY MOVE SWAPDB TOUCH PUBLISH SPUBLISH SUBSCRIBE PSUBSCRIBE SSUBSCRIBE "
        "EVAL EVALSHA EVAL_RO EVALSHA_RO WATCH ECHO SELECT AUTH WAIT "
        "LPUSH RPUSH LPUSHX RPUSHX LPOP RPOP LLEN LRANGE LINDEX LSET LINSERT LREM LTRIM LPOS LMOVE "
        "RPOPLPUSH LMPOP BLPOP BRPOP BLMOVE BRPOPLPUSH BLMPOP SADD SREM SCARD SISMEMBER SMISMEMBER "
        "SMEMBERS SMOVE SPOP SRANDMEMBER SINTER SUNION SDIFF SINTERSTORE SUNIONSTORE SDIFFSTORE "
        "SINTERCARD SSCAN ZADD ZINCRBY ZREM ZCARD ZSCORE ZMSCORE ZRANK ZREVRANK ZPOPMIN ZPOPMAX ZMPOP "
        "ZRANDMEMBER ZSCAN ZUNION ZINTER ZDIFF ZUNIONSTORE ZINTERSTORE ZDIFFSTORE ZINTERCARD ZRANGE "
        "ZRANGESTORE ZREVRANGE ZRANGEBYSCORE ZREVRANGEBYSCORE ZRANGEBYLEX ZREVRANGEBYLEX ZCOUNT "
        "ZLEXCOUNT ZREMRANGEBYRANK ZREMRANGEBYSCORE ZREMRANGEBYLEX BZPOPMIN BZPOPMAX BZMPOP SORT SORT_RO "
        "DUMP RESTORE FUNCTION FCALL FCALL_RO SLOWLOG LATENCY MEMORY CLUSTER OBJECT CLIENT MODULE"
    ).split()
)
_NO_ARGUMENTS = tuple(
    name.encode()
    for name in (
        "RANDOMKEY DBSIZE EXEC DISCARD MULTI UNWATCH TIME ROLE READONLY READWRITE ASKING LASTSAVE"
    ).split()
)


@generator(1.5, spoilable=False)
def wrong_arity(r):
    if r.random() < 0.2:
        return Op(v.cased(r, r.choice(_NO_ARGUMENTS)), b"x")
    return Op(v.cased(r, r.choice(_ARITIES)))


@generator(0.3, spoilable=False)
def outside_of_multi(r):
    return Op(v.cased(r, r.choice((b"EXEC", b"DISCARD"))))


@generator(0.7, "CLIENT/SETNAME", "CLIENT/GETNAME", spoilable=False)
def client_name(r):
    if r.random() < 0.5:
        return Op(b"CLIENT", v.cased(r, b"GETNAME"), rows=("CLIENT/GETNAME",))
    name = r.choice((b"alice", b"lock-holder:1", b"", b"with space", b"new\nline", b"\xfe"))
    return Op(b"CLIENT", v.cased(r, b"SETNAME"), name, rows=("CLIENT/SETNAME",))


@generator(
    1.2,
    "CLIENT/ID",
    "CLIENT/INFO",
    "CLIENT/LIST",
    "CLIENT/LIST TYPE",
    "CLIENT/LIST ID",
    "CLIENT/HELP",
    spoilable=False,
)
def client_list(r):
    sub = r.choice((b"ID", b"INFO", b"LIST", b"LIST TYPE", b"LIST ID", b"HELP"))
    row = "CLIENT/" + sub.decode()
    if sub == b"ID":
        return Op(b"CLIENT", b"ID", rows=(row,), norm=some_integer)
    if sub == b"HELP":
        return Op(b"CLIENT", b"HELP", rows=(row,))
    args = [b"CLIENT", *sub.split()]
    if sub == b"LIST TYPE":
        args.append(r.choice((b"normal", b"PUBSUB", b"replica", b"master", b"slave", b"bogus")))
    if sub == b"LIST ID":
        args += r.choice(
            ((b"99999999",), (b"0",), (b"x",), (b"888888888", b"99999999"), (b"1", b"x"))
        )
    return Op(*args, rows=(row,), norm=client_lines)


@generator(
    1,
    "CLIENT/NO-EVICT",
    "CLIENT/UNBLOCK",
    "CLIENT/UNBLOCK TIMEOUT",
    "CLIENT/UNBLOCK ERROR",
    spoilable=False,
)
def client_switches(r):
    pick = r.random()
    if pick < 0.4:
        word = r.choice((b"ON", b"off", b"maybe"))
        return Op(b"CLIENT", b"NO-EVICT", word, rows=("CLIENT/NO-EVICT",))
    word = r.choice((b"", b"TIMEOUT", b"error", b"bogus" if r.random() < 0.2 else b"ERROR"))
    number = b"99999999" if r.random() < 0.9 else r.choice((b"x", b"-1"))
    if not word:
        return Op(b"CLIENT", b"UNBLOCK", number, rows=("CLIENT/UNBLOCK",))
    return Op(
        b"CLIENT",
        b"UNBLOCK",
        number,
        word,
        rows=("CLIENT/UNBLOCK " + word.upper().decode(),) if word != b"bogus" else (),
    )


@generator(
    0.1, "CLIENT/PAUSE", "CLIENT/PAUSE WRITE", "CLIENT/PAUSE ALL", "CLIENT/UNPAUSE", spoilable=False
)
def client_pause(r):
    word = r.choice((b"", b"WRITE", b"all", b"bogus" if r.random() < 0.3 else b"WRITE"))
    time = b"1" if r.random() < 0.9 else r.choice((b"-1", b"x", b"1.5"))
    row = ("CLIENT/PAUSE " + word.upper().decode()).strip()
    return [
        Op(
            b"CLIENT",
            b"PAUSE",
            time,
            *([word] if word else []),
            rows=(row,) if word != b"bogus" else ()
        ),
        Op(b"CLIENT", b"UNPAUSE", rows=("CLIENT/UNPAUSE",)),
        Op(b"SET", v.string_key(r), b"after a pause", rows=("SET",)),
    ]


@generator(0.5, "CLIENT/REPLY ON", "CLIENT/REPLY OFF", "CLIENT/REPLY SKIP", spoilable=False)
def client_reply(r):
    key = v.string_key(r)
    pick = r.random()
    if pick < 0.1:
        return Op(b"CLIENT", b"REPLY", r.choice((b"MAYBE", b"")))
    if pick < 0.5:  # The rows count although nothing is answered: the next reply proves it.
        return [
            Op(b"CLIENT", v.cased(r, b"REPLY"), b"SKIP", expect=0),
            Op(b"SET", key, b"skipped", expect=0),
            Op(b"GET", key, rows=("CLIENT/REPLY SKIP",)),
        ]
    hidden = [
        Op(*r.choice(((b"SET", key, b"hidden"), (b"NOSUCH",), (b"GET",), (b"PING",))), expect=0)
        for _ in range(r.randint(0, 3))
    ]
    return [
        Op(b"CLIENT", b"REPLY", b"OFF", expect=0),
        *hidden,
        Op(b"CLIENT", b"REPLY", v.cased(r, b"ON"), rows=("CLIENT/REPLY ON", "CLIENT/REPLY OFF")),
        Op(b"GET", key, rows=("GET",)),
    ]


@generator(0.7, "AUTH", "AUTH/user", spoilable=False)
def auth(r):
    """No password is set: the default user takes any; sessions.py sets one."""
    return r.choice(
        (
            Op(b"AUTH", b"secret"),
            Op(b"AUTH", b"default", b"secret", rows=("AUTH/user",)),
            Op(b"AUTH", b"nobody", b"secret"),
            Op(b"AUTH", b"a", b"b", b"c"),
        )
    )


@generator(0.6, "HELLO", "HELLO/2", "HELLO/3", "HELLO/AUTH", "HELLO/SETNAME", spoilable=False)
def hello_(r):
    """Asks without changing the version of the connection, or changes it and back."""
    pick = r.random()
    if pick < 0.25:
        return Op(b"HELLO", rows=("HELLO",), norm=hello)
    if pick < 0.4:
        return Op(
            *r.choice(
                (
                    (b"HELLO", b"1"),
                    (b"HELLO", b"4"),
                    (b"HELLO", b"x"),
                    (b"HELLO", b""),
                    (b"HELLO", b"9", b"SETNAME", b"x"),
                    (b"HELLO", b"3", b"BOGUS"),
                    (b"HELLO", b"3", b"SETNAME"),
                    (b"HELLO", b"3", b"AUTH", b"default"),
                    (b"HELLO", b"3", b"SETNAME", b"a b"),
                    (b"HELLO", b"3", b"AUTH", b"nobody", b"x"),
                )
            )
        )
    return None


rows("RESET", "QUIT")
