#!/usr/bin/env python3
"""Mortise beside redis-server in one run: server CPU per operation (ratios of medians over interleaved
rounds, with the spread of the per-round ratios), lateness of expiry, bytes of a lock.

usage: side_by_side.py --mortise BINARY [--rounds N] [--seconds S] [--workloads w:connections:pipeline,...]

Servers are pinned to CPU 0, the load to CPU 1. Everything listens on 127.0.0.1."""
import argparse
import contextlib
import json
import os
import pathlib
import random
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

WORKLOADS = "setnxpx:50:1,cad:50:1,redisson:50:1,setnxpx:50:32,cad:50:32,redisson:50:32,redisson_renew:50:32"
WARM_UP_SECONDS = 0.5
OWNER = b"8743c9c0-0795-4907-87fd-6c719a6b4586:%d"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def cpu_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_bytes(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) * 1024
    raise RuntimeError("no VmRSS")


@contextlib.contextmanager
def server(binary):
    port = free_port()
    command = [binary, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    if shutil.which("taskset"):
        command = ["taskset", "-c", "0"] + command
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            for _ in range(200):
                with contextlib.suppress(OSError):
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                time.sleep(0.05)
            yield process.pid, port
        finally:
            process.terminate()
            process.wait()


def request(*arguments):
    parts = [b"*%d\r\n" % len(arguments)]
    for argument in arguments:
        data = argument if isinstance(argument, bytes) else str(argument).encode()
        parts.append(b"$%d\r\n%s\r\n" % (len(data), data))
    return b"".join(parts)


def pipeline(connection, requests, replies, batch=1000):
    """Sends in batches and waits for one line per reply."""
    pending = []
    for item in requests:
        pending.append(item)
        if len(pending) == batch:
            flush(connection, pending, replies)
    flush(connection, pending, replies)


def flush(connection, pending, lines_each):
    connection.sendall(b"".join(pending))
    wanted = len(pending) * lines_each
    while wanted > 0:
        wanted -= connection.recv(1 << 20).count(b"\r\n")
    pending.clear()


def measure_load(load, binary, workload, seconds):
    name, connections, depth = workload.split(":")
    with server(binary) as (pid, port):
        before = cpu_seconds(pid)
        pin = ["taskset", "-c", "1"] if shutil.which("taskset") and os.cpu_count() > 1 else []
        done = subprocess.run(pin + [load, str(port), connections, depth, str(seconds), name],
                              capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{binary} {workload}: the load ended with {done.returncode}: {done.stderr}")
        result = json.loads(done.stdout)
        if result["errors"]:
            raise RuntimeError(f"{binary} {workload}: {done.stderr}")
        result["cpu_us"] = (cpu_seconds(pid) - before) / result["ops_all"] * 1e6
        return result


def compare_load(options, load, floor):
    contenders = {"redis": options.redis, "mortise": options.mortise}
    print(f"{'workload':22} {'server':8} {'ops/s':>9} {'p50 us':>7} {'p99.9 us':>9} {'cpu us/op':>9}  ratio of cpu (lowest..highest round)")
    for workload in options.workloads.split(","):
        here = dict(contenders)
        if workload.startswith("setnxpx"):
            here = {"floor": floor, **contenders}
        rounds = {name: [] for name in here}
        for _ in range(options.rounds):
            for name, binary in here.items():
                rounds[name].append(measure_load(load, binary, workload, options.seconds))
        for name, results in rounds.items():
            median = {key: statistics.median(r[key] for r in results) for key in results[0]}
            ratios = [a["cpu_us"] / b["cpu_us"] for a, b in zip(results, rounds["redis"])]
            print(f"{workload:22} {name:8} {median['ops_s']:9.0f} {median['p50_us']:7.0f} {median['p999_us']:9.0f} "
                  f"{median['cpu_us']:9.2f}  {statistics.median(ratios):.2f} ({min(ratios):.2f}..{max(ratios):.2f})", flush=True)


def expiry_lateness(binary, keys):
    """How late `expired` events come, in ms after the deadline that the key's own name carries."""
    with server(binary) as (_, port):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.sendall(request("CONFIG", "SET", "notify-keyspace-events", "Ex"))
        connection.recv(100)
        listener = socket.create_connection(("127.0.0.1", port))
        listener.sendall(request("SUBSCRIBE", "__keyevent@0__:expired"))
        listener.recv(1000)
        base = int(time.time() * 1000) + 3000
        deadlines = [base + random.randrange(3000) for _ in range(keys)]
        pipeline(connection, (request("SET", f"e:{i}:{at}", "o", "NX", "PXAT", at) for i, at in enumerate(deadlines)), 1)
        late, buffer, end = [], b"", time.time() + 30
        listener.settimeout(2)
        while len(late) < keys and time.time() < end:
            with contextlib.suppress(TimeoutError):
                buffer += listener.recv(1 << 20)
                now = time.time() * 1000
                lines = buffer.split(b"\r\n")
                buffer = lines.pop()
                late += [now - int(line.rsplit(b":", 1)[1]) for line in lines if line.startswith(b"e:")]
        late.sort()
        return {"seen": len(late), "p50": late[len(late) // 2], "p99.9": late[int(len(late) * 0.999)], "max": late[-1]}


def bytes_per_lock(binary, kind, count):
    with server(binary) as (pid, port):
        connection = socket.create_connection(("127.0.0.1", port))
        connection.sendall(request("PING"))
        connection.recv(100)
        time.sleep(0.3)
        before = resident_bytes(pid)
        if kind == "hash":
            items = (request("HSET", f"lock:order:{i:012d}", OWNER % (i % 64), 1) +
                     request("PEXPIRE", f"lock:order:{i:012d}", 3600000) for i in range(count))
            pipeline(connection, items, 2)
        else:
            items = (request("SET", f"lock:order:{i:012d}", OWNER % (i % 64), "NX", "PX", 3600000) for i in range(count))
            pipeline(connection, items, 1)
        return (resident_bytes(pid) - before) / count


def build_tools(folder):
    here = pathlib.Path(__file__).parent
    paths = []
    for name in ("lock_load", "echo_floor"):
        target = folder / name
        source = here / f"{name}.cpp"
        if not target.exists() or target.stat().st_mtime < source.stat().st_mtime:
            subprocess.run(["g++", "-O2", "-std=c++23", "-o", target, source], check=True)
        paths.append(str(target))
    return paths


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mortise", required=True)
    parser.add_argument("--redis", default="redis-server")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--workloads", default=WORKLOADS)
    parser.add_argument("--keys", type=int, default=1_000_000, help="locks for the memory figure")
    parser.add_argument("--only", choices=["load", "expiry", "memory"])
    options = parser.parse_args()
    folder = pathlib.Path(options.mortise).resolve().parent.parent / "bench"
    folder.mkdir(parents=True, exist_ok=True)
    load, floor = build_tools(folder)
    if options.only in (None, "load"):
        compare_load(options, load, floor)
    for name, binary in (("redis", options.redis), ("mortise", options.mortise)):
        if options.only in (None, "expiry"):
            late = expiry_lateness(binary, 100_000)
            print(f"expiry of 100,000 keys within 3 s, {name}: seen {late['seen']}, late by ms: p50 {late['p50']:.1f}, "
                  f"p99.9 {late['p99.9']:.1f}, max {late['max']:.1f}", flush=True)
        if options.only in (None, "memory"):
            print(f"bytes of RSS per lock, {name}: Redisson hash {bytes_per_lock(binary, 'hash', options.keys):.0f}, "
                  f"SET NX PX string {bytes_per_lock(binary, 'string', options.keys):.0f}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
