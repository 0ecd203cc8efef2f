"""redis-cli against the server of the module."""

import subprocess

import pytest

TIMEOUT_SECONDS = 60


@pytest.fixture
def cli(server):
    """Runs redis-cli and returns its standard output; any other exit code than wanted fails."""

    def run(*arguments, stdin=None, returncode=0):
        done = subprocess.run(
            ["redis-cli", "-p", str(server.port), *map(str, arguments)],
            input=stdin if stdin is not None else b"", capture_output=True, timeout=TIMEOUT_SECONDS,
        )
        assert done.returncode == returncode, (done.stdout, done.stderr)
        return done.stdout

    return run


@pytest.fixture
def start_cli(server):
    """Starts a redis-cli that goes on by itself; it is killed after the test."""
    started = []

    def start(*arguments):
        started.append(
            subprocess.Popen(
                ["redis-cli", "-p", str(server.port), *map(str, arguments)],
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate(timeout=TIMEOUT_SECONDS)
