#!/usr/bin/env python3
"""Moves a redis-server's data to Mortise and compares every key.

For some settings each: redis-server is filled and saves its dump, mortise-server --import-rdb reads
it, a mortise-server starts on the result, and both are asked for all they hold, over the wire.

    python3 tests/import/run.py --mortise build/release/mortise-server [--redis redis-server]
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time

import dataset
import processes
import wire

DATABASES = (0, 1, 15)

# What changes how values are kept, and so how they are saved.
SETTINGS = {
    "as it comes": {},
    "nothing packed, nothing compressed": {
        "rdbcompression": "no",
        "rdbchecksum": "no",
        "hash-max-listpack-entries": "0",
        "zset-max-listpack-entries": "0",
        "set-max-intset-entries": "0",
        "list-max-listpack-size": "1",
    },
    "all packed": {
        "hash-max-listpack-entries": "10000",
        "hash-max-listpack-value": "100000",
        "zset-max-listpack-entries": "10000",
        "zset-max-listpack-value": "100000",
        "set-max-intset-entries": "10000",
        "list-max-listpack-size": "-5",
        "list-compress-depth": "1",
    },
    "least frequently used": {"maxmemory-policy": "allkeys-lfu", "list-max-listpack-size": "128"},
}
# Mortise has these, too; encodings agree when they do.
SHARED = ("hash-max-listpack-entries", "hash-max-listpack-value", "zset-max-listpack-entries",
          "zset-max-listpack-value", "set-max-intset-entries")
READS = {
    b"string": (b"GET",),
    b"hash": (b"HGETALL",),
    b"list": (b"LRANGE", b"0", b"-1"),
    b"set": (b"SMEMBERS",),
    b"zset": (b"ZRANGE", b"0", b"-1", b"WITHSCORES"),
}


class Failed(Exception):
    pass


def check(holds, what):
    if not holds:
        raise Failed(what)


def value(client, *command):
    kind, payload = wire.parse(client.ask(*command))
    check(kind != "-", "%r: %r" % (command, payload))
    return [item[1] for item in payload] if isinstance(payload, list) else payload


def fill(client):
    client.ask(b"DEBUG", b"SET-ACTIVE-EXPIRE", b"0")
    # Elements over this are list nodes of their own; by default only those over a gigabyte.
    client.ask(b"DEBUG", b"QUICKLIST-PACKED-THRESHOLD", b"30000b")
    for database in DATABASES:
        value(client, b"SELECT", b"%d" % database)
        processes.run_all(client, dataset.commands(database))
    processes.run_all(client, dataset.foreign_commands())
    value(client, b"FUNCTION", b"LOAD", dataset.LIBRARY)
    time.sleep(0.01)  # what lives for a millisecond is overdue now
    value(client, b"SAVE")


def contents(client, key):
    kind = value(client, b"TYPE", key)
    read = READS[kind]
    found = value(client, read[0], key, *read[1:])
    if kind == b"set":
        found.sort()
    if kind == b"hash":
        found = sorted(zip(found[::2], found[1::2]))
    return kind, found


def compare_key(redis, mortise, key):
    check(contents(redis, key) == contents(mortise, key), "key %r differs" % key)
    ours, theirs = (value(client, b"OBJECT", b"ENCODING", key) for client in (mortise, redis))
    check(ours == theirs, "key %r: encoding %r, in Redis %r" % (key, ours, theirs))
    ours, theirs = (value(client, b"PEXPIRETIME", key) for client in (mortise, redis))
    # Two starts of a process lie between; each rounds a clock to a millisecond.
    near = 2 if theirs > 0 else 0
    check(abs(ours - theirs) <= near, "key %r: until %d, in Redis %d" % (key, ours, theirs))
    check(value(mortise, b"FENCE.TOKEN", key) > 0, "key %r has no token" % key)


def compare(redis, mortise):
    keys = 0
    for database in range(16):
        for client in (redis, mortise):
            value(client, b"SELECT", b"%d" % database)
        # Redis' KEYS leaves out what is overdue.
        theirs = set(value(redis, b"KEYS", b"*")) - {b"stream", b"empty stream"}
        ours = set(value(mortise, b"KEYS", b"*"))
        check(ours == theirs, "database %d: keys differ: %r" % (database, sorted(ours ^ theirs)[:5]))
        for key in theirs:
            compare_key(redis, mortise, key)
        keys += len(theirs)
    check(value(mortise, b"FCALL", b"imported", b"0") == b"yes", "the function library is missing")
    return keys


def imported(binary, options, dump, directory):
    """The summary that the import prints."""
    arguments = [binary, "--dir", directory, "--appendonly", "yes", "--import-rdb", dump]
    for name, setting in options.items():
        arguments += ["--" + name, setting]
    return subprocess.run(arguments, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          timeout=120)


def move(binaries, settings, directory):
    redis = processes.Server(binaries.redis, {"save": "", "enable-debug-command": "yes", **settings})
    try:
        fill(redis.client())
        dump = os.path.join(directory, "moved.rdb")
        shutil.copy(os.path.join(redis.directory, "dump.rdb"), dump)
        options = {name: settings[name] for name in SHARED if name in settings}
        done = imported(binaries.mortise, options, dump, directory)
        check(done.returncode == 0, "import: exit code %d\n%s" % (done.returncode, done.stderr))
        for words in ("1 overdue", "2 streams", "1 function library", "129 keys"):
            check(words in done.stdout, "the summary lacks %r:\n%s" % (words, done.stdout))
        again = imported(binaries.mortise, options, dump, directory)
        check(again.returncode == 1, "a second import was not refused:\n" + again.stdout)
        mortise = processes.Server(binaries.mortise, {"appendonly": "yes", **options}, directory)
        try:
            return compare(redis.client(), mortise.client()), done.stdout
        finally:
            mortise.stop()
    finally:
        redis.stop()


def refuse_damage(binaries, directory):
    """A damaged dump is refused, and leaves the directory as it was: a whole one is taken then."""
    dump = os.path.join(directory, "moved.rdb")
    with open(dump, "rb") as file:
        whole = file.read()
    target = os.path.join(directory, "fresh")
    os.mkdir(target)
    for name, content in (("cut", whole[: len(whole) // 2]),
                          ("flipped", whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:]),
                          ("other", b"no dump at all")):
        with open(os.path.join(directory, name), "wb") as file:
            file.write(content)
        done = imported(binaries.mortise, {}, file.name, target)
        check(done.returncode == 1 and "offset" in done.stderr, "%s: %s" % (name, done.stderr))
    done = imported(binaries.mortise, {}, dump, target)
    check(done.returncode == 0, "after refusals: " + done.stderr)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mortise", default="build/release/mortise-server")
    parser.add_argument("--redis", default="redis-server")
    binaries = parser.parse_args()
    binaries.mortise = os.path.abspath(binaries.mortise)
    failures = 0
    for name, settings in SETTINGS.items():
        with tempfile.TemporaryDirectory(prefix="import-") as directory:
            try:
                keys, summary = move(binaries, settings, directory)
                if not settings:
                    print(summary, end="")
                    refuse_damage(binaries, directory)
                print("%s: %d keys moved and compared" % (name, keys))
            except Failed as failed:
                failures += 1
                print("%s: FAILED: %s" % (name, failed))
    print("import: %d of %d passed" % (len(SETTINGS) - failures, len(SETTINGS)))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
