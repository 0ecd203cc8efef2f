"""How often each command and option was answered without error, and the table at the end."""

import collections

REQUIRED = 100

# Rows of this ending count errors too: an error is all that these commands have to say here.
REFUSED = "/refused"

# Rows that need not reach REQUIRED, each with its reason.
EXCUSED = {
    "SHUTDOWN": "ends the server; only its errors are compared",
    "CONFIG REWRITE": "the servers run without a configuration file; only the error is compared",
    "SCRIPT KILL": "needs a script that hangs; only NOTBUSY is compared",
}


# Commands of the server's table that redis-server 7.0.15 does not have, or that would take it away.
WITHOUT_ROWS = {
    "SHUTDOWN": "ends the server",
    "CONFIG|REWRITE": "no configuration file",
    "SCRIPT|KILL": "needs a script that hangs",
    "SCRIPT|DEBUG": "a debugger there, none here",
    "DEBUG": "other verbs",
    "SAVE": "no persistence is compared",
    "BGSAVE": "no persistence is compared",
    "BGREWRITEAOF": "no persistence is compared",
    "REPLICAOF": "no replication",
    "SLAVEOF": "no replication",
    "REPLCONF": "no replication",
    "PSYNC": "no replication",
    "SYNC": "no replication",
    "SENTINEL": "refused in other words",
    "MIGRATE": "no second server",
    "MODULE|LOAD": "no modules",
    "MODULE|LOADEX": "no modules",
    "MODULE|UNLOAD": "no modules",
    "MODULE|HELP": "no modules",
    "ACL|SAVE": "no file of users here",
    "ACL|LOAD": "no file of users here",
    "DELEX": "newer than 7.0.15",
    "DELIFEQ": "newer than 7.0.15",
    "DIGEST": "newer than 7.0.15",
    "MSETEX": "newer than 7.0.15",
    "CLIENT|SETINFO": "newer than 7.0.15",
    "CLIENT|NO-TOUCH": "newer than 7.0.15",
    "CLIENT|MAINT_NOTIFICATIONS": "newer than 7.0.15",
    "FENCE.TOKEN": "of this server only",
    "FENCE.CHECK": "of this server only",
    "FENCE.LAST": "of this server only",
}


def without_rows(commands, rows):
    """Those of the commands (subcommands as container|name) that no row of the table is about."""
    known = {row.split(" ")[0].replace("/", "|") for row in rows}
    known |= {row.split(" ")[0].split("/")[0] for row in rows}
    return [
        name
        for name in commands
        if name not in WITHOUT_ROWS
        and name not in known
        and not any(row.startswith(name + "|") for row in known)
    ]


class Coverage:
    """Counts successful executions per row; rows are declared before the run."""

    def __init__(self, rows):
        self._counts = collections.OrderedDict((row, 0) for row in rows)

    def count(self, rows, error=False):
        for row in rows:
            if not error or row.endswith(REFUSED):
                self._counts[row] += 1

    def missing(self):
        return [row for row, n in self._counts.items() if n < REQUIRED and row not in EXCUSED]

    def print(self, out):
        cells = [
            "%-34s %6d%s" % (row, n, "" if n >= REQUIRED or row in EXCUSED else " <")
            for row, n in self._counts.items()
        ]
        print("\nSuccessful executions (at least %d each, '<' marks less):" % REQUIRED, file=out)
        for start in range(0, len(cells), 3):
            print("  ".join("%-43s" % cell for cell in cells[start : start + 3]).rstrip(), file=out)
        for row, reason in EXCUSED.items():
            print("not required: %s: %s" % (row, reason), file=out)
