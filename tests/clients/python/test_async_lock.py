"""The same Lock in its asyncio form."""

import asyncio
import time

import pytest
import redis.asyncio
from redis.exceptions import LockError, LockNotOwnedError


@pytest.fixture
def run(protocol, server):
    """Runs `scenario(client, rival)` on an event loop of its own."""

    async def with_clients(scenario):
        options = {"port": server.port, "protocol": protocol, "socket_timeout": 10}
        async with redis.asyncio.Redis(**options) as client:
            async with redis.asyncio.Redis(**options) as rival:
                await asyncio.wait_for(scenario(client, rival), 60)

    return lambda scenario: asyncio.run(with_clients(scenario))


def test_acquire_contend_release(run):
    async def scenario(client, rival):
        lock = client.lock("lock:order", timeout=30)
        assert await lock.acquire(blocking=False)
        assert await lock.locked() and await lock.owned()
        assert not await rival.lock("lock:order", timeout=30).acquire(blocking=False)
        begin = time.monotonic()
        assert not await rival.lock("lock:order", timeout=30, blocking_timeout=0.4).acquire()
        assert 0.2 < time.monotonic() - begin < 5
        with pytest.raises(LockError):
            async with rival.lock("lock:order", blocking_timeout=0.1):
                pytest.fail("two holders")
        await lock.release()
        assert await rival.lock("lock:order", timeout=30).acquire(blocking=False)

    run(scenario)


def test_waiter_gets_it_at_release_or_expiry(run):
    async def scenario(client, rival):
        lock = client.lock("lock:order", timeout=30)
        waiter = rival.lock("lock:order", timeout=0.4, sleep=0.01, blocking_timeout=10)
        assert await lock.acquire()
        waiting = asyncio.create_task(waiter.acquire())
        await asyncio.sleep(0.2)
        assert not waiting.done()
        begin = time.monotonic()
        await lock.release()
        assert await waiting
        assert await client.lock("lock:order", sleep=0.01, blocking_timeout=10).acquire()
        assert 0.39 < time.monotonic() - begin < 5

    run(scenario)


def test_stalled_holder_is_refused(run):
    async def scenario(client, rival):
        stalled = client.lock("lock:order", timeout=0.2)
        assert await stalled.acquire()
        successor = rival.lock("lock:order", timeout=30, sleep=0.01, blocking_timeout=10)
        assert await successor.acquire()
        for operation in (lambda: stalled.extend(10), stalled.reacquire, stalled.release):
            with pytest.raises(LockNotOwnedError):
                await operation()
        assert await successor.owned()
        await successor.release()

    run(scenario)


def test_extend_reacquire_and_binary_token(run):
    async def scenario(client, rival):
        lock = client.lock("lock:order", timeout=10)
        assert await lock.acquire(token=b"\x00\xff\r\n:1\r\n")
        assert await rival.get("lock:order") == b"\x00\xff\r\n:1\r\n"
        assert await lock.extend(20)
        assert 29_000 < await client.pttl("lock:order") <= 30_000
        assert await lock.extend(5, replace_ttl=True)
        assert await client.pttl("lock:order") <= 5_000
        assert await lock.reacquire()
        assert 9_000 < await client.pttl("lock:order") <= 10_000
        await lock.release()

    run(scenario)


def test_script_cache_flushed_between_acquire_and_release(run):
    async def scenario(client, _):
        lock = client.lock("lock:order", timeout=10)
        assert await lock.acquire()
        for operation in (lambda: lock.extend(5), lock.reacquire, lock.release):
            await client.script_flush()
            await operation()
        assert await client.exists("lock:order") == 0

    run(scenario)


def test_tasks_exclude_each_other(run):
    async def scenario(client, rival):
        async def work(connection):
            for _ in range(25):
                async with connection.lock("lock:order", timeout=30, sleep=0.001):
                    counter = int(await connection.get("counter") or 0)
                    await connection.set("counter", counter + 1)

        await asyncio.gather(*(work(connection) for connection in (client, rival) * 3))
        assert await client.get("counter") == b"150"

    run(scenario)


def test_subscriber_is_woken_by_a_release(run):
    async def scenario(client, rival):
        async with rival.pubsub() as subscription:
            await subscription.subscribe("released")
            confirmation = await subscription.get_message(timeout=5)
            assert confirmation["type"] == "subscribe" and confirmation["data"] == 1
            script = client.register_script(
                "if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('del', KEYS[1]) "
                "return redis.call('publish', 'released', KEYS[1]) end return -1"
            )
            assert await client.set("lock:order", "me", nx=True, px=30_000)
            assert await script(keys=["lock:order"], args=["other"]) == -1
            assert await script(keys=["lock:order"], args=["me"]) == 1
            message = await subscription.get_message(timeout=5)
            assert message["type"] == "message" and message["data"] == b"lock:order"

    run(scenario)
