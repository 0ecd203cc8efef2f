"""One server per test module; each test starts on an empty keyspace."""

import socket

import pytest
from local_server import LocalServer


@pytest.fixture(scope="module")
def module_server():
    server = LocalServer()
    yield server
    server.stop()


@pytest.fixture
def server(module_server):
    with socket.create_connection(("127.0.0.1", module_server.port), timeout=5) as connection:
        connection.sendall(b"*1\r\n$8\r\nFLUSHALL\r\n")
        assert connection.recv(64) == b"+OK\r\n"
    yield module_server
    assert module_server.is_running(), module_server.output()
