"""Locks that several clients want, the counters they share, and the numbers that only rise."""

import threading

from client_model import SLACK_S

KEPT_PER_LOCK = 12
LEASE_MS_MAX = 3000


class Holding:
    """One grant of a lock, as its client saw it. Times: monotonic seconds."""

    def __init__(self, lock, owner, sent, ms):
        self.lock, self.owner, self.sent = lock, owner, sent
        self.granted = None  # when the answer was there
        self.earliest_end = sent + ms / 1000
        self.latest_end = None  # None: the grant is not known, nor is its end
        self.longest_end = sent + 60  # of any of its leases, known or not
        self.ms = ms
        self.token = None
        self.release_sent = self.released = None

    def surely_until(self):
        """It was held from `granted` to here."""
        end = self.earliest_end - SLACK_S
        return end if self.release_sent is None else min(end, self.release_sent)


class LockRecord:
    """Shared by the threads of all clients. What is wrong is kept in `faults`."""

    def __init__(self):
        self._mutex = threading.Lock()
        self._holdings = {}  # lock → the last ones
        self.faults = []
        self.last_token = 0  # greatest that any client saw
        self.counter = 0  # greatest answer of INCR g
        self.counters = set()  # all of them since the last loss
        self.checked = {}  # resource → greatest token accepted

    def fault(self, text):
        self.faults.append(text)

    # --- grants

    def asks(self, lock, owner, sent, ms):
        """Before the request is sent. The token must be above the one returned."""
        holding = Holding(lock, owner, sent, ms)
        with self._mutex:
            kept = self._holdings.setdefault(lock, [])
            kept.append(holding)
            over = [one for one in kept if one.released is not None]
            for one in over[:-KEPT_PER_LOCK]:
                kept.remove(one)
            return holding, self.last_token

    def refused(self, holding):
        with self._mutex:
            self._holdings[holding.lock].remove(holding)

    def granted(self, holding, now):
        with self._mutex:
            holding.granted = now
            holding.latest_end = holding.longest_end = now + holding.ms / 1000
            for other in self._holdings[holding.lock]:
                if other is holding or other.granted is None:
                    continue
                if other.granted < holding.sent and now < other.surely_until():
                    self.fault(
                        f"two owners of {holding.lock}: {holding.owner} was granted it at {now:.3f}"
                        f", {other.owner} had it from {other.granted:.3f} to at least "
                        f"{other.surely_until():.3f}"
                    )

    def renews(self, holding, sent, ms):
        with self._mutex:
            holding.earliest_end = min(holding.earliest_end, sent + ms / 1000)
            holding.latest_end = max(holding.latest_end, sent + 60)

    def renewed(self, holding, sent, now, ms):
        with self._mutex:
            holding.earliest_end, holding.latest_end = sent + ms / 1000, now + ms / 1000
            holding.longest_end = max(holding.longest_end, holding.latest_end)

    def releases(self, holding, sent):
        with self._mutex:
            holding.release_sent = sent

    # --- numbers that only rise

    def saw_token(self, token, floor, what):
        """`floor`: last_token when the request that created the key was sent."""
        with self._mutex:
            if token <= floor:
                self.fault(f"{what}: token {token} is not above {floor}")
            self.last_token = max(self.last_token, token)

    def saw_last(self, floor, token):
        """FENCE.LAST: never below what an answer showed before it was asked for."""
        with self._mutex:
            if 0 < token < floor:  # 0: none since the directory was new
                self.fault(f"FENCE.LAST is {token}, {floor} was handed out")
            self.last_token = max(self.last_token, token)

    def saw_counter(self, value):
        with self._mutex:
            if value in self.counters:
                self.fault(f"INCR answered {value} twice")
            self.counters.add(value)
            self.counter = max(self.counter, value)

    def saw_check(self, resource, token):
        with self._mutex:
            self.checked[resource] = max(self.checked.get(resource, 0), token)

    # --- after a start

    def settle(self, look, killed_at, is_lossy):
        """`is_lossy`: what was answered lately may be gone."""
        if is_lossy:
            self._forget_what_is_lost(look)
        else:
            self._check_counters(look)
        for lock in sorted(self._holdings):
            self._settle_lock(lock, look, killed_at, is_lossy)

    def forget_everything(self):
        """The directory was replaced by an empty one: only tokens go on."""
        self._holdings, self.checked, self.counters, self.counter = {}, {}, set(), 0

    def _forget_what_is_lost(self, look):
        self.counter = number_at(look, b"g")
        self.counters = {value for value in self.counters if value <= self.counter}
        self.checked = {name: number_at(look, name) for name in self.checked}

    def _check_counters(self, look):
        if number_at(look, b"g") < self.counter:
            self.fault(f"INCR answered {self.counter}, but g is {number_at(look, b'g')}")
        for name, token in self.checked.items():
            if number_at(look, name) < token:
                self.fault(f"FENCE.CHECK {name} accepted {token}, it is {number_at(look, name)}")

    def _settle_lock(self, lock, look, killed_at, is_lossy):
        seen = look.keys.get(lock)
        holdings = self._holdings[lock]
        held = None
        for holding in holdings:
            if holding.owner == (seen and seen.value):
                held = holding
            if holding.latest_end is None:
                holding.latest_end = killed_at + holding.ms / 1000
        if seen is not None and is_lossy:
            held = self._held_again(held, lock, seen, look)
        self._check_seen(lock, seen, held, look, is_lossy)
        for holding in holdings:
            if is_lossy or holding is held or holding.granted is None:
                continue
            if holding.released is None and look.answered < holding.surely_until():
                self.fault(f"{lock}: {holding.owner} holds it and it is {seen}")
        # Whoever held it is gone with the connections: the key lives on until its lease ends.
        self._holdings[lock] = [held] if held else []
        if held is not None and held.granted is None:
            held.granted, held.earliest_end = look.answered, look.asked + seen.pttl / 1000
            held.latest_end = look.answered + seen.pttl / 1000

    def _held_again(self, known, lock, seen, look):
        """A release or a renewal of it may be lost; it may be of a while ago."""
        held = Holding(lock, seen.value, look.asked, seen.pttl)
        held.latest_end = look.answered + LEASE_MS_MAX / 1000
        if known is not None:
            held.token = known.token
            held.latest_end = max(known.longest_end, known.latest_end)
        return held

    def _check_seen(self, lock, seen, held, look, is_lossy):
        if seen is None:
            return
        if held is None:
            return self.fault(f"{lock} is {seen}, which nobody asked for lately")
        if look.asked > held.latest_end + SLACK_S:
            self.fault(f"{lock}: {held.owner} is back after the end of its lease")
        if seen.pttl > (held.latest_end - look.asked + SLACK_S) * 1000:
            self.fault(f"{lock}: {held.owner} has {seen.pttl} ms, too many")
        if held.released is not None and not is_lossy:
            self.fault(f"{lock}: {held.owner} is back although it was released")
        if held.token is not None and held.token != seen.token:
            self.fault(f"{lock}: {held.owner} had token {held.token}, now {seen.token}")


def number_at(look, key):
    seen = look.keys.get(key)
    return int(seen.value) if seen is not None else 0
