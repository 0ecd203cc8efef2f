"""SPOP in earnest: each side pops what it likes, then loses what the other popped."""

import values as v
from normalisations import unordered
from operation import Op
from wire import parse

from .registry import any_link, session


@session(4, "SPOP/random", "SPOP/random count")
def popped(duel, r):
    link = any_link(duel, r)
    key = r.choice(v.SET_KEYS[:3] + v.INTEGER_SET_KEYS + v.BIG_SET_KEYS)
    members = {v.member(r, key) for _ in range(r.randint(1, 60))}
    link.run([Op(b"SELECT", b"0"), Op(b"DEL", key), Op(b"SADD", key, *members, rows=("SADD",))])
    norm = None if key[:1] == b"i" else unordered
    for _ in range(4):
        count = r.choice((0, 0, 0, 1, 3, 10, 59, 100))
        words = [b"%d" % count] if count else []
        op = Op(
            b"SPOP", key, *words, rows=("SPOP/random count" if count else "SPOP/random",), norm=_any
        )
        raws = [side.ask(*op.args) for side in link.sides]
        if not duel.compared(op, raws, None, (link, [])):
            return
        taken = [_names(raw) for raw in raws]
        want = min(count, len(members)) if count else min(1, len(members))
        for side, names in zip(raws, taken):
            if len(names) != want or len(set(names)) != want or not members.issuperset(names):
                duel.mismatch(op, b"a draw", side, (link, []))
        for side, others in zip(link.sides, reversed(taken)):
            if others:
                side.ask(b"SREM", key, *others)
        members.difference_update(*taken)
        link.run(
            [Op(b"SCARD", key), Op(b"SMEMBERS", key, norm=norm), Op(b"OBJECT", b"ENCODING", key)]
        )


def _names(raw):
    kind, content = parse(raw)
    if content is None:
        return []
    return [content] if kind == "$" else [item[1] for item in content]


def _any(op, a, b, before):
    """Looked at by the session itself."""
    if a[0] != b[0]:
        return False
    return a[0] == "$" or len(a[1]) == len(b[1])
