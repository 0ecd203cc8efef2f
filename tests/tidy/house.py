#!/usr/bin/env python3
"""House rules that a machine can see: sizes, names, banned words, settings and documents in step."""
import pathlib
import re
import subprocess
import sys

HEADER_LINES_MAX = 150
SOURCE_LINES_MAX = 500
LINE_COLUMNS_MAX = 100
FOLDERS = ("base", "protocol", "engine", "scripting", "commands", "server", "check")
BANNED_NAMES = re.compile(r"(^|_)(util|utils|common|misc|helper|helpers|manager)(_|\.|$)")
BANNED_WORDS = re.compile(r"TODO\(now\)|FIXME|\bXXX\b|using namespace")
MACHINE_PATHS = re.compile(r"(^|[\s\"'(=])/(work|root|home)/[a-z]")


def tracked(root):
    text = subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True)
    return [pathlib.Path(name) for name in text.stdout.splitlines()]


def rules_of_source(path, lines):
    limit = HEADER_LINES_MAX if path.suffix == ".hpp" else SOURCE_LINES_MAX
    if path.parts[0] in FOLDERS and len(lines) > limit:
        yield f"{path}: {len(lines)} lines, at most {limit}: split it by noun"
    if BANNED_NAMES.search(path.name):
        yield f"{path}: name the noun it is about"
    for number, line in enumerate(lines, 1):
        if len(line) > LINE_COLUMNS_MAX:
            yield f"{path}:{number}: over {LINE_COLUMNS_MAX} columns"
        if BANNED_WORDS.search(line):
            yield f"{path}:{number}: banned: {line.strip()[:60]}"
        if line != line.rstrip():
            yield f"{path}:{number}: trailing white space"


def violations(root):
    for path in tracked(root):
        if not (root / path).is_file():
            continue
        if path.suffix in (".cpp", ".hpp"):
            yield from rules_of_source(path, (root / path).read_text().splitlines())
        if path.suffix in (".cpp", ".hpp", ".py", ".sh", ".md", ".txt", ".json", ".java", ".go", ".js"):
            text = (root / path).read_text(errors="replace")
            if path.name != "house.py" and MACHINE_PATHS.search(text):
                yield f"{path}: names a path of a machine"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    found = list(violations(root))
    print("\n".join(found) if found else "house rules: kept")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
