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

_SCRIPTS_PER_BATCH = 40


def play_commands(duel, r, count):
    """Compares count replies, more or less."""
    functions = [function for _, function in SESSIONS]
    weights = [weight for weight, _ in SESSIONS]
    goal = duel.passed + duel.failed + count
    while duel.passed + duel.failed < goal:
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
        batch = [op for _ in range(min(left, _SCRIPTS_PER_BATCH)) for op in scripts.generate.operations(r)]
        left -= _SCRIPTS_PER_BATCH
        try:
            version = r.choice((2, 3))
            link = duel.link("lua%d" % version, version)
            link.run(batch)
        except Diverged:
            duel.afresh()
