#!/usr/bin/env python3
"""full_disk.py --server BIN: what a server does on a disk that fills up (a small tmpfs, as root).

No room: new holdings are refused by MISCONF; releases, deletes and renewals go on, durably; INFO
says why. When there is room again service resumes by itself. Nothing answered is lost.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "differential"))
import wire  # noqa: E402
from client_model import HOLD, OK, RELEASE, RENEW, bulk, integer  # noqa: E402
from crash_server import CrashServer, Fault, own_port  # noqa: E402

DISK_MB = 24
ROOM_BYTES = 3 << 20  # that the ballast leaves
LOCKS = 300
LEASE_MS = 3_600_000
RESUME_SECONDS_MAX = 15
OPTIONS = ["--appendfsync", "always", "--journal-segment-size", "262144"]


class PlainDisk:
    """For CrashServer: no shim, the failure is the disk's own."""

    def __init__(self, folder):
        self.data = pathlib.Path(folder) / "data"
        self.data.mkdir()

    def environment(self, _):
        return {}


class Trial:
    def __init__(self, server, disk, ballast):
        self._server = server
        self._disk = disk
        self._ballast = ballast
        self._filled = 0
        self._connection = None

    def run(self):
        self._start()
        for number in range(LOCKS):
            self._expect(OK, *self._take(b"lock:%d" % number, b"owner"))
        self._fill()
        self._work_without_room()
        os.unlink(self._ballast)
        self._wait_until_it_resumes()
        self._connection.close()
        self._server.kill()
        self._start()
        self._check_what_was_answered()
        self._server.stop()

    def _start(self):
        self._server.launch(self._disk, OPTIONS)
        self._server.wait_until_ready()
        self._connection = wire.Socket(self._server.port)

    @staticmethod
    def _take(key, owner):
        return (b"SET", key, owner, b"NX", b"PX", b"%d" % LEASE_MS)

    def _expect(self, expected, *request):
        reply = self._connection.ask(*request)
        if reply != expected:
            raise Fault(f"{request}: answered {reply!r} instead of {expected!r}")

    def _expect_refusal(self, *request):
        reply = self._connection.ask(*request)
        if not reply.startswith(b"-MISCONF"):
            raise Fault(f"{request} on a full disk: answered {reply!r}")

    def _fill(self):
        free = os.statvfs(self._disk.data)
        with open(self._ballast, "wb") as ballast:
            size = free.f_bavail * free.f_frsize - ROOM_BYTES
            os.posix_fallocate(ballast.fileno(), 0, size)
        while True:
            reply = self._connection.ask(*self._take(b"fill:%d" % self._filled, b"x" * 8000))
            if reply.startswith(b"-MISCONF"):
                return
            if reply != OK:
                raise Fault(f"filling the disk: answered {reply!r}")
            self._filled += 1
            if self._filled * 8000 > DISK_MB << 20:
                raise Fault("the disk never fills up")

    def _work_without_room(self):
        self._expect_refusal(*self._take(b"lock:new", b"owner"))
        hold = (b"EVAL", HOLD, b"2", b"hash:new", b"mark", b"owner", b"%d" % LEASE_MS, b"1")
        reply = self._connection.ask(*hold)
        if b"MISCONF" not in reply[:100]:
            raise Fault(f"a script that takes a lock on a full disk: answered {reply!r}")
        for number in range(LOCKS // 3):
            self._expect(integer(1), b"EVAL", RELEASE, b"1", b"lock:%d" % number, b"owner")
        for number in range(LOCKS // 3, 2 * LOCKS // 3):
            lock = b"lock:%d" % number
            self._expect(integer(1), b"EVAL", RENEW, b"1", lock, b"owner", b"%d" % (2 * LEASE_MS))
        self._expect(integer(1), b"DEL", b"fill:0")
        self._expect(bulk(b"owner"), b"GET", b"lock:%d" % (LOCKS - 1))
        info = self._connection.ask(b"INFO", b"persistence").decode()
        if "journal_health:disk-full" not in info or "journal_trouble:\r\n" in info:
            raise Fault(f"INFO does not say that the disk is full:\n{info}")

    def _wait_until_it_resumes(self):
        deadline = time.monotonic() + RESUME_SECONDS_MAX
        while self._connection.ask(*self._take(b"lock:new", b"owner")) != OK:
            if time.monotonic() > deadline:
                raise Fault(f"there is room, but no service after {RESUME_SECONDS_MAX} s")
            time.sleep(0.05)

    def _check_what_was_answered(self):
        for number in range(LOCKS // 3):
            self._expect(bulk(None), b"GET", b"lock:%d" % number)
        for number in range(LOCKS // 3, LOCKS):
            self._expect(bulk(b"owner"), b"GET", b"lock:%d" % number)
        renewed = int(self._connection.ask(b"PTTL", b"lock:%d" % (LOCKS // 3))[1:])
        if renewed < LEASE_MS:
            raise Fault(f"a renewal is lost: {renewed} ms are left")
        self._expect(integer(0), b"EXISTS", b"fill:0", b"hash:new", b"mark")
        self._expect(integer(1), b"EXISTS", b"lock:new")
        for number in range(1, self._filled):
            self._expect(integer(1), b"EXISTS", b"fill:%d" % number)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", required=True)
    parser.add_argument("--ports", default="21300-21399")
    options = parser.parse_args()
    ports = map(int, options.ports.split("-"))
    with tempfile.TemporaryDirectory(prefix="mortise-full-disk-") as folder:
        mounted = pathlib.Path(folder) / "disk"
        mounted.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m", "tmpfs", str(mounted)]
        if subprocess.run(mount, check=False).returncode != 0:
            print("full disk: SKIPPED, a tmpfs cannot be mounted here")
            return 0
        server = CrashServer(options.server, own_port(*ports), pathlib.Path(folder) / "log")
        try:
            Trial(server, PlainDisk(mounted), mounted / "ballast").run()
        except (Fault, wire.Closed, TimeoutError) as fault:
            print(f"full disk: FAULT {fault!r}\n--- server\n{server.output()}")
            return 1
        finally:
            server.end()
            subprocess.run(["umount", str(mounted)], check=True)
    print("full disk: passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
