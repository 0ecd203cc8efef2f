#!/usr/bin/env python3
"""Fails when an include points up: each folder may include itself and the folders named for it."""
import pathlib
import re
import sys

MAY_INCLUDE = {
    "base": set(),
    "protocol": {"base"},
    "engine": {"base"},
    "scripting": {"base", "protocol"},
    "commands": {"base", "protocol", "engine", "scripting"},
    "check": {"base", "protocol", "engine"},
    "server": {"base", "protocol", "engine", "scripting", "commands"},
}
ASIO_ONLY_IN = {"server"}


def violations(root):
    for folder, allowed in MAY_INCLUDE.items():
        for path in sorted((root / folder).rglob("*.[ch]pp")):
            for number, line in enumerate(path.read_text().splitlines(), 1):
                ours = re.match(r'\s*#\s*include\s*"([a-z_]+)/', line)
                if re.match(r'\s*#\s*include\s*"[^/"]+"', line):
                    yield f"{path}:{number}: write the include from the project's root: {line.strip()}"
                if ours and ours[1] != folder and ours[1] not in allowed:
                    yield f"{path}:{number}: {folder} must not include {ours[1]}"
                if "boost/asio" in line and folder not in ASIO_ONLY_IN:
                    yield f"{path}:{number}: only server/ includes Asio"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    found = list(violations(root))
    print("\n".join(found) if found else "layers: every include points down")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
