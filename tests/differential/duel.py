"""The two servers face to face: the same operations to both, replies compared one by one."""

import collections
import itertools
import re
import time

import allowed
import shrink
import values
from normalisations import patterns_sorted
from operation import Op
from wire import Closed, Socket, encode, is_message, parse

_NONCES = itertools.count(1)
_MAX_FAILURES = 2000
_SIDES = ("redis", "mortise")
PASSWORD = b"open sesame"

# What sessions change and a session that breaks off does not change back.
ORDINARY_SETTINGS = (
    (b"set-max-intset-entries", b"512"),
    (b"hash-max-listpack-entries", b"512"),
    (b"hash-max-listpack-value", b"64"),
    (b"zset-max-listpack-entries", b"128"),
    (b"zset-max-listpack-value", b"64"),
    (b"list-max-listpack-size", b"-2"),
    (b"slowlog-log-slower-than", b"10000"),
    (b"slowlog-max-len", b"128"),
    (b"latency-monitor-threshold", b"0"),
)


class Diverged(Exception):
    """The replies differed: the state of both servers may differ too; start afresh."""


class Finished(Exception):
    """Enough commands compared, or enough mismatches seen."""


class Duel:
    """Owns the pairs of connections and the counts of what was compared."""

    def __init__(self, ports, coverage, out, max_mismatches=20, fault=None):
        self.ports = ports
        self.coverage = coverage
        self.fault = fault  # (op, raw) -> raw, applied to the second side by the self-test
        self.passed = 0
        self.failed = 0
        self.history = collections.deque(maxlen=600)
        self.links = {}
        self.control = [Socket(port) for port in ports]  # to look at the clients there are
        self.signatures = collections.Counter()
        self._judged = set()
        self._out = out
        self._max_mismatches = max_mismatches

    def link(self, name, proto=2):
        """The named pair of connections, opened when it is not there."""
        if name not in self.links:
            self.links[name] = Link(self, name, proto)
        return self.links[name]

    def afresh(self):
        """Both servers empty and without clients of ours but one."""
        try:
            for link in list(self.links.values()):
                link.close()
        except (Closed, TimeoutError, ValueError) as error:
            raise Finished("a server does not answer: %s" % error) from error
        self.history.clear()
        commands = (
            (b"AUTH", PASSWORD),
            (b"CONFIG", b"SET", b"requirepass", b""),
            (b"ACL", b"DELUSER", b"alice", b"bob"),
            (b"CLIENT", b"UNPAUSE"),
            (b"CONFIG", b"SET", b"notify-keyspace-events", b""),
            (b"CONFIG", b"SET", *(word for pair in ORDINARY_SETTINGS for word in pair)),
            (b"FLUSHALL",),
            (b"FUNCTION", b"FLUSH"),
        )
        for port in self.ports:
            side = Socket(port)
            try:
                side.send(b"".join(encode(args) for args in commands))
                for _ in commands:
                    side.read()
            except (Closed, TimeoutError, ValueError) as error:
                raise Finished(
                    "the server on port %d does not answer: %s" % (port, error)
                ) from error
            side.close()

    def compared(self, op, raws, before, context):
        """Counts one comparison; returns whether the replies agree."""
        a, b = raws
        if a == b or self._equivalent(op, a, b, before):
            self.passed += 1
            if op.rows and not op.queued:
                self.coverage.count(op.rows, error=a[0] in b"-!")
            return True
        self.failed += 1
        self._report(op, a, b, context)
        return False

    def mismatch(self, op, a, b, context):
        """A difference that is not one of replies: a closed connection, a missing reply."""
        self.failed += 1
        self._report(op, a, b, context)
        raise Diverged

    def same(self, op, raws, before):
        """As `compared`, without counting: for replays."""
        return raws[0] == raws[1] or self._equivalent(op, raws[0], raws[1], before)

    def _equivalent(self, op, a, b, before):
        if op.queued or (op.norm is None and op.args[:1] == (b"LITERAL",) and not is_message(a)):
            return False
        # The table of commands comes again and again: each large pair of replies is judged once.
        again = len(a) > 8192 and op.args[0].upper() == b"COMMAND"
        case = (op.args, a, b) if again else None
        if case in self._judged:
            return True
        same = self._means_the_same(op, a, b, before)
        if same and again:
            self._judged.add(case)
        return same

    def _means_the_same(self, op, a, b, before):
        try:
            parsed = parse(a), parse(b)
        except (ValueError, IndexError):
            return False
        if op.norm is not None:
            parsed_before = None
            if before is not None:
                parsed_before = parse(before[0]), parse(before[1])
            if op.norm(op, parsed[0], parsed[1], parsed_before):
                return True
        return allowed.explanation(op, *parsed) is not None

    def _report(self, op, a, b, context):
        signature = (bytes(op.args[0]).upper() if op.args else b"raw", op.rows[:1], a[:28], b[:28])
        self.signatures[signature] += 1
        if self.failed >= _MAX_FAILURES:
            raise Finished("stopped after %d failures" % self.failed)
        if self.signatures[signature] > 2:
            return
        link, ops_before = context
        print(
            "\nMISMATCH on %s (RESP%d, db %d): %s"
            % (link.name, link.proto, link.db, op.text()[:1500]),
            file=self._out,
        )
        print("  redis:   %s\n  mortise: %s" % (_shown(a), _shown(b)), file=self._out)
        for line in self._reproduction(link, op, ops_before):
            print("  | " + line[:400], file=self._out)
        if sum(min(n, 1) for n in self.signatures.values()) >= self._max_mismatches:
            raise Finished("stopped after %d distinct mismatches" % self._max_mismatches)

    def _reproduction(self, link, op, ops_before):
        related = [o for o in (list(self.history) + list(ops_before)) if _related(o, op)]
        if self.fault is None and op.norm is None and not op.subst and not op.queued:
            minimal = shrink.shrunk(self, link.proto, link.db, related, op)
            if minimal is not None:
                return ["shrunk to:"] + [o.text() for o in minimal + [op]]
        return ["before (same keys):"] + [o.text() for o in related[-8:]]


class _Broken(Exception):
    """A side that stopped answering: which one, and after how many replies."""

    def __init__(self, index, replies, text):
        super().__init__(text)
        self.index = index
        self.replies = replies


def _related(candidate, op):
    if not candidate.args or candidate.subst:
        return False
    mine = set(op.args[1:]) & values.ALL_KEYS
    if mine & set(candidate.args[1:]):
        return True
    return candidate.args[0].upper() in (b"FLUSHALL", b"FLUSHDB", b"SWAPDB", b"SELECT", b"MOVE")


def _shown(raw):
    return repr(raw[:600])[1:] + ("… %d bytes" % len(raw) if len(raw) > 600 else "")


class Link:
    """A pair of connections, one to each server, that get the same bytes."""

    def __init__(self, duel, name, proto=2):
        self.duel = duel
        self.name = name
        self.proto = 2
        self.db = 0
        self.sides = [Socket(port) for port in duel.ports]
        self.ids = []
        self.saved = [b"", b""]  # what @SAVED:link@ in the args of an Op stands for
        for index, side in enumerate(self.sides):
            number = parse(side.ask(b"CLIENT", b"ID"))[1]
            self.ids.append(number if isinstance(number, int) else self._id_by_address(index))
        if proto == 3:
            for side in self.sides:
                side.ask(b"HELLO", b"3")
            self.proto = 3

    def _id_by_address(self, index):
        """For a connection that may not ask because it is not authenticated."""
        clients = self.duel.control[index].ask(b"CLIENT", b"LIST")
        found = re.search(rb"id=(\d+) addr=%s " % re.escape(self.sides[index].address), clients)
        return int(found.group(1)) if found else 0

    def close(self):
        """Closes both and waits until both servers know: they list their clients."""
        for index, side in enumerate(self.sides):
            side.close()
            for _ in range(300):
                line = self.duel.control[index].ask(
                    b"CLIENT", b"LIST", b"ID", b"%d" % self.ids[index]
                )
                if b" addr=" not in line:
                    break
                time.sleep(0.0005)
        if self.duel.links.get(self.name) is self:
            del self.duel.links[self.name]

    def run(self, ops, sentinel=True):
        """Sends ops pipelined and compares every reply and message; raises Diverged.

        The closing PING (sentinel) collects messages; leave it out where it would be queued.
        """
        if sentinel:
            ops = ops + [Op(b"PING", b"nonce-%d" % next(_NONCES))]
        try:
            received = self._exchange(ops)
        except _Broken as error:
            owners = [op for op in ops for _ in range(op.expect)]
            sides = [b"replies", b"replies"]
            sides[error.index] = str(error).encode()
            self.duel.mismatch(
                owners[error.replies], *sides, (self, ops[: ops.index(owners[error.replies])])
            )
        if self.duel.fault is not None:
            received[1] = self._faulty(ops, received[1])
        self._compare(ops, received)
        for op in ops:
            if op.args and not op.queued:
                self._follow(op)
                self.duel.history.append(op)
        return received[0]

    def _exchange(self, ops):
        for index, side in enumerate(self.sides):
            try:
                side.send(b"".join(self._bytes(op, index) for op in ops))
            except Closed as error:
                raise _Broken(index, 0, "%s: %s" % (_SIDES[index], error)) from error
        expected = sum(op.expect for op in ops)
        received = []
        for index, side in enumerate(self.sides):
            items = []
            replies = 0
            while replies < expected:
                try:
                    raw = side.read()
                except (Closed, TimeoutError, ValueError) as error:
                    raise _Broken(
                        index,
                        replies,
                        "%s: %s after %d of %d replies" % (_SIDES[index], error, replies, expected),
                    ) from error
                items.append(raw)
                if not is_message(raw):
                    replies += 1
            received.append(items)
        return received

    def _bytes(self, op, index):
        if op.raw is not None:
            return op.raw
        if op.subst:
            return encode([self._substituted(arg, index) for arg in op.args])
        return encode(op.args)

    def _substituted(self, arg, index):
        if not arg.startswith((b"@ID:", b"@ADDR:", b"@LADDR:", b"@SAVED:")):
            return arg
        what, name = arg[1:-1].decode().split(":")
        link = self.duel.links[name]
        if what == "SAVED":
            return link.saved[index]
        if what == "ID":
            return b"%d" % link.ids[index]
        return link.sides[index].address if what == "ADDR" else link.sides[index].peer

    def _faulty(self, ops, items):
        owner = iter([op for op in ops for _ in range(op.expect)])
        out = []
        for raw in items:
            op = Op(b"LITERAL", b"message") if is_message(raw) else next(owner)
            changed = self.duel.fault(op, raw)
            if changed is not None:
                out.append(changed)
        return out

    def _compare(self, ops, received):
        a_items, b_items = (allowed.in_one_order(patterns_sorted(side)) for side in received)
        owners = iter([op for op in ops for _ in range(op.expect)])
        before = None
        good = True
        done = []
        for a, b in itertools.zip_longest(a_items, b_items, fillvalue=b"nothing"):
            if is_message(a):
                op = Op(b"LITERAL", b"message")
            else:
                op = next(owners, Op(b"LITERAL", b"reply too many"))
            context = (self, done)
            good &= self.duel.compared(op, (a, b), before, context)
            if is_message(a) != is_message(b) or b"nothing" in (a, b):
                self.duel.mismatch(op, a, b, context)
            before = (a, b)
            done.append(op)
        if not good:
            raise Diverged

    def _follow(self, op):
        name = op.args[0].upper()
        if (
            name == b"SELECT"
            and len(op.args) == 2
            and op.args[1].isdigit()
            and int(op.args[1]) < 16
        ):
            self.db = int(op.args[1])
        elif name == b"RESET" and len(op.args) == 1:
            self.db, self.proto = 0, 2
        elif name == b"HELLO" and len(op.args) > 1 and op.args[1] in (b"2", b"3") and op.rows:
            self.proto = int(op.args[1])

    def send_only(self, op):
        """For a command whose reply comes later."""
        for index, side in enumerate(self.sides):
            side.send(self._bytes(op, index))

    def expect_close(self, op, data=b""):
        """Sends data to both; everything up to the close must be the same."""
        seen = []
        for side in self.sides:
            try:
                side.send(data)
            except Closed:
                pass
        for side in self.sides:
            side.settimeout(3)
            try:
                seen.append(side.read_to_end())
            except TimeoutError:
                seen.append(b"connection left open")
        self.close()
        if self.duel.fault is not None:
            seen[1] = self.duel.fault(op, seen[1])
        if not self.duel.compared(op, seen, None, (self, [])):
            raise Diverged
