"""Clients of redis-py over both protocols, and what the lock tests wait for."""

import time

import pytest
import redis

EXPIRY_SECONDS_MAX = 5.0  # how late a lease may end before a test gives up


@pytest.fixture(params=[2, 3], ids=["resp2", "resp3"])
def protocol(request):
    return request.param


@pytest.fixture
def connect(server, protocol):
    """Opens clients, and closes them after the test."""
    clients = []

    def open_client(**options):
        options = {"protocol": protocol, "socket_timeout": 10, **options}
        clients.append(redis.Redis(port=server.port, **options))
        return clients[-1]

    yield open_client
    for client in clients:
        client.close()


@pytest.fixture
def client(connect):
    return connect()


@pytest.fixture
def rival(connect):
    return connect()


@pytest.fixture
def wait_until_free(client):
    def wait(name):
        deadline = time.monotonic() + EXPIRY_SECONDS_MAX
        while client.exists(name):
            assert time.monotonic() < deadline, f"{name} outlived its lease"
            time.sleep(0.01)

    return wait
