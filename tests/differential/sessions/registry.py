"""Where sessions register: (weight, function(duel, r)), with the rows they can produce."""

import re
import time

from commands.registry import rows

SESSIONS = []


def session(weight, *names):
    rows(*names)

    def register(function):
        function.rows = names
        SESSIONS.append((weight, function))
        return function

    return register


def any_link(duel, r):
    """One of the long-lived connections, of either protocol version."""
    name = r.choice(("a2", "b2", "a3", "b3"))
    return duel.link(name, int(name[1]))


def two_links(duel, r):
    first, second = r.sample(("a2", "b2", "a3", "b3"), 2)
    return duel.link(first, int(first[1])), duel.link(second, int(second[1]))


def are_blocked(duel, link):
    """Whether the client waits in a command, on each side."""
    return [
        re.search(rb" flags=[a-zA-Z]*b", side.ask(b"CLIENT", b"LIST", b"ID", b"%d" % number))
        is not None
        for side, number in zip(duel.control, link.ids)
    ]


def until_blocked(duel, link):
    """Waits until both servers have the client waiting, for so long as that may take."""
    for _ in range(300):
        if all(are_blocked(duel, link)):
            return
        time.sleep(0.0005)
