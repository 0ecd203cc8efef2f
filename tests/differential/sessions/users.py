"""Users and their permissions: random rules, calls that they allow or refuse, the log of refusals."""

import re

import stream
import values as v
from normalisations import REASONS, hello
from operation import Op

from .registry import any_link, session

_USERS = (b"alice", b"bob")
# Of categories one at a time, and of those that both servers fill alike.
_CATEGORIES = (
    b"+@all",
    b"-@all",
    b"allcommands",
    b"nocommands",
    b"+@ALL",
    b"+@transaction",
    b"+@scripting",
    b"+@hash",
    b"+@geo",
    b"+@stream",
)
_COMMANDS = (
    b"+get -get +set -set +hset -hget +SELECT|0 +ping -ping +client|id -client|id +client -client "
    b"+config|get -config +geoadd -xadd +xgroup|create +multi -exec +eval -eval_ro +publish "
    b"-subscribe +mget -mset +copy -rename +echo|x +acl|whoami -acl +del +exists +hgetall"
).split()
_KEYS = (
    b"~s* ~h* %R~s0 %W~s1 %RW~s* %r~h? ~* allkeys resetkeys RESETKEYS ~[sh]0 %R~* %W~* ~s? ~none"
).split()
_CHANNELS = b"&a* &* allchannels resetchannels &news &a &*s".split()
_LOGIN = (
    b"on off nopass resetpass >pw >other <pw <other sanitize-payload skip-sanitize-payload "
    b"#30c952fab122c3f9759f02a6d95c3758b246b4fee239957b2d4fee46e26170c4 reset clearselectors ON"
).split()
_BROKEN = (
    b"+nosuch -nosuch +@nosuch + - +@ -@ %~a % %RR~a %X~a #12 !12 nosuch +get| +client|nosuch "
    b"+client|id|x -client|id|x -get|x ( (+get ) (+nosuch) (on) ((+get)) <nosuch "
    b"!30c952fab122c3f9759f02a6d95c3758b246b4fee239957b2d4fee46e26170c5"
).split() + [b"~a b", b"", b" +get"]


REASONS["rules"] = "Redis sums up commands in the order of its hash table"
REASONS["refusals"] = "ACL LOG: ages and figures of clients are the server's own"


def rules(op, a, b, before):
    return _ordered(a) == _ordered(b)


def _ordered(reply):
    if isinstance(reply[1], list):
        return reply[0], [_ordered(item) for item in reply[1]]
    if reply[0] != "$" or b"@all" not in reply[1]:
        return reply
    parts = re.split(rb"([-+]@all[^()]*)", reply[1])
    return reply[0], b"".join(
        b" ".join(sorted(part.split())) if b"@all" in part else part for part in parts
    )


def refusals(op, a, b, before):
    return _without_figures(a) == _without_figures(b)


def _without_figures(reply):
    if not isinstance(reply[1], list):
        return reply
    items = [_without_figures(item) for item in reply[1]]
    for i, item in enumerate(items[:-1]):
        if item in (("$", b"age-seconds"), ("$", b"client-info")):
            items[i + 1] = None
    return reply[0], items


def _set_user(r, user):
    given = []
    if r.random() < 0.35:
        given.append(r.choice(_CATEGORIES))
    for pool, most in ((_COMMANDS, 3), (_KEYS, 3), (_CHANNELS, 2), (_LOGIN, 2)):
        given += [r.choice(pool) for _ in range(r.randint(0, most))]
    if r.random() < 0.2:
        inner = [r.choice(pool) for pool in (_COMMANDS, _KEYS, _CHANNELS)]
        given.append(b"(" + b" ".join(inner) + b")")
    if r.random() < 0.15:
        r.shuffle(given)
    if r.random() < 0.15:
        given.insert(r.randint(0, len(given)), r.choice(_BROKEN))
    return Op(v.cased(r, b"ACL"), b"SETUSER", user, *given, rows=("ACL/SETUSER",))


def _about(r, user):
    return r.choice(
        (
            Op(b"ACL", b"LIST", norm=rules, rows=("ACL/LIST",)),
            Op(b"ACL", b"GETUSER", user, norm=rules, rows=("ACL/GETUSER",)),
            Op(b"ACL", b"USERS", rows=("ACL/USERS",)),
            Op(b"ACL", b"WHOAMI", rows=("ACL/WHOAMI",)),
            Op(b"ACL", b"CAT", r.choice((b"transaction", b"nosuch")), norm=_unordered),
            Op(b"ACL", b"CAT", rows=("ACL/CAT",)),
            Op(b"ACL", b"LOG", *r.choice(((), (b"2",), (b"x",))), norm=refusals, rows=("ACL/LOG",)),
            Op(b"ACL", b"GENPASS", r.choice((b"0", b"-1", b"x", b"4097"))),
            Op(b"ACL", b"DELUSER", b"nobody", rows=("ACL/DELUSER",)),
            Op(b"ACL", b"DELUSER", b"default"),
            Op(b"ACL", r.choice((b"LOAD", b"SAVE", b"NOSUCH"))),
        )
    )


def _unordered(op, a, b, before):
    if not isinstance(a[1], list) or not isinstance(b[1], list):
        return a == b
    return sorted(a[1]) == sorted(b[1])


def _dry_run(r, user):
    # Spoiled ones have no rows: where a count is no number the two look for keys differently.
    calls = (op.args for op in stream.data_batch(r, 4) if op.raw is None and op.rows)
    call = next(calls, (b"GET", b"s0"))
    return Op(b"ACL", b"DRYRUN", user, *call, rows=("ACL/DRYRUN",))


@session(
    4,
    "ACL/SETUSER",
    "ACL/GETUSER",
    "ACL/LIST",
    "ACL/USERS",
    "ACL/WHOAMI",
    "ACL/CAT",
    "ACL/LOG",
    "ACL/LOG RESET",
    "ACL/DELUSER",
    "ACL/DRYRUN",
    "AUTH/user",
)
def permissions(duel, r):
    """Rules change while a guest of the user calls this and that."""
    admin = any_link(duel, r)
    admin.run([Op(b"ACL", b"LOG", b"RESET", rows=("ACL/LOG RESET",))])
    for user in _USERS:
        admin.run([Op(b"ACL", b"SETUSER", user, b"reset", b"on", b">pw")])
        admin.run([_set_user(r, user) for _ in range(r.randint(1, 4))])
        admin.run([_dry_run(r, user) for _ in range(6)])
        _visit(duel, r, user)
        admin.run([_about(r, user) for _ in range(4)])
    admin.run([Op(b"ACL", b"DELUSER", *_USERS, rows=("ACL/DELUSER",))])


def _visit(duel, r, user):
    guest = duel.link("guest", 2)
    ops = [Op(b"AUTH", user, r.choice((b"pw", b"pw", b"pw", b"other")), rows=("AUTH/user",))]
    if r.random() < 0.3:
        ops.append(Op(b"HELLO", b"3", b"AUTH", user, b"pw", norm=hello))
    for _ in range(12):
        ops.append(
            r.choice(
                (
                    Op(b"GET", r.choice((b"s0", b"s1", b"h0"))),
                    Op(b"SET", r.choice((b"s0", b"s1")), b"1", *r.choice(((), (b"GET",)))),
                    Op(b"HGET", b"h0", b"f"),
                    Op(b"COPY", b"s0", b"s1"),
                    Op(b"RENAME", b"s1", b"none"),
                    Op(b"EXISTS", b"s0", b"h0", b"none"),
                    Op(b"PUBLISH", r.choice((b"a", b"news", b"x")), b"m"),
                    Op(b"SELECT", r.choice((b"0", b"1"))),
                    Op(b"CLIENT", b"GETNAME"),
                    Op(b"CONFIG", b"GET", b"timeout"),
                    Op(b"CONFIG", b"SET", b"timeout", b"0"),
                    Op(b"ACL", b"WHOAMI"),
                    Op(b"EVAL", b"return redis.pcall('get', 's0')", b"0"),
                    Op(b"EVAL", b"return redis.call('set', KEYS[1], 'v')", b"1", b"s0"),
                    Op(b"EVAL_RO", b"return redis.acl_check_cmd('hget', 'h0', 'f')", b"0"),
                    Op(b"EVAL", b"return redis.pcall('publish', 'news', 'm')", b"0"),
                    Op(b"MGET", b"s0", b"s1", b"h0"),
                    Op(b"MSET", b"s0", b"1", b"s1", b"2"),
                    Op(b"NOSUCH", b"x"),
                    Op(b"GET"),
                )
            )
        )
    ops.append(Op(b"RESET", rows=("RESET",)))
    guest.run(ops)
    guest.close()
