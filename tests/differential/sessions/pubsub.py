"""Published messages and keyspace notifications: who receives what, in which order."""

import time

import stream
import values as v
from normalisations import unordered
from operation import Op

from .registry import any_link, session

_KINDS = (
    (b"SUBSCRIBE", b"UNSUBSCRIBE", v.channel),
    (b"PSUBSCRIBE", b"PUNSUBSCRIBE", v.pattern),
    (b"SSUBSCRIBE", b"SUNSUBSCRIBE", v.channel),
)


class _Subscriber:
    """A link and the names it is subscribed to, by kind: needed to know how many replies come."""

    def __init__(self, link):
        self.link = link
        self.names = {kind[0]: set() for kind in _KINDS}

    def subscribe(self, r):
        command, _, name = r.choice(_KINDS)
        chosen = [name(r) for _ in range(r.randint(1, 3))]
        self.names[command].update(chosen)
        return Op(v.cased(r, command), *chosen, rows=(command.decode(),), expect=len(chosen))

    def unsubscribe(self, r):
        command, opposite, name = r.choice(_KINDS)
        mine = self.names[command]
        if len(mine) <= 1 and r.random() < 0.5:
            mine.clear()
            return Op(v.cased(r, opposite), rows=(opposite.decode(),))
        chosen = [name(r) for _ in range(r.randint(1, 3))]
        mine.difference_update(chosen)
        return Op(opposite, *chosen, rows=(opposite.decode(),), expect=len(chosen))

    def leave(self):
        ops = [
            Op(opposite, *sorted(self.names[command]), expect=len(self.names[command]))
            for command, opposite, _ in _KINDS
            if self.names[command]
        ]
        self.link.run(ops)


@session(
    5,
    "SUBSCRIBE",
    "UNSUBSCRIBE",
    "PSUBSCRIBE",
    "PUNSUBSCRIBE",
    "SSUBSCRIBE",
    "SUNSUBSCRIBE",
    "PUBLISH",
    "SPUBLISH",
    "PUBSUB/CHANNELS",
    "PUBSUB/CHANNELS pattern",
    "PUBSUB/NUMSUB",
    "PUBSUB/NUMPAT",
    "PUBSUB/SHARDCHANNELS",
    "PUBSUB/SHARDCHANNELS pattern",
    "PUBSUB/SHARDNUMSUB",
    "PUBSUB/HELP",
)
def messages(duel, r):
    subscribers = [_Subscriber(duel.link("sub2", 2)), _Subscriber(duel.link("sub3", 3))]
    publisher = any_link(duel, r)
    for _ in range(r.randint(3, 8)):
        subscriber = r.choice(subscribers)
        ops = [
            subscriber.subscribe(r) if r.random() < 0.65 else subscriber.unsubscribe(r)
            for _ in range(r.randint(1, 4))
        ]
        if subscriber.link.proto == 3:
            ops.insert(r.randint(0, len(ops)), _publish(r))
            ops.append(r.choice((Op(b"PING"), Op(b"GET", b"s0", rows=("GET",)))))
        elif any(subscriber.names.values()):
            ops.append(
                r.choice(
                    (
                        Op(b"PING"),
                        Op(b"PING", b"x"),
                        Op(b"GET", b"s0"),
                        Op(b"PUBLISH", b"a", b"b"),
                        Op(b"CLIENT", b"ID"),
                        Op(b"MULTI"),
                        Op(b"HELLO", b"9"),
                        Op(b"NOSUCH"),
                    )
                )
            )
            if ops[-1].args[0] == b"MULTI":
                ops[-1] = Op(b"EXEC")
        subscriber.link.run(ops)
        publisher.run(
            [_publish(r) if r.random() < 0.7 else _ask(r) for _ in range(r.randint(2, 10))]
        )
        for each in subscribers:
            each.link.run([])
    for each in subscribers:
        each.leave()


def _publish(r):
    pick = r.random()
    if pick < 0.6:
        return Op(v.cased(r, b"PUBLISH"), v.channel(r), v.value(r), rows=("PUBLISH",))
    if pick < 0.9:
        return Op(b"SPUBLISH", v.channel(r), v.value(r), rows=("SPUBLISH",))
    return Op(
        b"EVAL",
        b"return redis.call('publish', KEYS[1], ARGV[1])",
        b"1",
        v.channel(r),
        v.short_value(r),
    )


def _ask(r):
    sub = r.choice((b"CHANNELS", b"NUMSUB", b"NUMPAT", b"SHARDCHANNELS", b"SHARDNUMSUB", b"HELP"))
    row = "PUBSUB/" + sub.decode()
    args = []
    norm = None
    if sub.endswith(b"CHANNELS"):
        norm = unordered
        if r.random() < 0.6:
            args = [v.pattern(r)]
            row += " pattern"
    elif sub.endswith(b"NUMSUB"):
        args = [v.channel(r) for _ in range(r.randint(0, 3))]
    return Op(b"PUBSUB", v.cased(r, sub), *args, rows=(row,), norm=norm)


_CLASSES = (
    b"KEA",
    b"AKE",
    b"Kg",
    b"E$",
    b"KEh",
    b"Exg",
    b"KEm",
    b"KEn",
    b"KEAmn",
    b"KEl",
    b"KEs",
    b"Ez",
    b"Klsz",
    b"Eln",
    b"K$gh",
    b"E",
    b"A",
    b"g$lshzxet",
    b"KEd",
    b"EKxe",
)


@session(5, "CONFIG/SET notify-keyspace-events")
def notifications(duel, r):
    worker = any_link(duel, r)
    listener = duel.link(*r.choice((("sub2", 2), ("sub3", 3))))
    classes = r.choice(_CLASSES)
    worker.run(
        [
            Op(
                b"CONFIG",
                b"SET",
                b"notify-keyspace-events",
                classes,
                rows=("CONFIG/SET notify-keyspace-events",),
            ),
            Op(b"CONFIG", b"GET", b"notify-keyspace-events", rows=("CONFIG/GET",)),
        ]
    )
    pattern = r.choice(
        (b"__key*__:*", b"__keyspace@*", b"__keyevent@0__:*", b"__keyevent@?__:[sdhe]*")
    )
    listener.run([Op(b"PSUBSCRIBE", pattern, rows=("PSUBSCRIBE",))])
    ops = stream.data_batch(r, r.randint(15, 45))
    if b"m" in classes:  # sorting a set misses keys in no defined order
        ops = [op for op in ops if not op.args[0].upper().startswith(b"SORT")]
    worker.run(ops)
    listener.run([Op(b"PUNSUBSCRIBE", pattern, rows=("PUNSUBSCRIBE",))])
    worker.run([Op(b"CONFIG", b"SET", b"notify-keyspace-events", b"")])


@session(0.5)
def expired_event(duel, r):
    """One key, so that the order of events does not depend on when each server looks."""
    worker = any_link(duel, r)
    listener = duel.link("sub3", 3)
    worker.run(
        [
            Op(b"CONFIG", b"SET", b"notify-keyspace-events", b"KEA"),
            Op(b"SELECT", b"0", rows=("SELECT",)),
        ]
    )
    listener.run([Op(b"PSUBSCRIBE", b"__key*__:*", rows=("PSUBSCRIBE",))])
    worker.run([Op(b"SET", b"x0", b"v", b"PX", b"60"), Op(b"HSET", b"x1", b"f", b"v")])
    time.sleep(0.09)
    worker.run([Op(b"EXISTS", b"x0"), Op(b"SET", b"x0", b"w", b"NX"), Op(b"DEL", b"x0", b"x1")])
    listener.run([Op(b"PUNSUBSCRIBE", b"__key*__:*", rows=("PUNSUBSCRIBE",))])
    worker.run([Op(b"CONFIG", b"SET", b"notify-keyspace-events", b"")])
