"""python-redis-lock: a key for the lock, and a list on which the waiters block."""

import threading
import time

import pytest
import redis_lock

EXPIRY_SECONDS_MAX = 5.0


def lock(client, name="order", **options):
    return redis_lock.Lock(client, name, **options)


def acquire_in_thread(held, timeout=20):
    """The thread and the list that gets its result."""
    results = []
    thread = threading.Thread(target=lambda: results.append(held.acquire(timeout=timeout)))
    thread.start()
    return thread, results


def wait_until_blocked(client):
    deadline = time.monotonic() + EXPIRY_SECONDS_MAX
    while client.info("clients")["blocked_clients"] == 0:
        assert time.monotonic() < deadline, "nobody blocks"
        time.sleep(0.01)


def test_acquire_contend_release(client, rival):
    holder = lock(client, expire=30)
    assert holder.acquire(blocking=False)
    assert 29 <= client.ttl("lock:order") <= 30
    assert client.get("lock:order").decode() == holder.id
    assert holder.locked() and lock(rival).locked()
    assert not lock(rival, expire=30).acquire(blocking=False)
    with pytest.raises(redis_lock.AlreadyAcquired):
        holder.acquire(blocking=False)
    holder.release()
    assert client.exists("lock:order") == 0
    assert lock(rival, expire=30).acquire(blocking=False)


def test_a_waiter_is_woken_through_the_list(client, rival):
    holder, waiter = lock(client), lock(rival)
    assert holder.acquire()
    thread, results = acquire_in_thread(waiter)
    wait_until_blocked(client)
    assert results == []
    begin = time.monotonic()
    holder.release()
    thread.join(20)
    assert results == [True] and time.monotonic() - begin < EXPIRY_SECONDS_MAX
    assert waiter.get_owner_id() == waiter.id
    waiter.release()
    assert 0 < client.pttl("lock-signal:order") <= 1000


def test_a_waiter_gives_up_after_its_timeout(client, rival):
    holder = lock(client)
    assert holder.acquire()
    begin = time.monotonic()
    assert not lock(rival).acquire(timeout=1)
    assert 0.99 <= time.monotonic() - begin < EXPIRY_SECONDS_MAX
    holder.release()


def test_expires_with_its_lease_and_not_before(client, rival):
    begin = time.monotonic()
    stalled, successor = lock(client, expire=1), lock(rival, expire=30)
    assert stalled.acquire()
    while not successor.acquire(blocking=False):
        assert time.monotonic() - begin < EXPIRY_SECONDS_MAX
        time.sleep(0.01)
    assert time.monotonic() - begin >= 0.99
    with pytest.raises(redis_lock.NotAcquired):
        stalled.extend(60)
    with pytest.raises(redis_lock.NotAcquired):
        stalled.release()
    assert successor.get_owner_id() == successor.id
    assert client.ttl("lock:order") <= 30


def test_extend(client):
    holder = lock(client, expire=10)
    assert holder.acquire()
    holder.extend(30)
    assert 29 <= client.ttl("lock:order") <= 30
    holder.release()
    eternal = lock(client)
    assert eternal.acquire()
    with pytest.raises(redis_lock.NotExpirable):
        eternal.extend(30)


def test_automatic_renewal_keeps_it(client, rival):
    holder = lock(client, expire=1, auto_renewal=True)
    with holder:
        begin = time.monotonic()
        while time.monotonic() - begin < 3.5:
            assert not lock(rival, expire=1).acquire(blocking=False)
            time.sleep(0.05)
    assert lock(rival, expire=1).acquire(blocking=False)


def test_a_stranger_does_not_release_it(client, rival):
    holder = lock(client, expire=30)
    assert holder.acquire()
    with pytest.raises(redis_lock.NotAcquired):
        lock(rival, expire=30).release()
    assert holder.get_owner_id() == holder.id
    holder.release()
    with pytest.raises(redis_lock.NotAcquired):
        holder.release()


ODD_NAMES = ["\x00\r\n$3\r\n", "ключ-鍵", "x" * 2000]


@pytest.mark.parametrize("name", ODD_NAMES, ids=["framing", "unicode", "long"])
def test_any_name_and_owner_will_do(client, rival, name):
    holder = lock(client, name, expire=30, id=bytes(range(256)))
    assert holder.acquire()
    assert not lock(rival, name, expire=30).acquire(blocking=False)
    holder.release()
    assert client.exists("lock:" + name) == 0


def test_script_cache_flushed_in_between(client, rival):
    for _ in range(3):
        holder = lock(client, expire=30)
        assert holder.acquire()
        client.script_flush()
        holder.extend(20)
        client.script_flush()
        with pytest.raises(redis_lock.NotAcquired):
            lock(rival, expire=30).release()
        client.script_flush()
        holder.release()
        assert client.exists("lock:order") == 0


def test_reset_frees_and_wakes(client, rival):
    holder, waiter = lock(client), lock(rival)
    assert holder.acquire()
    thread, results = acquire_in_thread(waiter)
    wait_until_blocked(client)
    lock(client).reset()
    thread.join(20)
    assert results == [True]
    assert lock(client, "other").acquire()
    redis_lock.reset_all(client)
    assert client.keys("lock:*") == []


def test_threads_lose_no_increment(connect):
    counted = []

    def work():
        client = connect()
        for _ in range(20):
            with lock(client, "counter"):
                value = int(client.get("value") or 0)
                client.set("value", value + 1)
            counted.append(1)

    threads = [threading.Thread(target=work) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(counted) == 100
    assert connect().get("value") == b"100"
