"""Connections that are killed, unblocked, authenticated, reset, or that send garbage."""

import values as v
from duel import PASSWORD
from normalisations import client_lines, hello
from operation import Op

from .registry import any_link, session, until_blocked


@session(
    6,
    "CLIENT/KILL ID",
    "CLIENT/KILL ADDR",
    "CLIENT/KILL LADDR",
    "CLIENT/KILL TYPE",
    "CLIENT/KILL USER",
    "CLIENT/KILL SKIPME",
    "CLIENT/KILL old form",
    "CLIENT/LIST ID",
)
def kill(duel, r):
    for _ in range(8):
        _kill_one(duel, r)


def _kill_one(duel, r):
    killer = any_link(duel, r)
    victim = duel.link("victim", r.choice((2, 3)))
    mine = [b"ID", b"@ID:victim@"]
    how, args, rows = r.choice(
        (
            ("id", mine, ("CLIENT/KILL ID",)),
            ("addr", [b"ADDR", b"@ADDR:victim@"], ("CLIENT/KILL ADDR",)),
            ("laddr", [b"LADDR", b"@LADDR:victim@"] + mine, ("CLIENT/KILL LADDR",)),
            ("type", [b"TYPE", b"pubsub"], ("CLIENT/KILL TYPE",)),
            ("user", [b"USER", b"default"] + mine, ("CLIENT/KILL USER",)),
            ("skip", [b"SKIPME", r.choice((b"yes", b"NO"))] + mine, ("CLIENT/KILL SKIPME",)),
            ("old", [b"@ADDR:victim@"], ("CLIENT/KILL old form",)),
        )
    )
    if how == "type":
        victim.run([Op(b"SUBSCRIBE", b"doomed")])
        for name in ("sub2", "sub3"):
            if name in duel.links:
                duel.links[name].close()
    victim.run([Op(b"CLIENT", b"SETNAME", b"victim")] if how != "type" else [])
    killer.run(
        [
            Op(
                b"CLIENT",
                b"LIST",
                b"ID",
                b"@ID:victim@",
                rows=("CLIENT/LIST ID",),
                norm=client_lines,
                subst=True,
            ),
            Op(b"CLIENT", v.cased(r, b"KILL"), *args, rows=rows, subst=True),
            _wrong_kill(r),
        ]
    )
    victim.expect_close(Op(b"LITERAL", b"close of the killed"))


def _wrong_kill(r):
    return Op(
        b"CLIENT",
        b"KILL",
        *r.choice(
            (
                (b"1.2.3.4:5",),
                (b"ID", b"99999999"),
                (b"ID", b"x"),
                (b"TYPE", b"bogus"),
                (b"SKIPME", b"maybe"),
                (b"USER", b"nobody"),
                (b"ID",),
                (b"BOGUS", b"x"),
                (),
                (b"ADDR", b"nowhere"),
                (b"ID", b"0"),
            )
        )
    )


@session(0.4)
def kill_oneself(duel, r):
    link = duel.link("victim", 2)
    link.run(
        [
            Op(b"SET", b"s1", b"x", rows=("SET",)),
            Op(b"CLIENT", b"KILL", b"ID", b"@ID:victim@", b"SKIPME", b"no", subst=True),
        ],
        sentinel=False,
    )
    link.expect_close(Op(b"LITERAL", b"close of the suicide"))


@session(4, "CLIENT/UNBLOCK a waiter", "WAIT/blocked")
def unblock(duel, r):
    link = any_link(duel, r)
    waiter = duel.link("waiter", 2)
    wait = Op(b"WAIT", b"1", b"0", rows=("WAIT/blocked",))
    for word in r.sample(((), (b"TIMEOUT",), (b"ERROR",)), 3):
        waiter.send_only(wait)
        until_blocked(duel, waiter)
        link.run(
            [
                Op(
                    b"CLIENT",
                    b"UNBLOCK",
                    b"@ID:waiter@",
                    *word,
                    subst=True,
                    rows=("CLIENT/UNBLOCK a waiter",)
                )
            ]
        )
        waiter.run([Op(*wait.args, raw=b"", rows=wait.rows), Op(b"PING")])


@session(
    4,
    "AUTH",
    "AUTH/user",
    "HELLO/2",
    "HELLO/3",
    "HELLO/AUTH",
    "HELLO/SETNAME",
    "RESET",
    "CONFIG/SET requirepass",
)
def password(duel, r):
    master = any_link(duel, r)
    master.run([Op(b"CONFIG", b"SET", b"requirepass", PASSWORD, rows=("CONFIG/SET requirepass",))])
    for _ in range(4):
        _enter(duel, r)
    master.run([Op(b"CONFIG", b"SET", b"requirepass", b"", rows=("CONFIG/SET requirepass",))])


def _enter(duel, r):
    guest = duel.link("guest", 2)
    refused = [
        Op(
            *r.choice(
                (
                    (b"GET", b"s0"),
                    (b"MULTI",),
                    (b"SUBSCRIBE", b"a"),
                    (b"NOSUCH",),
                    (b"HELLO", b"3"),
                    (b"HELLO",),
                    (b"AUTH", b"wrong"),
                    (b"AUTH", b"default", b"wrong"),
                    (b"AUTH", b"nobody", PASSWORD),
                    (b"GET",),
                    (b"HELLO", b"3", b"AUTH", b"default", b"wrong"),
                    (b"CLIENT", b"ID"),
                    (b"PING",),
                    (b"COMMAND", b"COUNT"),
                )
            )
        )
        for _ in range(r.randint(1, 5))
    ]
    version = r.choice((b"2", b"3"))
    entry = r.choice(
        (
            Op(b"AUTH", PASSWORD, rows=("AUTH",)),
            Op(b"AUTH", b"default", PASSWORD, rows=("AUTH/user",)),
            Op(
                b"HELLO",
                version,
                b"AUTH",
                b"default",
                PASSWORD,
                norm=hello,
                rows=("HELLO/" + version.decode(), "HELLO/AUTH"),
            ),
            Op(
                b"HELLO",
                version,
                b"SETNAME",
                b"guest",
                b"AUTH",
                b"default",
                PASSWORD,
                norm=hello,
                rows=("HELLO/" + version.decode(), "HELLO/AUTH", "HELLO/SETNAME"),
            ),
        )
    )
    after = [
        Op(b"SET", b"s1", b"in", rows=("SET",)),
        Op(b"CLIENT", b"GETNAME", rows=("CLIENT/GETNAME",)),
        Op(b"RESET", rows=("RESET",)),
        Op(b"GET", b"s1"),
        Op(b"PING"),
    ]
    guest.run(refused + [entry] + after)
    guest.close()


@session(4, "RESET", "QUIT", "HELLO/2", "HELLO/3", "HELLO/AUTH", "HELLO/SETNAME")
def versions(duel, r):
    """One connection changes version, name, database, and is reset in the middle of things."""
    link = duel.link("changing", 2)
    ops = []
    for _ in range(r.randint(4, 9)):
        version = r.choice((b"2", b"3"))
        ops.append(
            r.choice(
                (
                    Op(b"HELLO", version, rows=("HELLO/" + version.decode(),), norm=hello),
                    Op(b"HELLO", version, b"SETNAME", b"n1", rows=("HELLO/SETNAME",), norm=hello),
                    Op(
                        b"HELLO",
                        version,
                        b"AUTH",
                        b"default",
                        b"any",
                        rows=("HELLO/AUTH",),
                        norm=hello,
                    ),
                    Op(v.cased(r, b"RESET"), rows=("RESET",)),
                    Op(b"SELECT", b"3", rows=("SELECT",)),
                )
            )
        )
        ops += [
            Op(b"HGETALL", b"h0"),
            Op(b"GET", b"none"),
            Op(b"CLIENT", b"GETNAME", rows=("CLIENT/GETNAME",)),
            Op(b"HSET", b"h0", b"f", b"v"),
            Op(b"HGETALL", b"h0", rows=("HGETALL",)),
            Op(b"CONFIG", b"GET", b"timeout", rows=("CONFIG/GET",)),
        ]
    pick = r.random()
    if pick < 0.3:
        ops += [Op(b"MULTI"), *_in_multi(), Op(b"RESET", rows=("RESET",)), Op(b"EXEC")]
    elif pick < 0.6:
        ops += [Op(b"SUBSCRIBE", b"doomed"), Op(b"RESET", rows=("RESET",)), Op(b"GET", b"s0")]
    link.run(ops)
    link.expect_close(Op(b"QUIT", rows=("QUIT",)), b"*1\r\n$4\r\nQUIT\r\n*1\r\n$4\r\nPING\r\n")


def _in_multi():
    inner = Op(b"SET", b"s2", b"never")
    inner.queued = True
    return [inner]


_GARBAGE = (
    b"*abc\r\n",
    b"*1\r\n$abc\r\n",
    b"*1\r\n+PING\r\n",
    b"*2147483648\r\n",
    b"*1\r\n$-1\r\n",
    b"*1\r\n$600000000\r\n",
    b"*1\r\n:4\r\n",
    b"GET 'open\r\n",
    b'GET "a"b\r\n',
    b"GET 'a'b\r\n",
    b"x" * 70000,
    b"*" + b"1" * 70000,
    b"*1\r\n$" + b"1" * 70000,
    b"*2\r\n$3\r\nGET\r\n$1x\r\n",
    b"*9999999999999999999\r\n",
    b"*1\r\n$9999999999999999999\r\n",
    b"*1\r\n$4x\r\nPING\r\n",
    b"*\r\n",
    b"*1\r\n$\r\n",
    b"*1 \r\n",
    b"* 1\r\n",
    b"*+1\r\n",
    b"*1\r\n\r\n",
)
_HARMLESS = (
    b"\r\n",
    b"\n",
    b"*0\r\n",
    b"*-1\r\n",
    b"   \r\n",
    b"*-5\r\n",
    b"\t\r\n",
    b"ping\t\r\n",
    b"PING\n",
    b"$5\r\n",
    b"+OK\r\n",
    b'GET "\\x00\\xzz\\n\\r\\t\\b\\a\\q"\r\n',
    b"get s0 '\\'' \r\n",
)


@session(5, "protocol error", "protocol oddity")
def garbage(duel, r):
    """Replies of the valid commands first, then the error, then the close."""
    for _ in range(4):
        _garbage_on_one(duel, r)


def _garbage_on_one(duel, r):
    link = duel.link("garbage", r.choice((2, 3)))
    valid = b"".join(
        r.choice((b"PING\r\n", b"*1\r\n$4\r\nPING\r\n", b"*2\r\n$3\r\nGET\r\n$2\r\ns0\r\n"))
        for _ in range(r.randint(0, 3))
    )
    oddities = b"".join(r.choice(_HARMLESS) for _ in range(r.randint(0, 4)))
    end = b"QUIT\r\n" if r.random() < 0.45 else r.choice(_GARBAGE)
    data = valid + oddities + end
    rows = ("protocol oddity",) if end == b"QUIT\r\n" else ("protocol error",)
    link.expect_close(Op(b"LITERAL", data[:300], rows=()), data)
    duel.coverage.count(rows + ("QUIT",) if end == b"QUIT\r\n" else rows)
