"""Finds a short list of operations after which two servers answer the last one differently."""

from wire import Closed, Socket, encode

_MAX_REPLAYS = 60


class _Replay:
    def __init__(self, duel, proto, db, last):
        self._duel = duel
        self._proto = proto
        self._db = db
        self._last = last
        self.left = _MAX_REPLAYS

    def differs(self, ops):
        self.left -= 1
        replies = []
        try:
            for port in self._duel.ports:
                replies.append(self._play(port, ops))
        except (Closed, TimeoutError, ValueError):
            return False
        return not self._duel.same(self._last, replies, None)

    def _play(self, port, ops):
        side = Socket(port, timeout=3)
        start = [(b"FLUSHALL",)]
        if self._proto == 3:
            start.append((b"HELLO", b"3"))
        start.append((b"SELECT", b"%d" % self._db))
        commands = start + [op.args for op in ops] + [self._last.args]
        side.send(b"".join(encode(args) for args in commands))
        for _ in commands:
            raw = side.read()
        side.close()
        return raw


def shrunk(duel, proto, db, candidates, last):
    """A shortest found sublist of candidates that makes `last` differ; None if it never does."""
    replay = _Replay(duel, proto, db, last)
    ops = [
        op
        for op in candidates
        if op.expect == 1
        and op.raw is None
        and op.args[0].upper() not in (b"MULTI", b"EXEC", b"HELLO", b"RESET", b"CLIENT")
    ]
    if last.raw is not None or last.expect != 1 or not replay.differs(ops):
        return None
    size = max(1, len(ops) // 2)
    while ops and replay.left > 0:
        for start in range(0, len(ops), size):
            shorter = ops[:start] + ops[start + size :]
            if replay.left > 0 and replay.differs(shorter):
                ops = shorter
                break
        else:
            if size == 1:
                break
            size = max(1, size // 2)
            continue
        size = max(1, min(size, len(ops) // 2))
    return ops
