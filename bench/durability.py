#!/usr/bin/env python3
"""What durability costs, beside redis-server in one run: appendfsync always (throughput, latency), everysec
(CPU per operation over no journal), recovery of many locks, the tail of latency while a snapshot is taken.

usage: durability.py --mortise BINARY [--rounds N] [--seconds S] [--only always,everysec,recovery,compaction]
                     [--sync-us N: each sync takes that long at the least, for both servers]

Ratios are medians over interleaved rounds, with the lowest and highest round. Servers are pinned to CPU 0 with
all their threads, the load to CPU 1; CPU time counts every thread. Data lies in --folder (a real disk, please)."""
import argparse
import contextlib
import os
import pathlib
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time

import side_by_side as bench


slow_sync = {}  # environment of the servers


def slow_down_syncs(folder, microseconds):
    source, library = pathlib.Path(__file__).parent / "slow_sync.c", folder / "libslow_sync.so"
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", library, source], check=True)
    slow_sync.update(LD_PRELOAD=str(library), MORTISE_BENCH_SYNC_US=str(microseconds))


@contextlib.contextmanager
def server(binary, folder, *options):
    """In `folder`, which is kept; yields (pid, port) when it answers PING."""
    port = bench.free_port()
    command = [binary, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder), *options]
    if shutil.which("taskset"):
        command = ["taskset", "-c", "0"] + command
    with open(pathlib.Path(folder) / "log", "a") as log:
        process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT, env={**os.environ, **slow_sync})
    try:
        wait_until_loaded(process, port)
        yield process.pid, port
    finally:
        process.terminate()
        process.wait()


def wait_until_loaded(process, port):
    while process.poll() is None:
        with contextlib.suppress(OSError):
            with socket.create_connection(("127.0.0.1", port), 5) as connection:
                connection.sendall(bench.request("PING"))
                if connection.recv(100).startswith(b"+PONG"):
                    return
        time.sleep(0.005)
    raise RuntimeError("the server ended; see its log")


def ask(port, *words):
    with socket.create_connection(("127.0.0.1", port), 60) as connection:
        connection.sendall(bench.request(*words))
        return connection.recv(1 << 20).decode()


def info(port, field):
    """A figure of INFO persistence, 0 when there is none of that name."""
    for line in ask(port, "INFO", "persistence").splitlines():
        if line.startswith(field + ":"):
            return int(line.split(":")[1])
    return 0


def run_load(load, port, workload, seconds):
    name, connections, depth = workload.split(":")
    pin = ["taskset", "-c", "1"] if shutil.which("taskset") else []
    done = subprocess.run(pin + [load, str(port), connections, depth, str(seconds), name], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{workload}: the load ended with {done.returncode}: {done.stderr}")
    return bench.json.loads(done.stdout)


def measure(options, load, binary, workload, *settings):
    with tempfile.TemporaryDirectory(dir=options.folder) as folder, server(binary, folder, *settings) as (pid, port):
        before = bench.cpu_seconds(pid)
        written = info(port, "journal_written_bytes") or info(port, "aof_current_size")
        result = run_load(load, port, workload, options.seconds)
        result["cpu_us"] = (bench.cpu_seconds(pid) - before) / result["ops_all"] * 1e6
        written = (info(port, "journal_written_bytes") or info(port, "aof_current_size")) - written
        result["bytes_per_op"] = written / result["ops_all"]
        return result


def spread(values, digits=2):
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f}..{max(values):.{digits}f})"


def ratios(rounds, key, name, base):
    return [a[key] / b[key] for a, b in zip(rounds[name], rounds[base])]


def interleave(options, contenders):
    """contenders: name → function that measures once."""
    rounds = {name: [] for name in contenders}
    for _ in range(options.rounds):
        for name, once in contenders.items():
            rounds[name].append(once())
    return rounds


def always(options, load):
    settings = ("--appendonly", "yes", "--appendfsync", "always")
    for workload in ("setnxpx:50:1", "redisson:50:1"):
        rounds = interleave(options, {
            "redis": lambda: measure(options, load, options.redis, workload, *settings),
            "mortise": lambda: measure(options, load, options.mortise, workload, *settings)})
        for name in rounds:
            median = {key: statistics.median(r[key] for r in rounds[name]) for key in rounds[name][0]}
            print(f"always, {workload:14} {name:8} {median['ops_s']:8.0f} ops/s  p50 {median['p50_us']:6.0f} us  "
                  f"p99.9 {median['p999_us']:6.0f} us  cpu {median['cpu_us']:5.2f} us/op")
        print(f"always, {workload:14} mortise / redis: throughput {spread(ratios(rounds, 'ops_s', 'mortise', 'redis'))}, "
              f"p50 {spread(ratios(rounds, 'p50_us', 'mortise', 'redis'))}", flush=True)


def everysec(options, load):
    with_journal = ("--appendonly", "yes", "--appendfsync", "everysec")
    without = ("--appendonly", "no")
    for workload in ("setnxpx:50:1", "redisson:50:1", "setnxpx:50:32", "redisson:50:32"):
        rounds = interleave(options, {
            "redis no": lambda: measure(options, load, options.redis, workload, *without),
            "redis": lambda: measure(options, load, options.redis, workload, *with_journal),
            "mortise no": lambda: measure(options, load, options.mortise, workload, *without),
            "mortise": lambda: measure(options, load, options.mortise, workload, *with_journal)})
        for name in ("redis", "mortise"):
            cpu = statistics.median(r["cpu_us"] for r in rounds[name])
            pair = 2 * statistics.median(r["bytes_per_op"] for r in rounds[name])
            print(f"everysec, {workload:15} {name:8} cpu {cpu:5.2f} us/op, over no journal "
                  f"{spread(ratios(rounds, 'cpu_us', name, name + ' no'))}; journal {pair:.0f} bytes per pair of requests",
                  flush=True)


def fill(port, locks):
    connection = socket.create_connection(("127.0.0.1", port))
    items = (bench.request("SET", f"lock:order:{i:012d}", bench.OWNER % (i % 64), "NX", "PX", 36000000)
             for i in range(locks))
    bench.pipeline(connection, items, 1)


def save(port):
    ask(port, "BGREWRITEAOF")
    time.sleep(0.2)
    while info(port, "aof_rewrite_in_progress") or info(port, "aof_rewrite_scheduled"):
        time.sleep(0.1)


def start_seconds(binary, folder, settings):
    began = time.monotonic()
    with server(binary, folder, *settings):
        return time.monotonic() - began


def recovery(options, load):
    settings = ("--appendonly", "yes", "--appendfsync", "no", "--auto-aof-rewrite-percentage", "0")
    with contextlib.ExitStack() as stack:
        folders = {}
        for name, binary in (("redis", options.redis), ("mortise", options.mortise)):
            folder = folders[name] = stack.enter_context(tempfile.TemporaryDirectory(dir=options.folder))
            with server(binary, folder, *settings) as (_, port):
                fill(port, options.locks)
                save(port)
                # What comes behind the snapshot.
                run_load(load, port, "setnxpx:50:32", 1)
        rounds = interleave(options, {
            "redis": lambda: {"s": start_seconds(options.redis, folders["redis"], settings)},
            "mortise": lambda: {"s": start_seconds(options.mortise, folders["mortise"], settings)}})
        for name in rounds:
            size = sum(file.stat().st_size for file in pathlib.Path(folders[name]).rglob("*") if file.is_file())
            print(f"recovery of {options.locks} locks, {name:8} {spread([r['s'] for r in rounds[name]])} s, {size >> 20} MB on disk")
        print(f"recovery, mortise / redis: {spread(ratios(rounds, 's', 'mortise', 'redis'))}", flush=True)


def compaction(options, load):
    settings = ("--appendonly", "yes", "--appendfsync", "everysec", "--auto-aof-rewrite-percentage", "0")
    for name, binary in (("redis", options.redis), ("mortise", options.mortise)):
        with tempfile.TemporaryDirectory(dir=options.folder) as folder, server(binary, folder, *settings) as (_, port):
            fill(port, options.locks // 5)
            quiet, busy = [], []
            for _ in range(options.rounds):
                quiet.append(run_load(load, port, "setnxpx:50:1", options.seconds)["p999_us"])
                with subprocess.Popen([sys.executable, __file__, "--snapshots", str(port), str(options.seconds + 1)]):
                    busy.append(run_load(load, port, "setnxpx:50:1", options.seconds)["p999_us"])
            print(f"snapshots under load, {name:8} p99.9 of setnxpx:50:1 {spread(quiet, 0)} us, while taken {spread(busy, 0)} us, "
                  f"ratio {spread([b / q for a, (q, b) in enumerate(zip(quiet, busy))])}", flush=True)


def take_snapshots(port, seconds):
    end = time.monotonic() + float(seconds)
    while time.monotonic() < end:
        save(port)


def main():
    if len(sys.argv) == 4 and sys.argv[1] == "--snapshots":
        return take_snapshots(int(sys.argv[2]), sys.argv[3])
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mortise", required=True)
    parser.add_argument("--redis", default="redis-server")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--locks", type=int, default=5_000_000)
    parser.add_argument("--folder", default=None)
    parser.add_argument("--sync-us", type=int, default=0)
    parser.add_argument("--only", default="always,everysec,recovery,compaction")
    options = parser.parse_args()
    options.mortise = str(pathlib.Path(options.mortise).resolve())
    tools = pathlib.Path(options.mortise).parent.parent / "bench"
    tools.mkdir(parents=True, exist_ok=True)
    options.folder = options.folder or str(tools)
    load, _ = bench.build_tools(tools)
    if options.sync_us:
        slow_down_syncs(tools, options.sync_us)
    for part in options.only.split(","):
        {"always": always, "everysec": everysec, "recovery": recovery, "compaction": compaction}[part](options, load)
    return 0


if __name__ == "__main__":
    sys.exit(main())
