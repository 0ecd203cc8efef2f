"""A server process that is meant to be killed: on one port, over one Disk."""

import os
import pathlib
import signal
import subprocess
import time

from servers import free_port
import wire

START_SECONDS_MAX = 20.0
STOP_SECONDS_MAX = 20.0


class Fault(Exception):
    """The server broke a promise."""


def own_port(first, last):
    """Another one for each process: a server of another run may be down just now."""
    ports = range(first, last + 1)
    start = os.getpid() % len(ports)
    return free_port([*ports[start:], *ports[:start]])


class CrashServer:
    def __init__(self, binary, port, log):
        self._binary = os.path.abspath(binary)
        self.port = port
        self._log = pathlib.Path(log)
        self._process = None

    def launch(self, disk, options, sync_us_max=0):
        """Does not wait until it answers."""
        arguments = [self._binary, "--port", str(self.port), "--bind", "127.0.0.1"]
        arguments += ["--dir", str(disk.data), "--appendonly", "yes", *options]
        environment = {**os.environ, **disk.environment(sync_us_max)}
        # A server built with a sanitizer would rather be the first library.
        environment["ASAN_OPTIONS"] = "verify_asan_link_order=0:detect_leaks=0"
        with open(self._log, "wb") as log:
            self._process = subprocess.Popen(
                arguments, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def wait_until_ready(self):
        deadline = time.monotonic() + START_SECONDS_MAX
        while time.monotonic() < deadline:
            if self._process.poll() is not None:
                break
            try:
                connection = wire.Socket(self.port)
                answer = connection.ask(b"PING")
                connection.close()
                if answer == b"+PONG\r\n":
                    return
            except (OSError, wire.Closed):
                pass
            time.sleep(0.002)
        ended = self._process.poll()
        self.kill()
        raise Fault(f"the server does not start ({ended}):\n{self.output()}")

    def is_running(self):
        return self._process.poll() is None

    def kill(self):
        """kill -9. A server that had ended by itself is a fault."""
        ended = self._process.poll()
        self._process.kill()
        self._process.wait()
        if ended is not None:
            raise Fault(f"the server ended by itself ({ended}):\n{self.output()}")

    def end(self):
        """Whatever it is at."""
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    def stop(self):
        """The orderly end."""
        self._process.send_signal(signal.SIGTERM)
        try:
            code = self._process.wait(STOP_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise Fault(f"the server ignores SIGTERM:\n{self.output()}") from None
        if code != 0:
            raise Fault(f"the server ended with {code}:\n{self.output()}")

    def output(self):
        return self._log.read_text(errors="replace")[-4000:]
