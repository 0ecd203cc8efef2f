#!/usr/bin/env python3
"""Random differential test of mortise-server against redis-server 7.0.15; see README.md."""

import argparse
import os
import random
import secrets
import sys
import time

import allowed
import coverage
import duel as duel_module
import selftest
import servers
import traffic
import wire


def arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mortise", required=True, help="the binary under test")
    parser.add_argument("--redis", default="/usr/bin/redis-server", help="the oracle")
    parser.add_argument("--commands", type=int, default=100_000)
    parser.add_argument("--scripts", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--mode", choices=("commands", "scripts", "all"), default="all")
    parser.add_argument("--max-mismatches", type=int, default=20, help="distinct ones shown")
    parser.add_argument(
        "--self-test", action="store_true", help="plant faults in the replies; each must be found"
    )
    return parser.parse_args()


def same_file(a, b):
    return os.path.realpath(a) == os.path.realpath(b)


def print_allowed(out):
    for predicate in allowed.PREDICATES:
        if predicate.used:
            print(
                "allowed %6d times: %s (%s)"
                % (predicate.used, predicate.__name__, predicate.heading),
                file=out,
            )


def commands_of(port):
    """Every command of a server; subcommands as container|name, and then not the container."""
    side = wire.Socket(port)
    names = []
    for entry in wire.parse(side.ask(b"COMMAND"))[1]:
        subcommands = entry[1][9][1] if len(entry[1]) > 9 else []
        names += [row[1][0] for row in subcommands] or [entry[1][0]]
    side.close()
    return sorted(name[1].decode().upper() for name in names)


def compare(options, ports, seed):
    """The whole comparison; returns (passed, failed)."""
    table = coverage.Coverage(traffic.ROWS)
    duel = duel_module.Duel(ports, table, sys.stdout, options.max_mismatches)
    finished = True
    for mode, count, play in (
        ("commands", options.commands, traffic.play_commands),
        ("scripts", options.scripts, traffic.play_scripts),
    ):
        if options.mode not in (mode, "all"):
            continue
        start = time.monotonic()
        before = duel.passed
        try:
            play(duel, random.Random("%s %d" % (mode, seed)), count)
        except duel_module.Finished as reason:
            finished = False
            print("\n%s" % reason)
        print(
            "%s: %d comparisons agreed in %.1f s"
            % (mode, duel.passed - before, time.monotonic() - start)
        )
    failed = duel.failed
    if options.mode != "scripts":
        table.print(sys.stdout)
        if finished and options.commands >= traffic.FULL_RUN:
            for row in table.missing():
                print("FAILED: coverage of %s is below %d" % (row, coverage.REQUIRED))
                failed += 1
    if not same_file(options.mortise, options.redis):
        for name in coverage.without_rows(commands_of(ports[1]), traffic.ROWS):
            print("FAILED: no row of the coverage table is about %s" % name)
            failed += 1
        for heading in allowed.missing_headings():
            print("FAILED: docs/compatibility.md has no heading %r" % heading)
            failed += 1
    print_allowed(sys.stdout)
    return duel.passed, failed


def main():
    options = arguments()
    seed = options.seed if options.seed is not None else secrets.randbelow(1 << 32)
    print("seed %d" % seed, flush=True)
    redis = servers.Server(options.redis, "redis")
    try:
        mortise = servers.Server(options.mortise, "mortise")
        try:
            ports = (redis.port, mortise.port)
            for server in (redis, mortise):
                servers.hurry(server)
            if options.self_test:
                passed, failed = selftest.run(ports, seed, sys.stdout)
            else:
                passed, failed = compare(options, ports, seed)
            for server in (redis, mortise):
                if not server.alive():
                    failed += 1
                    print("FAILED: %s died:\n%s" % (server.name, server.last_output()))
        finally:
            mortise.stop()
    finally:
        redis.stop()
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
