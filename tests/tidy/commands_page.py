#!/usr/bin/env python3
"""docs/commands.md is what the binary prints, and what it points to in docs/compatibility.md is there.

usage: commands_page.py MORTISE_SERVER ROOT [--write]"""
import pathlib
import re
import subprocess
import sys


def anchors(text):
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def complaints(printed, root):
    page = root / "docs" / "commands.md"
    if not page.is_file() or page.read_text() != printed:
        yield ("docs/commands.md is stale: run `mortise-server --print-commands > docs/commands.md`")
    known = anchors((root / "docs" / "compatibility.md").read_text())
    for target in sorted(set(re.findall(r"compatibility\.md#([^)]+)", printed))):
        if target not in known:
            yield f"docs/compatibility.md has no heading for #{target}"


def main():
    server, root = sys.argv[1], pathlib.Path(sys.argv[2])
    printed = subprocess.run([server, "--print-commands"], capture_output=True, text=True, check=True).stdout
    if "--write" in sys.argv:
        (root / "docs" / "commands.md").write_text(printed)
    found = list(complaints(printed, root))
    print("\n".join(found) if found else "docs/commands.md: up to date")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
