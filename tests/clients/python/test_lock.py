"""redis-py's own Lock, as it is shipped, over RESP2 and RESP3."""

import threading
import time

import pytest
import redis
from redis.exceptions import LockError, LockNotOwnedError

EXPIRY_SECONDS_MAX = 5.0  # how late a lease may end before a test gives up


def test_acquire_and_release(client):
    lock = client.lock("lock:order", timeout=30)
    assert lock.acquire(blocking=False)
    assert client.get("lock:order") == lock.local.token
    assert 29_000 < client.pttl("lock:order") <= 30_000
    assert lock.locked() and lock.owned()
    lock.release()
    assert not lock.locked() and not lock.owned()
    assert client.exists("lock:order") == 0


def test_without_timeout_there_is_no_lease(client):
    with client.lock("lock:order"):
        assert client.pttl("lock:order") == -1
    assert client.pttl("lock:order") == -2


def test_a_rival_is_refused_and_gives_up_in_time(client, rival):
    with client.lock("lock:order", timeout=30):
        assert not rival.lock("lock:order", timeout=30).acquire(blocking=False)
        begin = time.monotonic()
        assert not rival.lock("lock:order", timeout=30, blocking_timeout=0.4).acquire()
        assert 0.2 < time.monotonic() - begin < EXPIRY_SECONDS_MAX
    assert rival.lock("lock:order", timeout=30).acquire(blocking=False)


def test_with_statement_raises_when_the_lock_is_taken(client, rival):
    with client.lock("lock:order", timeout=30):
        with pytest.raises(LockError):
            with rival.lock("lock:order", blocking_timeout=0.1):
                pytest.fail("two holders")


def test_a_waiter_gets_the_lock_at_release(client, rival):
    lock = client.lock("lock:order", timeout=30)
    assert lock.acquire()
    releasing = threading.Timer(0.3, lock.do_release, [lock.local.token])
    releasing.start()
    assert rival.lock("lock:order", timeout=30, sleep=0.01, blocking_timeout=10).acquire()
    releasing.join()


def test_a_waiter_gets_the_lock_at_expiry_and_not_before(client, rival):
    begin = time.monotonic()
    assert client.lock("lock:order", timeout=0.4).acquire()
    assert rival.lock("lock:order", timeout=30, sleep=0.01, blocking_timeout=10).acquire()
    assert 0.39 < time.monotonic() - begin < EXPIRY_SECONDS_MAX


def test_release_after_expiry_is_refused(client, wait_until_free):
    lock = client.lock("lock:order", timeout=0.2)
    assert lock.acquire()
    wait_until_free("lock:order")
    with pytest.raises(LockNotOwnedError):
        lock.release()


def test_a_stalled_holder_cannot_touch_the_next_one(client, rival, wait_until_free):
    stalled = client.lock("lock:order", timeout=0.2)
    assert stalled.acquire()
    wait_until_free("lock:order")
    successor = rival.lock("lock:order", timeout=30)
    assert successor.acquire(blocking=False)
    with pytest.raises(LockNotOwnedError):
        stalled.extend(60)
    with pytest.raises(LockNotOwnedError):
        stalled.reacquire()
    with pytest.raises(LockNotOwnedError):
        stalled.release()
    assert successor.owned()
    assert client.pttl("lock:order") <= 30_000
    successor.release()


def test_extend_adds_or_replaces(client):
    lock = client.lock("lock:order", timeout=10)
    assert lock.acquire()
    assert lock.extend(20)
    assert 29_000 < client.pttl("lock:order") <= 30_000
    assert lock.extend(5, replace_ttl=True)
    assert 4_000 < client.pttl("lock:order") <= 5_000
    lock.release()
    with pytest.raises(LockError):
        lock.extend(10)


def test_reacquire_resets_the_lease(client):
    lock = client.lock("lock:order", timeout=10)
    assert lock.acquire()
    client.pexpire("lock:order", 500)
    assert lock.reacquire()
    assert 9_000 < client.pttl("lock:order") <= 10_000


def test_extend_keeps_a_lock_past_three_leases(client, rival):
    lock = client.lock("lock:order", timeout=1.5)
    assert lock.acquire()
    for _ in range(16):
        time.sleep(0.3)
        assert lock.extend(1.5, replace_ttl=True)
        assert not rival.lock("lock:order", timeout=1).acquire(blocking=False)
    lock.release()
    assert rival.lock("lock:order", timeout=1).acquire(blocking=False)


BINARY = [b"\x00\xff\r\n$3\r\n", bytes(range(256)), b"x" * 70_000]


@pytest.mark.parametrize("token", BINARY, ids=["framing", "all-bytes", "large"])
def test_token_and_name_are_binary_safe(client, rival, token):
    name = b"lock:\r\n\x00\xfe"
    lock = client.lock(name, timeout=10)
    assert lock.acquire(token=token)
    assert rival.get(name) == token
    assert lock.owned() and lock.extend(10) and lock.reacquire()
    lock.release()
    assert rival.exists(name) == 0


def test_script_cache_flushed_between_acquire_and_release(client):
    lock = client.lock("lock:order", timeout=10)
    for operation in (lambda: lock.extend(5), lock.reacquire, lock.release):
        assert lock.owned() or lock.acquire()
        client.script_flush()
        with pytest.raises(redis.exceptions.NoScriptError):
            client.evalsha(lock.lua_release.sha, 1, "other", "token")
        operation()
        assert client.script_exists(lock.lua_release.sha) in ([True], [False])
    assert client.exists("lock:order") == 0


def test_threads_exclude_each_other(client):
    inside, worst, counted = [], [], []

    def work():
        lock = client.lock("lock:order", timeout=30, sleep=0.001, thread_local=True)
        for _ in range(25):
            with lock:
                inside.append(1)
                worst.append(len(inside))
                counter = int(client.get("counter") or 0)
                client.set("counter", counter + 1)
                inside.pop()
            counted.append(1)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(counted) == 150 and max(worst) == 1
    assert client.get("counter") == b"150"


def test_decoded_responses(connect):
    client = connect(decode_responses=True)
    lock = client.lock("lock:order", timeout=10)
    assert lock.acquire(token="holder")
    assert client.get("lock:order") == "holder" and lock.owned()
    lock.release()
