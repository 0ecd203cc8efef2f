"""Servers of the test, each on a free loopback port in a directory of its own."""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "differential"))
from servers import free_port, ports_from  # noqa: E402
import wire  # noqa: E402

PORT_BASE = int(os.environ.get("IMPORT_PORT_BASE", "23000"))


class Server:
    def __init__(self, binary, options, directory=None):
        self._own = tempfile.TemporaryDirectory(prefix="import-") if directory is None else None
        self.directory = directory or self._own.name
        self.port = free_port(ports_from(PORT_BASE + os.getpid() % 100))
        arguments = [binary, "--port", str(self.port), "--bind", "127.0.0.1", "--dir", self.directory]
        for name, value in options.items():
            arguments += ["--" + name, *value.split()] if value else ["--" + name, ""]
        self._log = open(os.path.join(self.directory, "output"), "ab")
        self._process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=self._log,
                                         stderr=self._log)
        self._wait()

    def _wait(self):
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                client = self.client()
            except OSError:
                time.sleep(0.02)
                continue
            if client.ask(b"PING").startswith(b"+PONG"):
                client.close()
                return
            client.close()
            time.sleep(0.02)
        with open(self._log.name, "rb") as log:
            raise RuntimeError("the server does not start:\n" + log.read()[-2000:].decode())

    def client(self):
        return wire.Socket(self.port, timeout=60)

    def stop(self):
        if self._process.poll() is None:
            self._process.terminate()
            self._process.wait(30)
        self._log.close()
        if self._own:
            self._own.cleanup()


def run_all(client, commands):
    """Sends commands in a pipeline; any error ends the test."""
    batch = []
    for command in commands:
        batch.append(command)
        if len(batch) == 100:
            _run(client, batch)
            batch = []
    _run(client, batch)


def _run(client, batch):
    for command in batch:
        client.send(wire.encode(command))
    for command in batch:
        reply = client.read()
        if reply.startswith(b"-"):
            raise RuntimeError("%r: %r" % (command[:3], reply))
