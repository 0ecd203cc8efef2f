"""What one client did and what its keys must then be.

A client writes keys of its own only, so that after a crash they must be as they were behind some
number of its operations: never half of one, never one without those before it. Values carry the
number of the operation, so every state is another.
"""

import hashlib
import time

LONG_MS = 3_600_000
# The server reads the clock once per run of requests, and counts whole milliseconds.
SLACK_S = 0.02

HOLD = b"""
local count = redis.call('hincrby', KEYS[1], ARGV[1], 1)
redis.call('pexpire', KEYS[1], ARGV[2])
redis.call('set', KEYS[2], ARGV[3])
return count
"""
LET_GO = b"""
local left = redis.call('hincrby', KEYS[1], ARGV[1], -1)
if left <= 0 then redis.call('hdel', KEYS[1], ARGV[1]) end
redis.call('set', KEYS[2], ARGV[2])
return left
"""
RELEASE = b"""
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('del', KEYS[1])
"""
RENEW = b"""
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('pexpire', KEYS[1], ARGV[2])
"""
SCRIPTS = (HOLD, LET_GO, RELEASE, RENEW)


def sha(script):
    return hashlib.sha1(script).hexdigest().encode()


def integer(number):
    return b":%d\r\n" % number


def bulk(text):
    return b"$-1\r\n" if text is None else b"$%d\r\n%s\r\n" % (len(text), text)


OK = b"+OK\r\n"


class Operation:
    """One request, or a transaction of several, and its effect."""

    __slots__ = ("requests", "expected", "changes", "lease", "sent", "acked", "void")

    def __init__(self, *request, expected, changes=(), lease=None):
        self.requests = [request]
        self.expected = expected  # the last reply; None: see ClientModel.accept
        self.changes = list(changes)  # (key, value after it; None: gone)
        self.lease = lease  # (key, value, ms): a key that ends soon
        self.sent = self.acked = None
        self.void = False

    def is_strict(self):
        return any(key.startswith(b"pay:") for key, _ in self.changes)

    def has_effect(self):
        return bool(self.changes) or self.lease is not None


class ClientModel:
    """Keys: strings s, integers i, lists l, re-entrant locks h, plain locks x (both with long
    leases), leases e (short, each name once), mark: the number of the last operation that says
    so; pay: strings and a mark under the stricter policy."""

    def __init__(self, number, random):
        self.name = b"c%d:" % number
        self._random = random
        self.state = {}  # as of all that was sent
        self.operations = []  # since the last start
        self._base = {}
        self._base_leases = {}  # key → (value, earliest end, latest end)
        self.first_number = self.next_number = 1

    def forget_everything(self):
        """The directory was replaced by an empty one."""
        self._base, self._base_leases, self.state = {}, {}, {}
        self.operations = []
        self.first_number = self.next_number

    # --- operations

    def make(self):
        """The next operation, applied to `state`."""
        makers = (
            (self._set, 3), (self._incr, 3), (self._push, 3), (self._delete, 1), (self._get, 1),
            (self._transaction, 3), (self._hold, 4), (self._let_go, 3), (self._lock, 3),
            (self._release, 3), (self._lease, 3), (self._renew, 2), (self._mark, 2),
            (self._pay, 3),
        )  # fmt: skip
        kinds, weights = zip(*makers)
        operation = None
        while operation is None:
            operation = self._random.choices(kinds, weights)[0](b"%d" % self.next_number)
        self.next_number += 1
        for key, value in operation.changes:
            put(self.state, key, value)
        self.operations.append(operation)
        return operation

    def _key(self, kind, count):
        return b"%s%s%d" % (self.name, kind, self._random.randrange(count))

    def _set(self, n):
        key = self._key(b"s", 8)
        return Operation(b"SET", key, n, expected=OK, changes=[(key, n)])

    def _mark(self, n):
        key = self.name + b"mark"
        return Operation(b"SET", key, n, expected=OK, changes=[(key, n)])

    def _incr(self, _):
        key = self._key(b"i", 3)
        value = int(self.state.get(key, b"0")) + 1
        return Operation(
            b"INCR", key, expected=integer(value), changes=[(key, b"%d" % value)]
        )

    def _push(self, n):
        key = self._key(b"l", 2)
        now = self.state.get(key, ())
        if len(now) >= 8:
            return Operation(b"LPOP", key, expected=bulk(now[0]), changes=[(key, now[1:])])
        after = now + (n,)
        return Operation(
            b"RPUSH", key, n, expected=integer(len(after)), changes=[(key, after)]
        )

    def _delete(self, _):
        key = self._key(b"s", 8)
        there = 1 if key in self.state else 0
        return Operation(b"DEL", key, expected=integer(there), changes=[(key, None)] * there)

    def _get(self, _):
        key = self._key(b"s", 8)
        return Operation(b"GET", key, expected=bulk(self.state.get(key)))

    def _transaction(self, n):
        parts = [self._set(n), self._incr(n), self._push(n), self._mark(n)]
        if self._random.randrange(4) == 0:
            parts.append(self._pay(n))
        whole = Operation(
            b"MULTI",
            expected=b"*%d\r\n" % len(parts) + b"".join(part.expected for part in parts),
            changes=[change for part in parts for change in part.changes],
        )
        whole.requests += [part.requests[0] for part in parts] + [(b"EXEC",)]
        return whole

    def _hold(self, n):
        key, owner, mark = self._key(b"h", 3), b"o%d" % (int(n) % 2), self.name + b"mark"
        fields = dict(self.state.get(key, ()))
        fields[owner] = b"%d" % (int(fields.get(owner, b"0")) + 1)
        return Operation(
            b"EVALSHA", sha(HOLD), b"2", key, mark, owner, b"%d" % LONG_MS, n,
            expected=integer(int(fields[owner])),
            changes=[(key, frozenset(fields.items())), (mark, n)],
        )  # fmt: skip

    def _let_go(self, n):
        key, mark = self._key(b"h", 3), self.name + b"mark"
        fields = dict(self.state.get(key, ()))
        if not fields:
            return None
        owner = self._random.choice(sorted(fields))
        left = int(fields.pop(owner)) - 1
        if left > 0:
            fields[owner] = b"%d" % left
        return Operation(
            b"EVALSHA", sha(LET_GO), b"2", key, mark, owner, n,
            expected=integer(left),
            changes=[(key, frozenset(fields.items()) or None), (mark, n)],
        )  # fmt: skip

    def _lock(self, n):
        key = self._key(b"x", 3)
        free = key not in self.state
        return Operation(
            b"SET", key, n, b"NX", b"PX", b"%d" % LONG_MS,
            expected=OK if free else b"$-1\r\n", changes=[(key, n)] if free else [],
        )  # fmt: skip

    def _release(self, n):
        key = self._key(b"x", 3)
        held = self.state.get(key)
        owner = held if held and self._random.randrange(4) else n
        gone = 1 if owner == held else 0
        return Operation(
            b"EVALSHA", sha(RELEASE), b"1", key, owner,
            expected=integer(gone), changes=[(key, None)] * gone,
        )  # fmt: skip

    def _lease(self, n):
        key, ms = self.name + b"e" + n, self._random.choice((60, 300, 900, 20_000))
        return Operation(
            b"SET", key, n, b"NX", b"PX", b"%d" % ms, expected=OK, lease=(key, n, ms)
        )

    def _renew(self, _):
        made = [one for one in self.operations[-30:] if one.lease and not one.void]
        if not made:
            return None
        key, value, _ = self._random.choice(made).lease
        ms = self._random.choice((200, 800))
        return Operation(b"PEXPIRE", key, b"%d" % ms, expected=None, lease=(key, value, ms))

    def _pay(self, n):
        key = self._random.choice((b"mark", b"a", b"b"))
        key = b"pay:" + self.name + key
        return Operation(b"SET", key, n, expected=OK, changes=[(key, n)])

    # --- replies

    def accept(self, operation, reply):
        """None, or what is wrong with it."""
        operation.acked = time.monotonic()
        if reply == operation.expected:
            return None
        if operation.expected is None and reply == b":1\r\n":
            return None
        if operation.expected is None and reply == b":0\r\n":
            operation.void = True  # the lease had ended: it is there no more
            key = operation.lease[0]
            index = self.operations.index(operation)
            before = self._leases_after(index, operation.acked).get(key)
            if before is None or operation.acked > before[1] - SLACK_S:
                return None
        return f"{operation.requests}: answered {reply!r} instead of {operation.expected!r}"

    # --- after a start

    def settle(self, look, least, killed_at):
        """The keys that `look` found (see keys_seen.py) must be as behind at least `least`
        operations. The model goes on from there. Returns the fewest and the most that it may be
        (a key may come and go); raises ValueError with what is wrong."""
        mine = (self.name, b"pay:" + self.name)
        seen = {key: one for key, one in look.keys.items() if key.startswith(mine)}
        for key, one in seen.items():
            self._check_long_lease(key, one)
        exact = {key: one.value for key, one in seen.items() if not self._is_short(key)}
        counts = list(self._counts(exact))
        for count in reversed(counts):
            if count >= least and self._wrong_lease(count, look, killed_at) is None:
                self._go_on(count, exact, killed_at)
                return counts[0], count
        raise ValueError(f"{self.name!r}: {self._explain(exact, counts, least, look, killed_at)}")

    def _is_short(self, key):
        return key.startswith(self.name + b"e")

    def _check_long_lease(self, key, one):
        if self._is_short(key):
            return
        wants = key.startswith((self.name + b"h", self.name + b"x"))
        if (one.pttl > LONG_MS / 2) if wants else one.pttl == -1:
            return
        raise ValueError(f"{key!r} has {one.pttl} ms to live")

    def _counts(self, exact):
        """The numbers of operations behind which the keys without short leases are `exact`."""
        state = dict(self._base)
        differing = {key for key in state.keys() | exact.keys() if state.get(key) != exact.get(key)}
        if not differing:
            yield 0
        for index, operation in enumerate(self.operations):
            for key, value in operation.changes:
                put(state, key, value)
                if state.get(key) == exact.get(key):
                    differing.discard(key)
                else:
                    differing.add(key)
            if not differing:
                yield index + 1

    def _leases_after(self, count, killed_at):
        leases = dict(self._base_leases)
        for operation in self.operations[:count]:
            if operation.lease is None or operation.void:
                continue
            key, value, ms = operation.lease
            renews = operation.expected is None
            if renews and key not in leases:
                continue
            latest = (operation.acked or killed_at) + ms / 1000
            earliest = operation.sent + ms / 1000
            if renews and operation.acked is None:  # it may have come too late
                earliest = min(earliest, leases[key][1])
                latest = max(latest, leases[key][2])
            leases[key] = (value, earliest, latest)
        return leases

    def _wrong_lease(self, count, look, killed_at):
        """Whether each short lease is there until its end and not after."""
        expected = self._leases_after(count, killed_at)
        for key, (value, earliest, latest) in expected.items():
            one = look.keys.get(key)
            if one is None and look.answered < earliest - SLACK_S:
                return f"{key!r} is gone {earliest - look.answered:.3f} s before its end"
            if one is None:
                continue
            if one.value != value:
                return f"{key!r} is {one.value!r} instead of {value!r}"
            if look.asked > latest + SLACK_S:
                return f"{key!r} is back {look.asked - latest:.3f} s after its end"
            ends = (look.asked + one.pttl / 1000, look.answered + one.pttl / 1000)
            if ends[1] < earliest - SLACK_S or ends[0] > latest + SLACK_S:
                return f"{key!r} ends at {ends}, not within {earliest:.3f}..{latest:.3f}"
        for key in look.keys:
            if self._is_short(key) and key not in expected:
                return f"{key!r} is there and should not be"
        return None

    def _go_on(self, count, exact, killed_at):
        """Leases that ended long ago are remembered for a while: they must not come back."""
        self._base_leases = {
            key: lease
            for key, lease in self._leases_after(count, killed_at).items()
            if lease[2] + 5 > time.monotonic()
        }
        self._base = exact
        self.state = dict(exact)
        self.operations = []
        self.first_number = self.next_number

    def _explain(self, exact, counts, least, look, killed_at):
        possible = [count for count in counts if count >= least]
        if possible:
            return self._wrong_lease(possible[-1], look, killed_at)
        if counts:
            lost = [one for one in self.operations[counts[-1] : least] if one.has_effect()]
            first = lost[0].requests if lost else None
            return (
                f"{len(lost)} operations that had to be there are lost, the first {first}; the "
                f"keys are as behind {counts[-1]} of {len(self.operations)}, expected {least}"
            )
        differing = {
            key: (self.state.get(key), exact.get(key))
            for key in self.state.keys() | exact.keys()
            if self.state.get(key) != exact.get(key)
        }
        return (
            "the keys are as behind no number of operations; from the last state they differ in "
            f"(expected, found) {differing}"
        )


def put(state, key, value):
    if value is None or value == ():
        state.pop(key, None)
    else:
        state[key] = value
