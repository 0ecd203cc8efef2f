"""Plays random sessions and scripts until enough was compared."""

import sessions.data  # noqa: F401 - importing registers the sessions
import sessions.lifecycle  # noqa: F401
import sessions.pubsub  # noqa: F401
import sessions.tour  # noqa: F401
import stream  # noqa: F401 - importing registers the generators
from commands.registry import ROWS  # noqa: F401
from duel import Diverged
from operation import Op
from sessions.registry import SESSIONS

FULL_RUN = 200_000  # commands from which on the coverage table is a requirement
_SCRIPTS_PER_BATCH = 40


def play_commands(duel, r, count):
    """Compares count replies, and up to half as many more while rows of the table need it."""
    functions = [function for _, function in SESSIONS]
    weights = [weight for weight, _ in SESSIONS]
    start = duel.passed + duel.failed
    while True:
        done = duel.passed + duel.failed - start
        if done >= count and (
            count < FULL_RUN or done > 1.5 * count or not duel.coverage.missing()
        ):
            return
        session = r.choices(functions, weights)[0]
        try:
            session(duel, r)
        except Diverged:
            duel.afresh()


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
