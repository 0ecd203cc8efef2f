"""What lock code does with redis-py beside Lock: handshakes, pipelines, WATCH, pub/sub, scripts."""

import threading
import time

import pytest
import redis
import redis.backoff
import redis.retry
from local_server import LocalServer

COMPARE_AND_DELETE = (
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) "
    "else return 0 end"
)


def next_message(subscription):
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        message = subscription.get_message(timeout=1)
        if message:
            return message["type"], message["channel"], message["data"]
    raise AssertionError("no message")


def test_handshake_with_name_and_database(server, protocol):
    options = {"port": server.port, "protocol": protocol, "db": 3, "client_name": "worker-7"}
    with redis.Redis(**options) as client:
        assert client.ping() is True
        assert client.client_getname() in ("worker-7", b"worker-7")
        info = client.client_info()
        assert info["name"] == "worker-7" and str(info["db"]) == "3"
        assert client.client_id() == int(info["id"])
        client.set("here", 1)
        with redis.Redis(port=server.port, protocol=protocol) as other:
            assert other.exists("here") == 0
        assert "redis_version" in client.info("server")


def test_handshake_with_password(protocol):
    server = LocalServer("--requirepass", "s3cret")
    try:
        never = redis.retry.Retry(redis.backoff.NoBackoff(), 0)
        options = {"port": server.port, "protocol": protocol, "retry": never}
        with redis.Redis(password="s3cret", **options) as client:
            assert client.set("k", "v") and client.get("k") == b"v"
        with redis.Redis(username="default", password="s3cret", **options) as client:
            assert client.ping()
        with redis.Redis(password="wrong", **options) as client:
            with pytest.raises(redis.exceptions.AuthenticationError):
                client.ping()
        with redis.Redis(**options) as client:
            with pytest.raises(redis.exceptions.RedisError):
                client.get("k")
    finally:
        server.stop()


def test_set_options(client):
    assert client.set("k", "a", nx=True, ex=10) is True
    assert client.set("k", "b", nx=True, px=10) is None
    assert client.set("k", "b", xx=True, get=True) == b"a"
    assert client.ttl("k") == -1
    assert client.set("k", "c", exat=int(time.time()) + 100)
    assert 90 < client.ttl("k") <= 100
    assert client.set("k", "d", keepttl=True) and client.ttl("k") > 90
    assert client.getex("k", persist=True) == b"d" and client.pttl("k") == -1
    assert client.getdel("k") == b"d" and client.get("k") is None


def test_setnx_then_expire(client):
    assert client.setnx("lock:order", "me") and not client.setnx("lock:order", "you")
    assert client.expire("lock:order", 10)
    assert not client.expire("lock:order", 20, nx=True)
    assert client.pexpiretime("lock:order") > int(time.time() * 1000)


def test_values_come_in_the_types_of_the_protocol(client, protocol):
    client.hset("h", mapping={"a": "1", "b": b"\x00\xff"})
    assert client.hgetall("h") == {b"a": b"1", b"b": b"\x00\xff"}
    assert client.hget("h", "missing") is None
    assert client.mget("x", "h2") == [None, None]
    assert client.hmget("h", "a", "z") == [b"1", None]
    assert client.hincrbyfloat("h", "a", 0.5) == 1.5
    raw = client.eval("redis.setresp(3) return redis.call('hgetall', KEYS[1])", 1, "h")
    pairs = list(raw.items()) if protocol == 3 else list(zip(raw[::2], raw[1::2]))
    assert sorted(pairs) == [(b"a", b"1.5"), (b"b", b"\x00\xff")]


def test_pipeline_of_a_thousand(client):
    with client.pipeline(transaction=False) as pipeline:
        for i in range(500):
            pipeline.set(f"k{i}", i, px=60_000).get(f"k{i}")
        results = pipeline.execute()
    assert results[::2] == [True] * 500
    assert results[1::2] == [str(i).encode() for i in range(500)]


def test_errors_in_a_pipeline_stay_in_step(client):
    with client.pipeline(transaction=False) as pipeline:
        pipeline.set("k", "text").incr("k").hget("k", "f").get("k")
        first, second, third, last = pipeline.execute(raise_on_error=False)
    assert first is True and last == b"text"
    assert "not an integer" in str(second)
    assert isinstance(third, redis.exceptions.ResponseError) and "WRONGTYPE" in str(third)


def test_transaction_and_its_errors(client):
    with client.pipeline() as transaction:
        transaction.set("k", "text").incr("k").get("k")
        assert [type(r) for r in transaction.execute(raise_on_error=False)] == [
            bool, redis.exceptions.ResponseError, bytes]
        transaction.set("k", "new").execute_command("NOSUCHCOMMAND")
        with pytest.raises(redis.exceptions.ResponseError, match="unknown command"):
            transaction.execute()
    assert client.get("k") == b"text"


def test_watch_guards_a_read_modify_write(client, server, protocol):
    client.set("k", 1)
    with redis.Redis(port=server.port, protocol=protocol) as rival, client.pipeline() as guarded:
        guarded.watch("k")
        value = int(guarded.get("k"))
        rival.set("k", 10)
        guarded.multi()
        guarded.set("k", value + 1)
        with pytest.raises(redis.exceptions.WatchError):
            guarded.execute()
        assert client.get("k") == b"10"
        assert client.transaction(lambda t: t.multi() or t.incr("k"), "k") == [11]


def test_watched_key_that_expires_or_is_unwatched(client):
    with client.pipeline() as guarded:
        client.set("k", 1)
        guarded.watch("k")
        client.delete("k")
        guarded.unwatch()
        guarded.multi()
        guarded.set("k", 2)
        assert guarded.execute() == [True]


def test_concurrent_optimistic_increments_lose_none(client):
    client.set("k", 0)

    def work():
        for _ in range(20):
            def increment(transaction):
                value = int(transaction.get("k"))
                transaction.multi()
                transaction.set("k", value + 1)
            client.transaction(increment, "k")

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert client.get("k") == b"80"


def test_publish_subscribe_and_patterns(client):
    with client.pubsub() as subscription:
        subscription.subscribe("released:a", "released:b")
        assert next_message(subscription) == ("subscribe", b"released:a", 1)
        assert next_message(subscription) == ("subscribe", b"released:b", 2)
        subscription.psubscribe("released:*")
        assert next_message(subscription) == ("psubscribe", b"released:*", 3)
        assert client.pubsub_numsub("released:a", "none") == [(b"released:a", 1), (b"none", 0)]
        assert client.pubsub_numpat() == 1
        assert client.publish("released:a", b"\x00\r\n\xff") == 2
        assert {next_message(subscription), next_message(subscription)} == {
            ("message", b"released:a", b"\x00\r\n\xff"),
            ("pmessage", b"released:a", b"\x00\r\n\xff"),
        }
        subscription.ping()
        assert next_message(subscription)[0] == "pong"
        subscription.unsubscribe("released:a")
        assert next_message(subscription) == ("unsubscribe", b"released:a", 2)
        assert client.publish("elsewhere", "x") == 0


def test_expiry_is_announced_by_keyspace_events(client):
    client.config_set("notify-keyspace-events", "Ex")
    try:
        with client.pubsub() as subscription:
            subscription.psubscribe("__keyevent@*__:expired")
            next_message(subscription)
            client.set("lock:order", "me", px=100)
            assert next_message(subscription) == (
                "pmessage", b"__keyevent@0__:expired", b"lock:order")
    finally:
        client.config_set("notify-keyspace-events", "")


def test_registered_script_survives_a_flushed_cache(client):
    release = client.register_script(COMPARE_AND_DELETE)
    for _ in range(3):
        client.set("lock:order", "me")
        assert release(keys=["lock:order"], args=["you"]) == 0
        assert release(keys=["lock:order"], args=["me"]) == 1
        client.script_flush()
        assert client.script_exists(release.sha) == [False]
    assert client.script_load(COMPARE_AND_DELETE) in (release.sha, release.sha.encode())
    assert client.evalsha(release.sha, 1, "lock:order", "me") == 0


def test_script_in_a_pipeline(client):
    release = client.register_script(COMPARE_AND_DELETE)
    with client.pipeline() as pipeline:
        pipeline.set("lock:order", "me")
        release(keys=["lock:order"], args=["me"], client=pipeline)
        assert pipeline.execute() == [True, 1]


def test_script_errors(client):
    with pytest.raises(redis.exceptions.ResponseError, match="my own words"):
        client.eval("return redis.error_reply('ERR my own words')", 0)
    with pytest.raises(redis.exceptions.ResponseError):
        client.eval("return nonsense(", 0)
    client.set("k", "text")
    with pytest.raises(redis.exceptions.ResponseError, match="WRONGTYPE"):
        client.eval("return redis.call('hget', KEYS[1], 'f')", 1, "k")
    assert client.eval("return {1, 'two', false, {3.99}}", 0) == [1, b"two", None, [3]]


def test_killed_connection_is_replaced(client, server, protocol):
    with redis.Redis(port=server.port, protocol=protocol) as victim:
        victim.set("k", "v")
        assert client.client_kill_filter(_id=victim.client_id()) == 1
        assert victim.get("k") == b"v"


def test_scan_sees_every_key_once_it_is_stable(client):
    names = {f"lock:{i}".encode() for i in range(1000)}
    client.mset({name: 1 for name in names} | {"other": 1})
    assert set(client.scan_iter(match="lock:*", count=37)) == names
    client.hset("h", mapping={f"f{i}": i for i in range(1000)})
    assert len(dict(client.hscan_iter("h", count=37))) == 1000
