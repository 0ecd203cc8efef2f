"""Where generators of single operations register, with the coverage rows they can produce."""

GENERATORS = []  # (weight, function(r) -> Op or list of Op)
ROWS = []


def rows(*names):
    """Declares rows of the coverage table."""
    for name in names:
        if name not in ROWS:
            ROWS.append(name)


def generator(weight, *names, spoilable=True):
    """Registers a generator; spoilable: its operations may be sent with arguments broken."""
    rows(*names)

    def register(function):
        function.spoilable = spoilable
        function.rows = names
        GENERATORS.append((weight, function))
        return function

    return register
