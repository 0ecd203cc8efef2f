"""A server process on a free port of 127.0.0.1, for the Python and command-line suites.

The binary comes from MORTISE_SERVER. Ports are taken below the ephemeral range, so that no
outgoing connection can sit on the port of a server that is about to be restarted.
"""

import os
import pathlib
import random
import socket
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
PORT_FIRST, PORT_LAST = 21000, 21999
STARTUP_SECONDS_MAX = 20.0
SHUTDOWN_SECONDS_MAX = 10.0


def server_binary():
    return os.environ.get("MORTISE_SERVER") or str(ROOT / "build/release/mortise-server")


def is_free(port):
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def candidate_ports():
    ports = range(PORT_FIRST, PORT_LAST + 1)
    start = random.randrange(len(ports))
    return [port for port in [*ports[start:], *ports[:start]] if is_free(port)]


class LocalServer:
    """Starts on construction; stop() ends it by pid and fails if it did not end well."""

    def __init__(self, *arguments, port=None):
        self.arguments = arguments
        self.folder = tempfile.TemporaryDirectory(prefix="mortise-clients-")
        for candidate in [port] if port else candidate_ports()[:20]:
            if self._start(candidate):
                return
            if self.is_running():
                self.kill()
                break
        raise RuntimeError(f"{server_binary()} did not answer PING:\n{self.output()}")

    def _start(self, port):
        """False when it ended (another took the port first) or never answered."""
        self.port = port
        self.log = open(pathlib.Path(self.folder.name) / "server.log", "ab")
        self.process = subprocess.Popen(
            [server_binary(), "--port", str(port), "--bind", "127.0.0.1"]
            + ["--save", "", "--appendonly", "no", *self.arguments],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT,
            cwd=self.folder.name,
        )
        deadline = time.monotonic() + STARTUP_SECONDS_MAX
        while time.monotonic() < deadline and self.process.poll() is None:
            if self._answers_ping():
                return True
            time.sleep(0.01)
        return False

    def _answers_ping(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(b"*1\r\n$4\r\nPING\r\n")
                answered = connection.recv(64).startswith((b"+PONG", b"-NOAUTH"))
                return answered and self.is_running()
        except OSError:
            return False

    def output(self):
        return (pathlib.Path(self.folder.name) / "server.log").read_text(errors="replace")[-4000:]

    def is_running(self):
        return self.process.poll() is None

    def kill(self):
        self.process.kill()
        self.process.wait()

    def restart(self):
        """The same port again, after kill(): an empty server, as nothing is persistent here."""
        if not self._start(self.port):
            raise RuntimeError(f"no restart on port {self.port}:\n{self.output()}")

    def stop(self):
        crashed = not self.is_running()
        self.process.terminate()
        try:
            code = self.process.wait(SHUTDOWN_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.kill()
            raise RuntimeError(f"the server ignored SIGTERM:\n{self.output()}") from None
        output = self.output()
        self.log.close()
        self.folder.cleanup()
        if crashed or code != 0:
            raise RuntimeError(f"the server ended with {code}, crashed: {crashed}\n{output}")
