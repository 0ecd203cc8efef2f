"""Starts the two servers on free loopback ports in a directory of their own and stops them."""

import os
import socket
import subprocess
import tempfile
import time

_FIRST_PORT = int(os.environ.get("DIFFERENTIAL_PORT_BASE", "22000"))


def free_port(ports):
    """The first of these ports that nobody listens on; loopback only."""
    for port in ports:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError("no free port in %s" % ports)


def ports_from(start):
    return range(start, start + 900)


class Server:
    """A running server; its output goes to a file in its directory, shown when it dies."""

    def __init__(self, binary, name):
        self.name = name
        if os.sep in binary:
            binary = os.path.abspath(binary)  # the server runs in a directory of its own
        self._dir = tempfile.TemporaryDirectory(prefix="differential-%s-" % name)
        self.port = free_port(ports_from(_FIRST_PORT + os.getpid() % 400))
        self._log_path = os.path.join(self._dir.name, "log")
        with open(self._log_path, "wb") as log:
            self._process = subprocess.Popen(
                [
                    binary,
                    "--port",
                    str(self.port),
                    "--bind",
                    "127.0.0.1",
                    "--save",
                    "",
                    "--appendonly",
                    "no",
                    "--enable-debug-command",
                    "yes",
                ],
                cwd=self._dir.name,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        self._wait_until_ready()

    def _wait_until_ready(self):
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                break
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.02)
        raise RuntimeError("%s does not start:\n%s" % (self.name, self.last_output()))

    def alive(self):
        return self._process.poll() is None

    def last_output(self):
        with open(self._log_path, "rb") as log:
            return log.read()[-3000:].decode("utf-8", "replace")

    def stop(self):
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        self._dir.cleanup()


def hurry(server):
    """Redis looks at paused and waiting clients only once per tick: make the tick short."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=5) as connection:
        connection.sendall(b"CONFIG SET hz 500\r\n")
        connection.recv(100)
