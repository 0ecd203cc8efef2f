"""redis-cli as people and scripts use it: arguments, standard input, -3, --pipe, --scan, --eval."""

import subprocess

import pytest

TIMEOUT_SECONDS = 60


def pipe_protocol(*commands):
    """Commands as the RESP bytes that --pipe takes."""
    parts = []
    for words in commands:
        encoded = [str(word).encode() for word in words]
        parts.append(b"*%d\r\n" % len(encoded))
        parts += [b"$%d\r\n%s\r\n" % (len(word), word) for word in encoded]
    return b"".join(parts)


def test_a_first_lock(cli):
    assert cli("SET", "lock:order", "me", "NX", "PX", 30000) == b"OK\n"
    assert cli("SET", "lock:order", "you", "NX", "PX", 30000) == b"\n"
    assert 0 < int(cli("PTTL", "lock:order")) <= 30000
    assert cli("GET", "lock:order") == b"me\n"
    assert cli("DEL", "lock:order") == b"1\n"
    assert cli("EXISTS", "lock:order") == b"0\n"


def test_script_of_commands_from_standard_input(cli, tmp_path):
    script = tmp_path / "commands.txt"
    script.write_text(
        'SET greeting "hello world"\n'
        "GET greeting\n"
        "INCR counter\n"
        "INCRBY counter 41\n"
        "HSET h a 1 b 2\n"
        "HGETALL h\n"
        'SET binary "\\x00\\xff\\r\\n"\n'
        "STRLEN binary\n"
        "MULTI\n"
        "INCR counter\n"
        "INCR counter\n"
        "EXEC\n"
        "SELECT 1\n"
        "DBSIZE\n"
    )
    expected = "OK|hello world|1|42|2|a|1|b|2|OK|4|OK|QUEUED|QUEUED|43|44|OK|0".split("|")
    assert cli(stdin=script.read_bytes()).decode().splitlines() == expected


def test_errors_are_printed_and_the_script_goes_on(cli):
    output = cli(stdin=b"SET k text\nINCR k\nNOSUCH\nGET k\n").decode()
    lines = [line for line in output.splitlines() if line]
    assert lines[0] == "OK" and lines[-1] == "text"
    assert lines[1] == "ERR value is not an integer or out of range"
    assert lines[2].startswith("ERR unknown command 'NOSUCH', with args beginning with:")


def test_e_ends_with_an_error_code(cli):
    cli("-e", "SET", "k", "text", returncode=0)
    cli("-e", "INCR", "k", returncode=1)
    cli("-e", "HGET", "k", "f", returncode=1)
    cli("-e", "NOSUCH", returncode=1)
    cli("INCR", "k", returncode=0)


def test_formatted_replies_of_resp2_and_resp3(cli):
    cli("HSET", "h", "a", "1", "b", "2")
    assert cli("--no-raw", "HGETALL", "h") == b'1) "a"\n2) "1"\n3) "b"\n4) "2"\n'
    assert cli("-3", "--no-raw", "HGETALL", "h") == b'1# "a" => "1"\n2# "b" => "2"\n'
    assert cli("--no-raw", "GET", "none") == b"(nil)\n"
    assert cli("-3", "--no-raw", "GET", "none") == b"(nil)\n"
    assert cli("-3", "--no-raw", "EVAL", "redis.setresp(3) return 4", 0) == b"(integer) 4\n"
    assert cli("--no-raw", "PING") == b"PONG\n"


def test_resp3_script_of_commands(cli):
    hello = cli("-3", "HELLO").decode()
    assert "proto 3" in hello
    output = cli("-3", stdin=b"SET lock:order me NX PX 30000\nGET lock:order\nDEL lock:order\n")
    assert output == b"OK\nme\n1\n"


def test_csv_and_json_output(cli):
    cli("HSET", "h", "a", "1")
    assert cli("--csv", "HGETALL", "h") == b'"a","1"\n'
    assert cli("--json", "HGETALL", "h") == b'{"a":"1"}\n'


def test_repeat_with_interval_and_database(cli):
    assert cli("-r", 3, "-i", 0.01, "INCR", "k") == b"1\n2\n3\n"
    assert cli("-n", 5, "SET", "k", "there") == b"OK\n"
    assert cli("GET", "k") == b"3\n" and cli("-n", 5, "GET", "k") == b"there\n"


def test_last_argument_from_standard_input(cli):
    value = bytes(range(256)) * 40
    assert cli("-x", "SET", "k", stdin=value) == b"OK\n"
    assert cli("--raw", "GET", "k") == value + b"\n"


@pytest.mark.parametrize("count", [1, 20_000])
def test_pipe_loads_everything(cli, count):
    wire = pipe_protocol(*(["SET", f"key:{i}", f"value-{i}", "PX", 600000] for i in range(count)))
    report = cli("--pipe", stdin=wire).decode()
    assert f"errors: 0, replies: {count}" in report
    assert cli("DBSIZE") == b"%d\n" % count
    assert cli("GET", f"key:{count - 1}") == b"value-%d\n" % (count - 1)


def test_pipe_counts_errors(cli):
    wire = pipe_protocol(["SET", "k", "text"], ["INCR", "k"], ["GET", "k"])
    assert "errors: 1, replies: 3" in cli("--pipe", stdin=wire, returncode=1).decode()


def test_scan_lists_every_key(cli):
    names = {f"lock:{i}" for i in range(2000)}
    cli("--pipe", stdin=pipe_protocol(*(["SET", name, 1] for name in names), ["SET", "other", 1]))
    assert sorted(cli("--scan").decode().split()) == sorted(names | {"other"})
    assert set(cli("--scan", "--pattern", "lock:19*").decode().split()) == {
        name for name in names if name.startswith("lock:19")}


def test_eval_of_a_file(cli, tmp_path):
    script = tmp_path / "release.lua"
    script.write_text(
        "-- Only the owner releases.\n"
        "if redis.call('get', KEYS[1]) == ARGV[1] then\n"
        "  return redis.call('del', KEYS[1])\n"
        "end\n"
        "return 0\n"
    )
    cli("SET", "lock:order", "me")
    assert cli("--eval", script, "lock:order", ",", "you") == b"0\n"
    assert cli("--eval", script, "lock:order", ",", "me") == b"1\n"
    script.write_text("return {#KEYS, #ARGV, ARGV[2], 3.99, false, {'deep'}}")
    output = cli("--no-raw", "--eval", script, "a", "b", ",", "c", "d e").decode()
    assert output.split("\n")[:5] == [
        "1) (integer) 2", "2) (integer) 2", '3) "d e"', "4) (integer) 3", "5) (nil)"]
    script.write_text("return redis.call('nosuch')")
    cli("-e", "--eval", script, returncode=1)


def test_latency_reports_and_ends(server):
    """Not on a terminal, --latency samples for one second (-i) and prints one line."""
    done = subprocess.run(
        ["redis-cli", "-p", str(server.port), "--raw", "-i", "1", "--latency"],
        stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_SECONDS)
    assert done.returncode == 0, done
    least, most, mean, samples = done.stdout.split()[:4]
    assert 0 <= float(least) <= float(mean) <= float(most) and int(samples) > 10


def test_subscriber_prints_messages(cli, start_cli):
    subscriber = start_cli("SUBSCRIBE", "released")
    confirmation = [subscriber.stdout.readline() for _ in range(3)]
    assert confirmation == [b"subscribe\n", b"released\n", b"1\n"]
    assert cli("PUBLISH", "released", "lock:order") == b"1\n"
    message = [subscriber.stdout.readline() for _ in range(3)]
    assert message == [b"message\n", b"released\n", b"lock:order\n"]
