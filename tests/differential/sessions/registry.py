"""Where sessions register: (weight, function(duel, r)), with the rows they can produce."""

from commands.registry import rows

SESSIONS = []


def session(weight, *names):
    rows(*names)

    def register(function):
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
