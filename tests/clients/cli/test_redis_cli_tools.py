"""What redis-cli does beside sending commands: samples of the keyspace, statistics, MONITOR."""

import re
import subprocess
import time

import pytest

TIMEOUT_SECONDS = 60


@pytest.fixture
def keys_of_every_type(cli):
    cli(
        stdin=b"SET lock:small 1\nSET lock:large " + b"x" * 5000 + b"\n"
        b"RPUSH list a b c\nSADD set a b\nZADD scores 1 a 2 b 3 c 4 d\nHSET hash a 1\n"
    )


def run_failing(server, *arguments):
    """Both outputs of a redis-cli that must end with an error code."""
    done = subprocess.run(
        ["redis-cli", "-p", str(server.port), *map(str, arguments)],
        stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_SECONDS)
    assert done.returncode == 1, done
    return (done.stdout + done.stderr).decode()


def is_redis(cli):
    return b"mortise_version" not in cli("INFO", "server")


def test_bigkeys(cli, keys_of_every_type):
    report = cli("--bigkeys").decode()
    assert "Sampled 6 keys in the keyspace!" in report
    for line in [
        """Biggest string found '"lock:large"' has 5000 bytes""",
        """Biggest   list found '"list"' has 3 items""",
        """Biggest    set found '"set"' has 2 members""",
        """Biggest   zset found '"scores"' has 4 members""",
        """Biggest   hash found '"hash"' has 1 fields""",
        "2 strings with 5001 bytes (33.33% of keys, avg size 2500.50)",
    ]:
        assert line in report


def test_memkeys(cli, keys_of_every_type):
    for arguments in (["--memkeys"], ["--memkeys-samples", 3]):
        report = cli(*arguments).decode()
        assert "Sampled 6 keys in the keyspace!" in report
        found = re.search(r"""Biggest string found '"lock:large"' has (\d+) bytes""", report)
        assert 5000 < int(found.group(1)) < 20000
        sizes = re.findall(r"\d+ (?:list|set|zset|hash)s with (\d+) bytes", report)
        assert len(sizes) == 4 and all(int(size) > 0 for size in sizes)


def test_samples_of_many_keys(cli):
    cli(stdin=b"".join(b"SET lock:%d %s\n" % (i, b"v" * (i % 50 + 1)) for i in range(3000)))
    report = cli("--bigkeys").decode()
    assert "Sampled 3000 keys in the keyspace!" in report and "has 50 bytes" in report


def test_hotkeys_asks_for_a_policy_that_counts(server, cli):
    cli("SET", "k", "v")
    output = run_failing(server, "--hotkeys")
    assert re.search(r"^(Error|ERR).*LFU", output, re.MULTILINE), output


@pytest.mark.parametrize("option", ["--rdb", "--functions-rdb"])
def test_a_dump_is_written_or_refused_in_words(server, cli, tmp_path, option):
    cli("SET", "k", "v")
    target = tmp_path / "dump.rdb"
    if is_redis(cli):
        cli(option, target)
        assert target.read_bytes().startswith(b"REDIS")
        return
    output = run_failing(server, option, target)
    refusal = r"SYNC with master failed: -ERR .*\w|Failed requesting functions only RDB from server"
    assert re.search(refusal, output), output
    assert cli("GET", "k") == b"v\n"


def test_stat(cli, start_cli):
    cli(stdin=b"".join(b"SET lock:%d v\n" % i for i in range(7)))
    process = start_cli("-i", "0.02", "--stat")
    lines = [process.stdout.readline().decode() for _ in range(5)]
    assert re.match(r"-+ data -+ -+ load -+", lines[0])
    assert lines[1].split()[:3] == ["keys", "mem", "clients"]
    for line in lines[2:]:
        keys, memory, clients, blocked, requests = line.split()[:5]
        assert (int(keys), int(blocked)) == (7, 0)
        assert re.fullmatch(r"[\d.]+[BKMG]", memory) and float(memory[:-1]) > 0
        assert int(clients) >= 1 and int(requests) >= 7
    assert re.search(r"\(\+\d+\)", lines[4]), "requests since the line before"


def test_monitor_shows_what_others_send(cli, start_cli):
    monitor = start_cli("MONITOR")
    assert monitor.stdout.readline() == b"OK\n"
    cli("-n", 3, "SET", "lock:order", 'a "b"\r\n\x01', "PX", 5000)
    cli("EVAL", "return redis.call('get', KEYS[1])", 1, "lock:order")
    seen = []
    while not any('"get"' in line for line in seen):
        line = monitor.stdout.readline().decode()
        assert line, seen
        seen.append(line)
    pattern = r'\d+\.\d{6} \[3 127\.0\.0\.1:\d+\] "SET" "lock:order" "(.*)" "PX" "5000"\n'
    sent = [match for match in map(lambda line: re.fullmatch(pattern, line), seen) if match]
    assert [match.group(1) for match in sent] == [r'a \"b\"\r\n\x01']
    assert re.fullmatch(r'\d+\.\d{6} \[0 lua\] "get" "lock:order"\n', seen[-1])


def test_subscribers_of_channels_and_patterns(cli, start_cli):
    channels = start_cli("--csv", "SUBSCRIBE", "a", "b")
    patterns = start_cli("--csv", "PSUBSCRIBE", "released:*")
    assert channels.stdout.readline().startswith(b"Reading messages")
    assert patterns.stdout.readline().startswith(b"Reading messages")
    assert channels.stdout.readline() == b'"subscribe","a",1\n'
    assert channels.stdout.readline() == b'"subscribe","b",2\n'
    assert patterns.stdout.readline() == b'"psubscribe","released:*",1\n'
    assert cli("PUBLISH", "b", "two\nlines") == b"1\n"
    assert cli("PUBLISH", "released:order", "me") == b"1\n"
    assert channels.stdout.readline() == b'"message","b","two\\nlines"\n'
    assert patterns.stdout.readline() == b'"pmessage","released:*","released:order","me"\n'


def test_subscriber_over_resp3(cli, start_cli):
    subscriber = start_cli("-3", "SUBSCRIBE", "a")
    assert subscriber.stdout.readline() == b"subscribe\n"
    subscriber.stdout.readline(), subscriber.stdout.readline()
    assert cli("PUBLISH", "a", "x") == b"1\n"
    assert [subscriber.stdout.readline() for _ in range(3)] == [b"message\n", b"a\n", b"x\n"]


def test_blocking_pops(cli, start_cli):
    waiting = start_cli("BLPOP", "signal", "20")
    deadline = time.monotonic() + 10
    while b"blocked_clients:1" not in cli("INFO", "clients") and time.monotonic() < deadline:
        time.sleep(0.02)
    cli("RPUSH", "signal", "go")
    assert waiting.communicate(timeout=TIMEOUT_SECONDS)[0] == b"signal\ngo\n"
    assert cli("BLPOP", "signal", "0.05") == b"\n"


def test_a_cluster_check_says_that_there_is_none(server):
    output = run_failing(server, "--cluster", "check", f"127.0.0.1:{server.port}")
    assert "is not configured as a cluster node" in output
