"""A directory whose power can fail: what disk_shim.c logged, and what a failure leaves of it.

Durable are bytes covered by a sync of their file, and names covered by a sync of their directory.
Of everything else a failure leaves nothing ("all" is lost) or any part in any order ("part"): each
sector has one of the versions it went through, each file one of its sizes, each change of a name
happened or did not. Ending the process alone takes nothing away, so the log goes on through any
number of lives of the server until the power fails.
"""

import collections
import os
import pathlib
import shutil
import struct

SECTOR = 512
HEADER = struct.Struct("<8sQQ")
HEADER_BYTES = 64
ENTRY = struct.Struct("<IIQQQQQQQQQ")
FAILED = (1 << 64) - 1
CHANGE, CREATE, MAKE_DIRECTORY, MOVE, REMOVAL, FILE_SYNC, DIRECTORY_SYNC = range(1, 8)
DURABLE = 1
DIRECTORY = "a directory"

Entry = collections.namedtuple(
    "Entry",
    "kind flags bytes called returned inode offset length old_size new_size data_bytes data",
)


def read_log(path):
    """The entries that were complete when the process ended."""
    with open(path, "rb") as log:
        magic, used, _ = HEADER.unpack(log.read(HEADER.size))
        if magic != b"DISKLOG1":
            raise ValueError(f"{path} is no log of disk_shim")
        log.seek(0)
        text = log.read(used + ENTRY.size)
    entries = []
    at = HEADER_BYTES
    while at < used:
        fields = ENTRY.unpack_from(text, at)
        if fields[0] == 0:
            break  # killed while it wrote this one: the call was not made
        data = text[at + ENTRY.size : at + ENTRY.size + fields[-1]]
        entries.append(Entry(*fields, data))
        at += fields[2]
    return entries


class Coverage:
    """When the last successful sync of each file and directory was called."""

    def __init__(self, entries):
        self._files = collections.defaultdict(int)
        self._directories = collections.defaultdict(int)
        for entry in entries:
            if entry.returned in (0, FAILED):
                continue
            if entry.kind == FILE_SYNC:
                self._files[entry.inode] = max(self._files[entry.inode], entry.called)
            if entry.kind == DIRECTORY_SYNC:
                name = entry.data[:-1].decode()
                self._directories[name] = max(self._directories[name], entry.called)

    def of_change(self, entry):
        if entry.flags & DURABLE and entry.returned not in (0, FAILED):
            return True
        return self._is_behind(entry, self._files[entry.inode])

    def of_name(self, entry, name):
        return self._is_behind(entry, self._directories[os.path.dirname(name)])

    @staticmethod
    def _is_behind(entry, synced):
        # What failed may have done a part of its work by then.
        returned = entry.called if entry.returned == FAILED else entry.returned
        return returned != 0 and returned < synced


def undo_all(content, changes):
    """`content` before the changes, the last of which came last."""
    for entry in reversed(changes):
        undo_range(content, entry, entry.offset, entry.offset + entry.length)
    if changes:
        del content[changes[0].old_size :]


def undo_range(content, entry, begin, end):
    """Puts back what `entry` replaced between two offsets; behind the old end there was nothing."""
    begin = max(begin, entry.offset)
    end = min(end, entry.offset + entry.length)
    if begin >= end:
        return
    if len(content) < end:
        content.extend(bytes(end - len(content)))
    old = entry.data[begin - entry.offset : end - entry.offset]
    content[begin:end] = old + bytes(end - begin - len(old))


def undo_part(content, changes, random):
    """Each sector as it was at some moment between the first of the changes and now."""
    keep = random.choice((0.05, 0.5, 0.95))
    sectors = collections.defaultdict(list)
    for entry in changes:
        for sector in range(entry.offset // SECTOR, -(-(entry.offset + entry.length) // SECTOR)):
            sectors[sector].append(entry)
    for sector, touching in sectors.items():
        kept = len(touching) if random.random() < keep else random.randrange(len(touching) + 1)
        for entry in reversed(touching[kept:]):
            undo_range(content, entry, sector * SECTOR, (sector + 1) * SECTOR)
    sizes = [changes[0].old_size] + [entry.new_size for entry in changes]
    size = sizes[-1] if random.random() < keep else random.choice(sizes)
    del content[size:]
    content.extend(bytes(size - len(content)))


class Disk:
    """`folder`/data for a server, and beside it what is needed to make the power fail."""

    def __init__(self, folder, shim):
        self._folder = pathlib.Path(folder).resolve()
        self._shim = pathlib.Path(shim).resolve()
        self.data = self._folder / "data"
        self._keep = self._folder / "keep"
        self._log = self._folder / "log"
        self.data.mkdir(parents=True)
        self._begin()

    def environment(self, sync_us_max=0):
        """For the server's process."""
        return {
            "LD_PRELOAD": str(self._shim),
            "DISK_SHIM_DIR": str(self.data),
            "DISK_SHIM_KEEP": str(self._keep),
            "DISK_SHIM_LOG": str(self._log),
            "DISK_SHIM_SYNC_US": str(sync_us_max),
        }

    def _begin(self):
        """Everything there is counts as durable."""
        shutil.rmtree(self._keep, ignore_errors=True)
        self._keep.mkdir()
        self._log.unlink(missing_ok=True)
        self._names = self._listing()
        for name, inode in self._names.items():
            if inode is not DIRECTORY and not (self._keep / str(inode)).exists():
                os.link(self.data / name, self._keep / str(inode))

    def _listing(self):
        names = {}
        for path in self.data.rglob("*"):
            is_directory = path.is_dir()
            name = str(path.relative_to(self.data))
            names[name] = DIRECTORY if is_directory else path.stat().st_ino
        return names

    def fail_power(self, random, lost):
        """`lost`: "all" of what was not synced, or any "part". Returns how many changes that was."""
        entries = read_log(self._log) if self._log.exists() else []
        coverage = Coverage(entries)
        names = self._names_left(entries, coverage, random, lost)
        open_changes = collections.defaultdict(list)
        for entry in entries:
            if entry.kind == CHANGE and not coverage.of_change(entry):
                open_changes[entry.inode].append(entry)
        following = self._folder / "next"
        following.mkdir()
        for name in sorted(names):
            self._put(following / name, names[name], open_changes, random, lost)
        shutil.rmtree(self.data)
        following.rename(self.data)
        self._begin()
        return sum(len(changes) for changes in open_changes.values())

    def _put(self, path, inode, open_changes, random, lost):
        if inode is DIRECTORY:
            path.mkdir()
            return
        kept = self._keep / str(inode)
        changes = open_changes.get(inode)
        if not changes:
            os.link(kept, path)
            return
        content = bytearray(kept.read_bytes())
        if lost == "all":
            undo_all(content, changes)
        else:
            undo_part(content, changes, random)
        path.write_bytes(content)

    def _names_left(self, entries, coverage, random, lost):
        now = self._listing()
        names = dict(self._names)
        known = set(names)
        happens = random.choice((0.1, 0.5, 0.9)) if lost == "part" else 0
        for entry in entries:
            if entry.kind not in (CREATE, MAKE_DIRECTORY, MOVE, REMOVAL):
                continue
            old, new = entry.data.decode().split("\0")[:2]
            known.update((old, new))
            if entry.returned == FAILED:
                continue
            if coverage.of_name(entry, old) or random.random() < happens:
                self._change_names(names, entry, old, new)
        # Made by calls that the shim does not see: none of the journal's.
        for name in now.keys() - known:
            names[name] = now[name]
            if now[name] is not DIRECTORY and not (self._keep / str(now[name])).exists():
                os.link(self.data / name, self._keep / str(now[name]))
        for name in sorted(names):
            parent = os.path.dirname(name)
            if parent and parent not in names:
                del names[name]
        return names

    def _change_names(self, names, entry, old, new):
        if entry.kind == MAKE_DIRECTORY:
            names[old] = DIRECTORY
        elif entry.kind == REMOVAL:
            if names.get(old) == entry.inode:
                del names[old]
        elif entry.kind == MOVE:
            if names.get(old) == entry.inode:
                del names[old]
            if (self._keep / str(entry.inode)).exists():
                names[new] = entry.inode
        elif (self._keep / str(entry.inode)).exists():
            names[old] = entry.inode
