"""The clients of one life of the server: threads that note what was answered until it is killed.

What they know lives in this process, which nobody kills: an answer that was read is on record.
"""

import threading
import time

import wire
from client_model import OK, RELEASE, RENEW, ClientModel, integer, sha
from lock_record import LEASE_MS_MAX, SLACK_S

DEPTHS = (1, 1, 1, 2, 4, 8)
LOCKS = (b"lock:0", b"lock:1", b"lock:2")
LEASES_MS = (60, 150, 400, 400, 400, LEASE_MS_MAX)
CONNECTION_LOST = (wire.Closed, ConnectionError)


class Life:
    """What the threads share while one process of the server lives."""

    def __init__(self, port):
        self.port = port
        self.stopping = False  # the orderly end is near: finish what was sent
        self.faults = []
        self.seen_marks = {}  # key → greatest number that anybody read there, and when

    def saw_mark(self, key, number, now):
        if number > self.seen_marks.get(key, (0, 0))[0]:
            self.seen_marks[key] = (number, now)


class Client:
    """One connection at a time. run() ends when it does."""

    def __init__(self, random):
        self.random = random
        self.life = None
        self.connection = None
        self.answers = 0

    def start(self, life):
        self.life = life
        thread = threading.Thread(target=self._live, daemon=True)
        thread.start()
        return thread

    def _live(self):
        try:
            self.connection = wire.Socket(self.life.port)
            while not self.life.stopping:
                self.step()
        except CONNECTION_LOST:
            pass
        except TimeoutError:
            self.fault(f"{type(self).__name__}: no answer")
        finally:
            if self.connection is not None:
                self.connection.close()

    def fault(self, text):
        self.life.faults.append(text)

    def ask(self, *request):
        reply = self.connection.ask(*request)
        self.answers += 1
        return reply

    def expect(self, reply, expected, what):
        if reply != expected:
            self.fault(f"{what}: answered {reply!r} instead of {expected!r}")


class KeyClient(Client):
    """Writes keys of its own, one to eight operations at a time."""

    def __init__(self, number, random):
        super().__init__(random)
        self.model = ClientModel(number, random)

    def step(self):
        batch = [self.model.make() for _ in range(self.random.choice(DEPTHS))]
        requests = [request for operation in batch for request in operation.requests]
        now = time.monotonic()
        for operation in batch:
            operation.sent = now
        self.connection.send(b"".join(map(wire.encode, requests)))
        for operation in batch:
            self._read(operation)

    def _read(self, operation):
        for _ in operation.requests[:-1]:
            reply = self.connection.read()
            if reply not in (OK, b"+QUEUED\r\n"):
                self.fault(f"{operation.requests}: answered {reply!r}")
        wrong = self.model.accept(operation, self.connection.read())
        self.answers += 1
        if wrong:
            self.fault(wrong)


class LockClient(Client):
    """Takes, renews and releases locks that others want, too, and reads their tokens."""

    def __init__(self, number, random, record):
        super().__init__(random)
        self.record = record
        self._name = b"L%d" % number
        self._taken = 0
        self._holding = None

    def forget_everything(self):
        self._holding = None

    def step(self):
        if self._holding is not None and self._holding.release_sent is not None:
            self._holding = None  # asked for when the server was killed
        if self._holding is None:
            self._take()
        elif self.random.randrange(4) == 0:
            self._renew()
        else:
            self._use_token()
            self._release()

    def _take(self):
        self._taken += 1
        lock, ms = self.random.choice(LOCKS), self.random.choice(LEASES_MS)
        owner = b"%s-%d" % (self._name, self._taken)
        holding, floor = self.record.asks(lock, owner, time.monotonic(), ms)
        reply = self.ask(b"SET", lock, owner, b"NX", b"PX", b"%d" % ms)
        if reply != OK:
            self.record.refused(holding)
            return self.expect(reply, b"$-1\r\n", lock)
        self.record.granted(holding, time.monotonic())
        self._holding = holding
        holding.token = self._read_token(holding)
        if holding.token is not None:
            self.record.saw_token(holding.token, floor, lock)

    def _is_over(self, holding):
        """Perhaps."""
        return time.monotonic() > holding.earliest_end - SLACK_S

    def _read_token(self, holding):
        reply = self.ask(b"FENCE.TOKEN", holding.lock, b"OWNER", holding.owner)
        if reply.startswith(b":"):
            return int(reply[1:])
        if not self._is_over(holding):
            self.fault(f"{holding.owner} has {holding.lock}, its token is {reply!r}")
        return None

    def _use_token(self):
        holding, resource = self._holding, b"res:" + self._holding.lock
        if holding.token is None:
            return
        reply = self.ask(b"FENCE.CHECK", resource, b"%d" % holding.token)
        if reply == OK:
            self.record.saw_check(resource, holding.token)
        elif not self._is_over(holding):
            self.fault(f"{holding.owner} has {holding.lock}, FENCE.CHECK says {reply!r}")

    def _renew(self):
        holding, ms, sent = self._holding, self.random.choice(LEASES_MS), time.monotonic()
        self.record.renews(holding, sent, ms)
        is_held = not self._is_over(holding)
        request = (b"EVALSHA", sha(RENEW), b"1", holding.lock, holding.owner, b"%d" % ms)
        reply = self.ask(*request)
        if reply == integer(1):
            return self.record.renewed(holding, sent, time.monotonic(), ms)
        self._holding = None
        if is_held and not self._is_over(holding):
            self.fault(f"{holding.owner} had {holding.lock}, its renewal says {reply!r}")

    def _release(self):
        holding = self._holding
        is_held = not self._is_over(holding)
        self.record.releases(holding, time.monotonic())
        reply = self.ask(b"EVALSHA", sha(RELEASE), b"1", holding.lock, holding.owner)
        is_held = is_held and not self._is_over(holding)
        holding.released = time.monotonic()
        self._holding = None
        if reply != integer(1) and is_held:
            self.fault(f"{holding.owner} had {holding.lock}, its release says {reply!r}")


class Reader(Client):
    """Looks at what the others write: what it saw once must be there after a crash."""

    def __init__(self, random, record, marks):
        super().__init__(random)
        self.record = record
        self._marks = marks

    def step(self):
        choice = self.random.randrange(4)
        if choice == 0:
            self.record.saw_counter(int(self.ask(b"INCR", b"g")[1:]))
        elif choice == 1:
            self.record.saw_last(self.record.last_token, int(self.ask(b"FENCE.LAST")[1:]))
        else:
            reply = wire.parse(self.ask(b"MGET", *self._marks))
            now = time.monotonic()
            for key, (_, text) in zip(self._marks, reply[1]):
                if text is not None:
                    self.life.saw_mark(key, int(text), now)


class Controller(Client):
    """Asks for snapshots now and then."""

    def __init__(self, random):
        super().__init__(random)
        self.snapshots = 0

    def step(self):
        time.sleep(self.random.random() * 0.3)
        reply = self.ask(b"BGREWRITEAOF")
        if reply.startswith(b"+"):
            self.snapshots += 1
