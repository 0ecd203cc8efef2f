"""Plays random sessions and scripts until enough was compared."""

import sessions.blocking  # noqa: F401 - importing registers the sessions
import sessions.data  # noqa: F401
import sessions.encodings  # noqa: F401
import sessions.lifecycle  # noqa: F401
import sessions.payloads  # noqa: F401
import sessions.picks  # noqa: F401
import sessions.pubsub  # noqa: F401
import sessions.reports  # noqa: F401
import sessions.tour  # noqa: F401
import sessions.tracking  # noqa: F401
import sessions.users  # noqa: F401
import stream  # importing registers the generators
from commands.registry import GENERATORS, ROWS  # noqa: F401
from duel import Diverged
from operation import Op
from sessions.registry import SESSIONS, any_link

FULL_RUN = 100_000  # commands from which on the coverage table is a requirement
_SCRIPTS_PER_BATCH = 40


def play_commands(duel, r, count):
    """Compares count replies, and up to three times as many for rows of the table that need it.

    The last third goes to those rows before anything else.
    """
    functions = [function for _, function in SESSIONS]
    weights = [weight for weight, _ in SESSIONS]
    start = duel.passed + duel.failed
    while True:
        done = duel.passed + duel.failed - start
        missing = duel.coverage.missing() if count >= FULL_RUN and done > count * 2 // 3 else []
        if done >= count and (not missing or done > 3 * count):
            return
        session = _producing(r, missing) if missing else r.choices(functions, weights)[0]
        try:
            session(duel, r)
        except Diverged:
            duel.afresh()


def _producing(r, missing):
    """A session that can produce one of the rows that are missing."""
    row = r.choice(missing)
    sessions = [function for _, function in SESSIONS if row in function.rows]
    if sessions:
        return r.choice(sessions)
    functions = [function for _, function in GENERATORS if row in function.rows]

    def play(duel, r):
        any_link(duel, r).run(
            [op for _ in range(20) for op in stream.drawn(r, r.choice(functions))]
        )

    return play


def play_scripts(duel, r, count):
    """Runs count random scripts on both servers."""
    import scripts.generate

    duel.afresh()
    left = count
    while left > 0:
        batch = [
            op
            for _ in range(min(left, _SCRIPTS_PER_BATCH))
            for op in scripts.generate.operations(r)
        ]
        left -= _SCRIPTS_PER_BATCH
        try:
            version = r.choice((2, 3))
            link = duel.link("lua%d" % version, version)
            link.run(batch)
        except Diverged:
            duel.afresh()
