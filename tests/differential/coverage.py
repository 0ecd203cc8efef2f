"""How often each command and option was answered without error, and the table at the end."""

import collections

REQUIRED = 100

# Rows that need not reach REQUIRED, each with its reason.
EXCUSED = {
    "SHUTDOWN": "ends the server; only its errors are compared",
    "CONFIG REWRITE": "the servers run without a configuration file; only the error is compared",
    "SCRIPT KILL": "needs a script that hangs; only NOTBUSY is compared",
}


class Coverage:
    """Counts successful executions per row; rows are declared before the run."""

    def __init__(self, rows):
        self._counts = collections.OrderedDict((row, 0) for row in rows)

    def count(self, rows):
        for row in rows:
            self._counts[row] += 1

    def missing(self):
        return [row for row, n in self._counts.items() if n < REQUIRED and row not in EXCUSED]

    def print(self, out):
        cells = [
            "%-30s %7d%s" % (row, n, "" if n >= REQUIRED or row in EXCUSED else " <")
            for row, n in self._counts.items()
        ]
        print("\nSuccessful executions (at least %d each, '<' marks less):" % REQUIRED, file=out)
        for start in range(0, len(cells), 3):
            print("  ".join("%-41s" % cell for cell in cells[start : start + 3]).rstrip(), file=out)
        for row, reason in EXCUSED.items():
            print("not required: %s: %s" % (row, reason), file=out)
