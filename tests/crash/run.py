#!/usr/bin/env python3
"""Kills a server under load, takes away what a power failure would, starts it again, and checks.

  python3 tests/crash/run.py --server BIN --shim LIBRARY --rounds 100 --seed 7

A round is one life of the server: clients work for a fraction of a second, then comes kill -9 and,
most of the time, a failure of the power (disk_log.py). Some starts are killed as well, some lives
end in an orderly way, and every few rounds the directory is a new one. docs/testing.md says what
is checked. --expect-failure: for servers broken on purpose; the rounds must find it.
"""

import argparse
import itertools
import os
import pathlib
import random
import sys
import tempfile
import threading
import time
import traceback

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "differential"))
import wire  # noqa: E402
from client_model import SCRIPTS, sha  # noqa: E402
from clients import Controller, KeyClient, Life, LockClient, Reader  # noqa: E402
from crash_server import CrashServer, Fault, own_port  # noqa: E402
from disk_log import Disk  # noqa: E402
from keys_seen import look_at  # noqa: E402
from lock_record import LockRecord  # noqa: E402

POLICIES = {
    "always": ["--appendfsync", "always"],
    "everysec": ["--appendfsync", "everysec"],
    "mixed": ["--appendfsync", "everysec", "--durability", "pay:* always"],
}
EVERYSEC_S = 1.0
SCRIPTS_ARE_JOURNALLED = True
KEY_CLIENTS = 4
LOCK_CLIENTS = 3
JOIN_SECONDS_MAX = 15.0
FAULTS_SHOWN_MAX = 6
FAULT_CHARACTERS_MAX = 1000


def explain(faults):
    shown = [fault[:FAULT_CHARACTERS_MAX] for fault in faults[:FAULTS_SHOWN_MAX]]
    left = len(faults) - len(shown)
    return "\n".join(shown + [f"… and {left} more"] * (left > 0))


class End:
    """How the last life ended, as far as promises depend on it."""

    def __init__(self, policy, killed_at):
        self.policy = policy
        self.killed_at = killed_at
        self.power_failed = False
        self.was_orderly = False
        self.seen_marks = {}

    def is_lossy(self):
        return self.power_failed and not self.was_orderly and self.policy != "always"

    def is_promised(self, at):
        """Whether what was answered at that time under everysec must be there."""
        return not self.is_lossy() or at < self.killed_at - EVERYSEC_S

    def least(self, model):
        """How many operations of a client must be there."""
        count = 0
        for index, operation in enumerate(model.operations):
            if operation.acked is None:
                break
            strict = self.policy == "mixed" and operation.is_strict()
            if strict or self.is_promised(operation.acked):
                count = index + 1
        for key in (model.name + b"mark", b"pay:" + model.name + b"mark"):
            number, at = self.seen_marks.get(key, (0, 0))
            strict = self.policy == "mixed" and key.startswith(b"pay:")
            if strict or self.is_promised(at):
                count = max(count, number - model.first_number + 1)
        return count


class Campaign:
    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.random = random.Random(options.seed)
        self.record = LockRecord()
        seeds = (self.random.getrandbits(64) for _ in itertools.count())
        self.key_clients = [
            KeyClient(number, random.Random(next(seeds))) for number in range(KEY_CLIENTS)
        ]
        marks = [client.model.name + b"mark" for client in self.key_clients]
        marks += [b"pay:" + mark for mark in marks]
        self.lock_clients = [
            LockClient(number, random.Random(next(seeds)), self.record)
            for number in range(LOCK_CLIENTS)
        ]
        self.controller = Controller(random.Random(next(seeds)))
        self.clients = [*self.key_clients, *self.lock_clients, self.controller]
        self.clients.append(Reader(random.Random(next(seeds)), self.record, marks))
        self.server = CrashServer(
            options.server, own_port(*options.ports), folder / "server.log"
        )
        self.disk = None
        self.end = None
        self.scripts_since = None
        self.counts = dict.fromkeys(
            ("power failures", "killed starts", "orderly ends", "changes lost", "operations kept"), 0
        )

    # --- one round

    def run(self):
        for number in range(self.options.rounds):
            if number % self.options.fresh_every == 0:
                self._use_new_directory(number)
            self._round(number)
        self._start("always", number + 1)
        self.server.kill()

    def _use_new_directory(self, number):
        self.disk = Disk(self.folder / f"disk{number}", self.options.shim)
        self.end = None
        self.scripts_since = None
        self.record.forget_everything()
        for client in self.key_clients:
            client.model.forget_everything()
        for client in self.lock_clients:
            client.forget_everything()

    def _round(self, number):
        policy = self.random.choice(self.options.policies)
        while self.random.random() < 0.2:
            self._kill_a_start(policy)
        self._start(policy, number)
        seconds = self.random.uniform(0.05, 0.5)
        if policy != "always" and self.random.random() < 0.25:
            seconds += EVERYSEC_S  # so that some of it is promised
        self._live(policy, seconds)
        self._maybe_fail_power()

    def _launch(self, policy):
        options = [*POLICIES[policy], *self.options.arguments]
        if self.random.random() < 0.3:
            options += ["--journal-segment-size", "65536"]
        self.server.launch(self.disk, options, self.random.choice((0, 500, 4000)))

    def _kill_a_start(self, policy):
        self._launch(policy)
        time.sleep(self.random.uniform(0, 0.04))
        self.server.kill()
        self.counts["killed starts"] += 1
        self._maybe_fail_power()

    def _start(self, policy, number):
        self._launch(policy)
        self.server.wait_until_ready()
        connection = wire.Socket(self.server.port)
        try:
            self._check(connection, number)
            self._load_scripts(connection)
        finally:
            connection.close()

    def _live(self, policy, seconds):
        life = Life(self.server.port)
        threads = [client.start(life) for client in self.clients]
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and self.server.is_running():
            if life.faults or self.record.faults:
                break
            time.sleep(min(0.02, max(0.0, deadline - time.monotonic())))
        self.end = End(policy, time.monotonic())
        if self.random.random() < 0.05:
            self._end_orderly(life, threads)
        else:
            self.server.kill()
            self._join(threads)
        self.end.seen_marks = life.seen_marks
        if life.faults or self.record.faults:
            raise Fault(explain(life.faults + self.record.faults))

    def _end_orderly(self, life, threads):
        life.stopping = True
        self._join(threads)
        self.server.stop()
        self.end.was_orderly = True
        self.counts["orderly ends"] += 1

    @staticmethod
    def _join(threads):
        for thread in threads:
            thread.join(JOIN_SECONDS_MAX)
            if thread.is_alive():
                raise Fault("a client still waits for its answer")

    def _maybe_fail_power(self):
        lost = self.random.choice(("nothing", "all", "all", "part", "part"))
        if lost == "nothing":
            return
        self.counts["power failures"] += 1
        self.counts["changes lost"] += self.disk.fail_power(self.random, lost)
        if self.end is not None:
            self.end.power_failed = True

    # --- what must hold after a start

    def _check(self, connection, number):
        look = look_at(connection)
        floor = self.record.last_token
        self.record.saw_last(floor, wire.parse(connection.ask(b"FENCE.LAST"))[1])
        tokens = [one.token for one in look.keys.values()]
        if len(set(tokens)) != len(tokens):
            raise Fault("two keys have the same token")
        if self.end is None:
            if look.keys:
                raise Fault(f"a new directory holds {sorted(look.keys)}")
            return
        self._check_clients(look)
        self.record.settle(look, self.end.killed_at, self.end.is_lossy())
        if self.end.is_lossy():
            for client in self.lock_clients:
                client.forget_everything()
        if self.record.faults:
            raise Fault(explain(self.record.faults))

    def _check_clients(self, look):
        lost, kept = [], []
        faults = []
        for client in self.key_clients:
            model = client.model
            operations = model.operations
            try:
                least = self.end.least(model)
                fewest, most = model.settle(look, least, self.end.killed_at)
            except ValueError as wrong:
                faults.append(str(wrong))
                continue
            self.counts["operations kept"] += most
            lost += [one for one in operations[most:] if one.acked and one.changes]
            kept += [one for one in operations[:fewest] if one.changes]
        first_lost = min(lost, key=lambda one: one.acked, default=None)
        last_kept = max(kept, key=lambda one: one.sent, default=None)
        if first_lost and last_kept and first_lost.acked < last_kept.sent:
            faults.append(
                f"{first_lost.requests} is lost, answered at {first_lost.acked:.4f}; of another "
                f"client {last_kept.requests} is there, sent at {last_kept.sent:.4f}"
            )
        if faults:
            raise Fault(explain(faults))

    def _load_scripts(self, connection):
        hashes = [sha(script) for script in SCRIPTS]
        found = wire.parse(connection.ask(b"SCRIPT", b"EXISTS", *hashes))[1]
        promised = self.scripts_since is not None and (
            self.end is None or self.end.is_promised(self.scripts_since)
        )
        if promised and SCRIPTS_ARE_JOURNALLED and any(flag == 0 for _, flag in found):
            raise Fault("the scripts that were loaded are gone")
        for script in SCRIPTS:
            connection.ask(b"SCRIPT", b"LOAD", script)
        if self.scripts_since is None or any(flag == 0 for _, flag in found):
            self.scripts_since = time.monotonic()


def arguments_of(text):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", required=True)
    parser.add_argument("--shim", required=True, help="the library made of disk_shim.c")
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--policies", default=",".join(POLICIES), type=lambda s: s.split(","))
    parser.add_argument("--fresh-every", type=int, default=12, metavar="ROUNDS")
    parser.add_argument("--expect-failure", action="store_true")
    parser.add_argument("--folder", help="where the directories are made; default: in memory")
    parser.add_argument("--ports", default="21300-21399")
    parser.add_argument("arguments", nargs="*", help="for the server, behind --")
    options = parser.parse_args(text)
    options.ports = tuple(map(int, options.ports.split("-")))
    options.shim = os.path.abspath(options.shim)
    if options.seed is None:
        options.seed = random.SystemRandom().getrandbits(32)
    return options


def default_folder():
    memory = pathlib.Path("/dev/shm")
    return memory if os.access(memory, os.W_OK) else None


def main():
    options = arguments_of(sys.argv[1:])
    print(f"crash: seed {options.seed}, {options.rounds} rounds, {options.server}", flush=True)
    threading.excepthook = lambda failure: os._exit(
        print("".join(traceback.format_exception(failure.exc_value)), flush=True) or 3
    )
    started = time.monotonic()
    with tempfile.TemporaryDirectory(
        prefix="mortise-crash-", dir=options.folder or default_folder()
    ) as folder:
        campaign = Campaign(options, pathlib.Path(folder))
        fault = None
        try:
            campaign.run()
        except Fault as found:
            fault = found
        finally:
            campaign.server.end()
        answers = sum(client.answers for client in campaign.clients)
        figures = ", ".join(f"{count} {name}" for name, count in campaign.counts.items())
        print(f"crash: {answers} answers, {figures}, {time.monotonic() - started:.1f} s")
        if fault is not None:
            print(f"crash: FAULT {fault}\n--- server\n{campaign.server.output()}")
    if not options.expect_failure:
        return int(fault is not None)
    found = fault is not None and answers > 0  # not a server that cannot even start
    print("crash: the fault was found" if found else "crash: the fault was NOT found")
    return int(not found)


if __name__ == "__main__":
    sys.exit(main())
