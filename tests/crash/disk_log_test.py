#!/usr/bin/env python3
"""disk_log_test.py SHIM: what a failure of the power leaves of the calls of a small program."""

import os
import pathlib
import random
import subprocess
import sys
import tempfile
import textwrap
import unittest

from disk_log import Disk

SHIM = sys.argv.pop(1)
PROLOGUE = """
import os, sys, threading
root = os.environ["DISK_SHIM_DIR"]
os.chdir(root)
def opened(name, flags=os.O_RDWR | os.O_CREAT):
    return os.open(name, flags, 0o600)
def sync_names():
    directory = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
    os.fsync(directory)
    os.close(directory)
"""


class PowerFailure(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory(prefix="mortise-disk-")
        self.disk = Disk(self._folder.name + "/disk", SHIM)
        self.random = random.Random(self.id())

    def tearDown(self):
        self._folder.cleanup()

    def run_program(self, text):
        """Ends as by kill -9."""
        program = PROLOGUE + textwrap.dedent(text) + "\nos.kill(os.getpid(), 9)\n"
        environment = {**os.environ, **self.disk.environment()}
        done = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True
        )
        self.assertEqual(done.returncode, -9, done.stderr)

    def left(self, lost="all"):
        self.disk.fail_power(self.random, lost)
        return {
            str(path.relative_to(self.disk.data)): path.read_bytes()
            for path in self.disk.data.rglob("*")
            if path.is_file()
        }

    def test_synced_bytes_stay_and_later_ones_go(self):
        self.run_program("""
            file = opened("a")
            os.pwrite(file, b"one", 0)
            os.fdatasync(file)
            sync_names()
            os.pwrite(file, b"TWO!", 0)
            os.pwrite(file, b"three", 10)
        """)
        self.assertEqual(self.left(), {"a": b"one"})

    def test_a_name_needs_a_sync_of_its_directory(self):
        self.run_program("""
            file = opened("a")
            os.pwrite(file, b"one", 0)
            os.fsync(file)
        """)
        self.assertEqual(self.left(), {})

    def test_the_sync_of_another_file_covers_nothing(self):
        self.run_program("""
            a, b = opened("a"), opened("b")
            sync_names()
            os.pwrite(a, b"a", 0)
            os.pwrite(b, b"b", 0)
            os.fdatasync(a)
        """)
        self.assertEqual(self.left(), {"a": b"a", "b": b""})

    def test_another_descriptor_of_the_file_covers_it(self):
        self.run_program("""
            a, again = opened("a"), opened("a")
            sync_names()
            os.pwrite(a, b"a", 0)
            os.fdatasync(again)
        """)
        self.assertEqual(self.left(), {"a": b"a"})

    def test_removed_and_renamed_names_come_back(self):
        self.run_program("""
            for name in ("a", "b"):
                file = opened(name)
                os.write(file, name.encode())
                os.fdatasync(file)
            sync_names()
            os.unlink("a")
            os.rename("b", "c")
        """)
        self.assertEqual(self.left(), {"a": b"a", "b": b"b"})

    def test_a_synced_rename_replaces(self):
        self.run_program("""
            for name in ("a", "b"):
                file = opened(name)
                os.write(file, name.encode())
                os.fdatasync(file)
            os.rename("b", "a")
            sync_names()
        """)
        self.assertEqual(self.left(), {"a": b"b"})

    def test_a_new_directory_needs_its_parent(self):
        self.run_program("""
            os.mkdir("d")
            os.chdir("d")
            file = opened("a")
            os.fdatasync(file)
            sync_names()
        """)
        self.assertEqual(self.left(), {})
        self.run_program("""
            os.mkdir("d")
            sync_names()
            os.chdir("d")
            file = opened("a")
            sync_names()
        """)
        self.assertEqual(self.left(), {"d/a": b""})

    def test_sizes_come_back_with_their_bytes(self):
        self.run_program("""
            file = opened("a")
            os.write(file, b"0123456789")
            os.fdatasync(file)
            sync_names()
            os.ftruncate(file, 4)
            os.write(file, b"abc")
            os.posix_fallocate(file, 0, 5000)
        """)
        self.assertEqual(self.left(), {"a": b"0123456789"})

    def test_what_a_former_process_did_not_sync_is_still_at_risk(self):
        self.run_program("""
            file = opened("a")
            os.write(file, b"old")
            os.fdatasync(file)
            sync_names()
            os.write(file, b"new")
        """)
        self.run_program("""opened("b")""")
        self.assertEqual(self.left(), {"a": b"old"})

    def test_what_survived_is_durable_from_then_on(self):
        self.run_program("""
            file = opened("a")
            os.write(file, b"old")
            os.fdatasync(file)
            sync_names()
        """)
        self.left()
        self.run_program("""os.write(opened("a", os.O_RDWR | os.O_APPEND), b"new")""")
        self.assertEqual(self.left(), {"a": b"old"})
        self.run_program("""os.write(opened("a", os.O_RDWR | os.O_SYNC), b"new")""")
        self.assertEqual(self.left(), {"a": b"new"})

    def test_a_part_is_versions_of_sectors(self):
        self.run_program("""
            file = opened("a")
            os.write(file, b"0" * 5120)
            os.fdatasync(file)
            sync_names()
            for version in b"123":
                os.pwrite(file, bytes([version]) * 5120, 0)
        """)
        content = self.left("part")["a"]
        sectors = [content[at : at + 512] for at in range(0, 5120, 512)]
        self.assertEqual(len(content), 5120)
        for sector in sectors:
            self.assertIn(sector, [bytes([version]) * 512 for version in b"0123"])
        self.assertGreater(len(set(sectors)), 1)

    def test_writes_of_other_threads_count_once_they_returned(self):
        self.run_program("""
            file = opened("a")
            os.write(file, bytes(4096))
            os.fdatasync(file)
            sync_names()
            returned, stop = [0], threading.Event()
            def write():
                for number in range(1, 20000):
                    os.pwrite(file, number.to_bytes(4, "big"), 0)
                    returned[0] = number
            thread = threading.Thread(target=write)
            thread.start()
            while thread.is_alive():
                before = returned[0]
                os.fdatasync(file)
            thread.join()
            os.pwrite(file, b"none", 0)
            open(os.environ["DISK_SHIM_KEEP"] + "/../covered", "w").write(str(before))
        """)
        content = self.left()["a"]
        covered = int((self.disk.data / "../covered").read_text())
        found = int.from_bytes(content[:4], "big")
        self.assertLess(found, 20000)
        self.assertGreaterEqual(found, covered)


if __name__ == "__main__":
    unittest.main(verbosity=1)
