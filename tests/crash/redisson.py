#!/usr/bin/env python3
"""redisson.py --server BIN --shim LIBRARY: kills and restarts a server while Redisson uses it.

The clients are LocksAcrossCrashes of tests/clients/java, which stay connected throughout and compare
with their own record. Under `always` the power fails too, under `everysec` only the process ends:
nothing that was answered may be lost, no lock may have two owners.
"""

import argparse
import pathlib
import random
import subprocess
import sys
import tempfile
import time

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "differential"))
from crash_server import CrashServer, Fault, own_port  # noqa: E402
from disk_log import Disk  # noqa: E402
from run import POLICIES, default_folder  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Slow disks, too: what is answered before it is durable is then more than one call at a time.
SYNC_US_MAX = (0, 4000, 50_000)
PROGRAM = "mortise.clients.LocksAcrossCrashes"


def class_path(work):
    """Compiles the programs of tests/clients/java; what Maven fetches and builds goes to `work`."""
    found = work / "crash-classpath.txt"
    maven = ["mvn", "-B", "-q", "--no-transfer-progress", "-f", ROOT / "tests/clients/java/pom.xml"]
    maven += ["-pl", "redisson", "-am", f"-Dbuild.folder={work}/java", "test-compile"]
    maven += ["org.apache.maven.plugins:maven-dependency-plugin:3.6.1:build-classpath"]
    subprocess.run([*maven, f"-Dmdep.outputFile={found}"], check=True)
    return f"{work}/java/redisson/test-classes:{found.read_text()}"


class Clients:
    def __init__(self, path, port):
        command = ["java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", path]
        command += [PROGRAM, f"redis://127.0.0.1:{port}"]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        line = self._process.stdout.readline()
        while line not in ("", "READY\n"):
            line = self._process.stdout.readline()
        if not line:
            raise Fault("the Java program ended")

    def finish(self):
        self._process.stdin.close()
        output = self._process.stdout.read()
        if self._process.wait(60) != 0:
            raise Fault(output)
        return output.strip()

    def end(self):
        if self._process.poll() is None:
            self._process.kill()


def rounds(options, folder, path):
    chance = random.Random(options.seed)
    disk = Disk(folder / "disk", options.shim)
    server = CrashServer(options.server, own_port(*options.ports), folder / "server.log")
    power_failures = 0
    clients = None
    try:
        for _ in range(options.rounds):
            policy = chance.choice(("always", "always", "everysec"))
            server.launch(disk, POLICIES[policy], chance.choice(SYNC_US_MAX))
            server.wait_until_ready()
            clients = clients or Clients(path, server.port)
            time.sleep(chance.uniform(0.3, 1.2))
            server.kill()
            if policy == "always":
                power_failures += 1
                disk.fail_power(chance, chance.choice(("all", "part")))
        server.launch(disk, POLICIES["always"])
        server.wait_until_ready()
        time.sleep(0.5)
        print(f"redisson: {options.rounds} crashes, {power_failures} failures of the power")
        print(f"redisson: {clients.finish()}")
        return 0
    except Fault as fault:
        print(f"redisson: FAULT {fault}\n--- server\n{server.output()}")
        return 1
    finally:
        if clients is not None:
            clients.end()
        server.end()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", required=True)
    parser.add_argument("--shim", required=True)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    parser.add_argument("--work", default=ROOT / "build/clients", type=pathlib.Path)
    parser.add_argument("--ports", default="21300-21399")
    options = parser.parse_args()
    options.ports = tuple(map(int, options.ports.split("-")))
    options.work = options.work.resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    print(f"redisson: seed {options.seed}", flush=True)
    path = class_path(options.work)
    with tempfile.TemporaryDirectory(prefix="mortise-crash-", dir=default_folder()) as folder:
        return rounds(options, pathlib.Path(folder), path)


if __name__ == "__main__":
    sys.exit(main())
