"""One command of a stream, what it counts for and how its two replies compare."""


class Op:
    """args: the command; rows: rows of the coverage table that a reply without error counts for;
    norm: normalisation of the two replies, see normalisations.py; expect: replies it makes,
    messages not counted; raw: bytes to send instead of the encoded args; queued: the Op runs
    at EXEC, only QUEUED is answered now; subst: args hold @ID:link@ and the like."""

    __slots__ = ("args", "rows", "norm", "expect", "raw", "subst", "queued")

    def __init__(self, *args, rows=(), norm=None, expect=1, raw=None, subst=False):
        self.args = args
        self.rows = rows
        self.norm = norm
        self.expect = expect
        self.raw = raw
        self.subst = subst
        self.queued = False

    def text(self):
        """The command as one would type it into redis-cli."""
        if self.raw is not None:
            return "raw " + repr(self.raw)[1:]
        return " ".join(_quoted(arg) for arg in self.args)


def _quoted(arg):
    plain = arg.decode("latin-1")
    if plain and all(33 <= c < 127 and c not in b"\"'\\" for c in arg):
        return plain
    out = []
    for c in arg:
        if c in b'"\\':
            out.append("\\" + chr(c))
        elif c == 10:
            out.append("\\n")
        elif 32 <= c < 127:
            out.append(chr(c))
        else:
            out.append("\\x%02x" % c)
    return '"' + "".join(out) + '"'
