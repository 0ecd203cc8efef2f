"""The Prometheus exporter scrapes INFO, CONFIG, LATENCY and keys; its figures are the server's."""

import os
import re
import subprocess
import time
import urllib.error
import urllib.request

import pytest
import redis
from local_server import LocalServer, candidate_ports

STARTUP_SECONDS_MAX = 20.0


class Exporter:
    def __init__(self, server, folder):
        self.port = candidate_ports()[0]
        self.log_path = folder / "exporter.log"
        self.log = open(self.log_path, "wb")
        self.process = subprocess.Popen(
            [
                os.environ["MORTISE_REDIS_EXPORTER"],
                "-redis.addr", f"redis://127.0.0.1:{server.port}",
                "-web.listen-address", f"127.0.0.1:{self.port}",
                "-include-config-metrics", "-export-client-list", "-include-system-metrics",
                "-check-keys", "db0=lock:*", "-count-keys", "db0=lock:*",
                "-check-key-groups", "^([a-z]+):",
            ],
            stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT,
        )

    def scrape(self):
        """{name: {labels: value}}; the first scrape waits until the exporter listens."""
        deadline = time.monotonic() + STARTUP_SECONDS_MAX
        while True:
            try:
                url = f"http://127.0.0.1:{self.port}/metrics"
                with urllib.request.urlopen(url, timeout=10) as reply:
                    return parse(reply.read().decode())
            except urllib.error.URLError:
                assert self.process.poll() is None and time.monotonic() < deadline, self.output()
                time.sleep(0.02)

    def output(self):
        return self.log_path.read_text(errors="replace")

    def stop(self):
        self.process.terminate()
        self.process.wait(10)
        self.log.close()


def parse(text):
    metrics = {}
    for name, labels, value in re.findall(r"^(\w+)(?:\{(.*)\})? (\S+)$", text, re.MULTILINE):
        metrics.setdefault(name, {})[labels] = float(value)
    return metrics


@pytest.fixture(scope="module")
def module_server():
    """A server whose figures nobody else has changed."""
    server = LocalServer()
    yield server
    server.stop()


@pytest.fixture
def exporter(server, tmp_path):
    running = Exporter(server, tmp_path)
    yield running
    running.stop()
    wrong = [line for line in running.output().splitlines() if re.search(r"level=(err|warn)", line)]
    assert wrong == []


@pytest.fixture
def client(server):
    with redis.Redis(port=server.port, db=0) as connection:
        yield connection


def only(metrics, name):
    """The value of a metric without labels."""
    assert list(metrics[name]) == [""], metrics[name]
    return metrics[name][""]


def test_it_is_up_and_scrapes_without_an_error(exporter):
    for count in (1, 2):
        metrics = exporter.scrape()
        assert only(metrics, "redis_up") == 1
        assert metrics["redis_exporter_last_scrape_error"] == {'err=""': 0}
        assert only(metrics, "redis_exporter_scrapes_total") == count
    assert any('role="master"' in labels for labels in metrics["redis_instance_info"])


def test_keyspace(exporter, client):
    client.mset({f"lock:{i}": i for i in range(7)})
    client.set("lock:leased", "me", px=60_000)
    with redis.Redis(port=client.connection_pool.connection_kwargs["port"], db=3) as other:
        other.set("k", 1)
    metrics = exporter.scrape()
    assert metrics["redis_db_keys"]['db="db0"'] == 8
    assert metrics["redis_db_keys_expiring"]['db="db0"'] == 1
    assert metrics["redis_db_keys"]['db="db3"'] == 1
    assert 0 <= metrics["redis_db_avg_ttl_seconds"]['db="db0"'] <= 60
    assert metrics["redis_keys_count"] == {'db="db0",key="lock:*"': 8}
    assert metrics["redis_key_value"]['db="db0",key="lock:3"'] == 3
    assert metrics["redis_key_group_count"]['db="db0",key_group="lock"'] == 8


def test_sizes_of_every_type(exporter, client):
    client.rpush("lock:list", "a", "b", "c")
    client.sadd("lock:set", "a", "b")
    client.zadd("lock:scores", {"a": 1})
    client.hset("lock:hash", mapping={"a": 1, "b": 2, "c": 3, "d": 4})
    sizes = exporter.scrape()["redis_key_size"]
    assert sizes == {
        'db="db0",key="lock:list"': 3,
        'db="db0",key="lock:set"': 2,
        'db="db0",key="lock:scores"': 1,
        'db="db0",key="lock:hash"': 4,
    }


def test_clients(exporter, server, client):
    before = only(exporter.scrape(), "redis_connected_clients")
    more = [redis.Redis(port=server.port, client_name=f"worker-{i}") for i in range(4)]
    assert all(connection.ping() for connection in more)
    metrics = exporter.scrape()
    assert only(metrics, "redis_connected_clients") == before + 4
    assert only(metrics, "redis_blocked_clients") == 0
    assert only(metrics, "redis_config_maxclients") >= 100
    details = metrics["redis_connected_clients_details"]
    assert len([labels for labels in details if 'name="worker-2"' in labels]) == 1
    for connection in more:
        connection.close()


def test_commands(exporter, client):
    def calls(metrics, command):
        return metrics.get("redis_commands_total", {}).get(f'cmd="{command}"', 0)

    before = exporter.scrape()
    for i in range(25):
        client.set("k", i, nx=True, px=60_000)
        client.eval("return redis.call('get', KEYS[1])", 1, "k")
    with pytest.raises(redis.ResponseError):
        client.incr("k", "nonsense")
    after = exporter.scrape()
    assert calls(after, "set") - calls(before, "set") == 25
    assert calls(after, "eval") - calls(before, "eval") == 25
    assert calls(after, "get") - calls(before, "get") == 25, "calls of scripts count too"
    assert after["redis_commands_failed_calls_total"]['cmd="incrby"'] >= 1
    assert after["redis_commands_duration_seconds_total"]['cmd="set"'] > 0
    grown = only(after, "redis_commands_processed_total")
    assert grown >= only(before, "redis_commands_processed_total") + 76
    assert after["redis_commands_latencies_usec_count"]['cmd="set"'] >= 25
    assert after["redis_errors_total"]['err="ERR"'] >= 1


def test_hits_expiry_and_memory(exporter, client):
    before = exporter.scrape()
    client.set("k", "x" * 1_000_000)
    assert client.get("k") and client.get("none") is None
    client.set("short", 1, px=1)
    deadline = time.monotonic() + 10
    while client.exists("short") and time.monotonic() < deadline:
        time.sleep(0.005)
    after = exporter.scrape()

    def growth(name):
        return only(after, name) - only(before, name)

    assert growth("redis_keyspace_hits_total") >= 1
    assert growth("redis_keyspace_misses_total") >= 1
    assert growth("redis_expired_keys_total") == 1
    assert growth("redis_memory_used_bytes") >= 1_000_000
    assert growth("redis_net_input_bytes_total") >= 1_000_000
    assert only(after, "redis_memory_used_rss_bytes") >= 1_000_000
    assert only(after, "redis_uptime_in_seconds") >= 0
    assert only(after, "redis_total_system_memory_bytes") > 1e8


def test_pubsub_and_configuration(exporter, server, client):
    with client.pubsub() as subscription:
        subscription.subscribe("released")
        subscription.psubscribe("released:*")
        assert subscription.get_message(timeout=5) and subscription.get_message(timeout=5)
        metrics = exporter.scrape()
    assert only(metrics, "redis_pubsub_channels") == 1
    assert only(metrics, "redis_pubsub_patterns") == 1
    assert metrics["redis_config_value"]['key="port"'] == server.port
    assert metrics["redis_config_key_value"]['key="maxmemory-policy",value="noeviction"'] == 1


def test_slow_commands_and_latency(exporter, client):
    client.config_set("slowlog-log-slower-than", 0)
    client.set("k", 1)
    client.config_set("slowlog-log-slower-than", 10_000_000)
    metrics = exporter.scrape()
    assert only(metrics, "redis_slowlog_length") >= 1
    assert only(metrics, "redis_slowlog_last_id") >= 0
