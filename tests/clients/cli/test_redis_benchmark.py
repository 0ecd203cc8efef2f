"""redis-benchmark's usual tests, pipelined: every one reports a rate and none an error."""

import subprocess

import pytest

TIMEOUT_SECONDS = 120
TESTS = "ping,set,get,incr,hset,mset"
TITLES = ["PING_INLINE", "PING_MBULK", "SET", "GET", "INCR", "HSET", "MSET (10 keys)"]


def benchmark(server, *arguments):
    done = subprocess.run(
        ["redis-benchmark", "-p", str(server.port), "-q", *map(str, arguments)],
        stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_SECONDS)
    output = done.stdout.decode() + done.stderr.decode()
    assert done.returncode == 0, output
    assert "error" not in output.lower() and "warning" not in output.lower(), output
    return [line.split("\r")[-1] for line in output.splitlines() if "requests per second" in line]


@pytest.mark.parametrize("pipeline", [1, 16])
def test_usual_tests(server, pipeline):
    count = 20_000 if pipeline == 1 else 100_000
    lines = benchmark(server, "-t", TESTS, "-n", count, "-P", pipeline)
    assert [line.split(":")[0] for line in lines] == TITLES
    rates = [float(line.split(":")[1].split()[0]) for line in lines]
    assert all(rate > 0 for rate in rates)


def test_resp3_random_keys_and_larger_values(server):
    lines = benchmark(
        server, "-3", "-t", "set,get,incr", "-n", 50_000, "-P", 16, "-r", 10_000, "-d", 512)
    assert [line.split(":")[0] for line in lines] == ["SET", "GET", "INCR"]


def test_a_lock_command_line(server):
    lines = benchmark(
        server, "-n", 50_000, "-r", 1_000, "-P", 16,
        "SET", "lock:__rand_int__", "owner", "NX", "PX", "30000")
    assert len(lines) == 1


def test_many_connections(server):
    lines = benchmark(server, "-t", "set,get", "-n", 20_000, "-c", 500)
    assert [line.split(":")[0] for line in lines] == ["SET", "GET"]
