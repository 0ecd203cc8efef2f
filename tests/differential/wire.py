"""RESP on the wire: encoding of requests, boundaries and values of replies, one socket.

A reply is kept as the raw bytes the server sent; `parse` turns it into nested (type, payload)
tuples only when the raw bytes of the two servers differ.
"""

import functools
import socket

_LINE_TYPES = frozenset(b"+-:_#,(")
_BULK_TYPES = frozenset(b"$!=")
_LIST_TYPES = frozenset(b"*~>")
_MAP_TYPES = frozenset(b"%|")

_MESSAGE_HEADS = tuple(
    b"%c%d\r\n$%d\r\n%s\r\n" % (kind, count, len(word), word)
    for kind in b"*>"
    for count, word in ((3, b"message"), (4, b"pmessage"), (3, b"smessage"))
) + (b">2\r\n$10\r\ninvalidate\r\n", b">2\r\n$21\r\ntracking-redir-broken\r\n")


def encode(args):
    """One command as a RESP array of bulk strings."""
    parts = [b"*%d\r\n" % len(args)]
    for arg in args:
        parts.append(b"$%d\r\n" % len(arg))
        parts.append(arg)
        parts.append(b"\r\n")
    return b"".join(parts)


def end_of_reply(buf, pos):
    """The offset behind the reply that starts at pos, or -1 while it is incomplete."""
    line_end = buf.find(b"\r\n", pos)
    if line_end < 0:
        return -1
    kind = buf[pos]
    if kind in _LINE_TYPES:
        return line_end + 2
    if kind in _BULK_TYPES:
        length = int(buf[pos + 1 : line_end])
        end = line_end + 2 if length < 0 else line_end + length + 4
        return end if end <= len(buf) else -1
    if kind not in _LIST_TYPES and kind not in _MAP_TYPES:
        raise ValueError("not a RESP reply: %r" % bytes(buf[pos : pos + 60]))
    count = int(buf[pos + 1 : line_end])
    if kind in _MAP_TYPES:
        count *= 2
    pos = line_end + 2
    for _ in range(count):
        if pos >= len(buf):
            return -1
        pos = end_of_reply(buf, pos)
        if pos < 0:
            return -1
    return pos


def _parse_at(raw, pos):
    line_end = raw.index(b"\r\n", pos)
    kind = chr(raw[pos])
    head = raw[pos + 1 : line_end]
    pos = line_end + 2
    if kind in "+-_#,(":
        return (kind, head), pos
    if kind == ":":
        return (kind, int(head)), pos
    count = int(head)
    if kind in "$!=":
        if count < 0:
            return (kind, None), pos
        return (kind, raw[pos : pos + count]), pos + count + 2
    if count < 0:
        return (kind, None), pos
    items = []
    for _ in range(count * 2 if kind in "%|" else count):
        value, pos = _parse_at(raw, pos)
        items.append(value)
    return (kind, items), pos


_LARGE = 8192  # bytes from which on a reply is worth remembering: COMMAND comes again and again


def parse(raw):
    """A raw reply as (type, payload); payload of arrays, sets, pushes and maps is a flat list.

    Not to be changed: large ones are shared.
    """
    return _parse_large(raw) if len(raw) >= _LARGE else _parse_at(raw, 0)[0]


@functools.lru_cache(maxsize=64)
def _parse_large(raw):
    return _parse_at(raw, 0)[0]


class _Seen:
    """The last large replies by their first bytes, so that their end is found by comparing."""

    def __init__(self):
        self._replies = {}

    def end(self, buffer, pos):
        known = self._replies.get(bytes(buffer[pos : pos + 48]))
        if known is not None and buffer.startswith(known, pos):
            return pos + len(known)
        return -1

    def remember(self, raw):
        if len(raw) >= _LARGE:
            if len(self._replies) > 64:
                self._replies.clear()
            self._replies[raw[:48]] = raw


_SEEN = _Seen()


def is_message(raw):
    """A message or invalidation, as opposed to a command's reply (a confirmation is a reply)."""
    return raw.startswith(_MESSAGE_HEADS)


def is_pattern_message(raw):
    return raw.startswith((b"*4\r\n$8\r\npmessage\r\n", b">4\r\n$8\r\npmessage\r\n"))


class Closed(Exception):
    """The server closed the connection."""


class Socket:
    """One client connection to one server: whole replies in order, bounded waiting (seconds)."""

    def __init__(self, port, timeout=6.0):
        self._sock = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self._sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._buffer = bytearray()
        self._pos = 0
        host, own_port = self._sock.getsockname()
        self.address = b"%s:%d" % (host.encode(), own_port)
        self.peer = b"127.0.0.1:%d" % port

    def send(self, data):
        try:
            self._sock.sendall(data)
        except OSError as error:
            raise Closed(str(error)) from error

    def settimeout(self, seconds):
        self._sock.settimeout(seconds)

    def read(self):
        """The next whole reply; raises Closed or TimeoutError."""
        while True:
            if self._pos < len(self._buffer):
                end = _SEEN.end(self._buffer, self._pos)
                if end < 0:
                    end = end_of_reply(self._buffer, self._pos)
                if end >= 0:
                    raw = bytes(self._buffer[self._pos : end])
                    _SEEN.remember(raw)
                    self._pos = end
                    if self._pos == len(self._buffer):
                        self._buffer.clear()
                        self._pos = 0
                    return raw
            self._fill()

    def _fill(self):
        if self._pos > 1 << 16:
            del self._buffer[: self._pos]
            self._pos = 0
        try:
            data = self._sock.recv(1 << 18)
        except TimeoutError:
            raise
        except OSError as error:
            raise Closed(str(error)) from error
        if not data:
            raise Closed("end of stream")
        self._buffer += data

    def ask(self, *args):
        """The raw reply of one command."""
        self.send(encode(args))
        return self.read()

    def read_to_end(self):
        """Everything up to the close by the server."""
        try:
            while True:
                self._fill()
        except Closed:
            return bytes(self._buffer[self._pos :])

    def close(self):
        self._sock.close()
