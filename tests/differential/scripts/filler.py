"""Fills the holes of script templates with random Lua.

Holes: @n@ number literal, @i@ integer -3..8, @p@ integer 1..5, @s@ string literal, @w@ short word
in quotes, @e@ arithmetic expression, @x@ literal of any type, @t@ array literal, @c@ comparison
operator, @o@ arithmetic operator, @b@ base 2..36, @l@ 32-bit integer, @L@ library.
"""

import re

_HOLE = re.compile(r"@(\w)@")

NUMBERS = (
    "0",
    "1",
    "-1",
    "2",
    "3",
    "7",
    "10",
    "100",
    "0.5",
    "1.5",
    "-2.5",
    "3.14159",
    "1e3",
    "1e15",
    "1e-3",
    "123456789",
    "2147483647",
    "2147483648",
    "4294967296",
    "9007199254740992",
    "9007199254740993",
    "1e100",
    "0x10",
    "0xff",
    ".5",
    "5.",
    "1e+2",
    "1E2",
    "99999999999999",
    "100000000000000",
    "123456789012345678",
    "0.1",
    "1e14",
    "1e16",
    "-0.001",
    "33.333333333333",
)
NUMERIC_STRINGS = ("'10'", "'0x10'", "' 5 '", "'1e2'", "'-3'", "'0.5'", "'007'", "'3.0'", "'1e15'")
STRINGS = (
    "''",
    "'a'",
    "'hello'",
    "'hello world'",
    "'abc123'",
    "'%d+'",
    "'a.b'",
    "'A-B-C'",
    "'\\0x'",
    "'\\065\\066'",
    "'tab\\there'",
    "'q\"uote'",
    "[[long]]",
    "[==[l]]ong]==]",
    "'caf\\195\\169'",
    "'  pad  '",
    "'k=v, x=y'",
    "'\\d\\q'",
    "'line\\nbreak'",
    "'Ünï'",
    "'10'",
    "'aXbXc'",
)
WORDS = (
    "'a'",
    "'b'",
    "'l'",
    "'o'",
    "'x'",
    "'%a'",
    "'%d'",
    "'.'",
    "'%s'",
    "'%w+'",
    "'h'",
    "'[a-c]'",
    "'^h'",
    "'o$'",
    "'(l)(.)'",
    "'()'",
    "'%b()'",
    "'l*'",
    "'l-o'",
    "'[^a]'",
    "'%f[%w]%w+'",
    "','",
    "'%.'",
)


def integer(r):
    return str(r.randint(-3, 8))


def number(r):
    pick = r.random()
    if pick < 0.5:
        return str(r.randint(-20, 100))
    if pick < 0.7:
        return "%.3f" % (r.random() * 200 - 100)
    return r.choice(NUMBERS)


def expression(r, depth=3):
    """Arithmetic of numbers and numeric strings; the right side of % is never zero."""
    pick = r.random()
    if depth == 0 or pick < 0.2:
        return r.choice(NUMERIC_STRINGS) if r.random() < 0.12 else _operand(number(r))
    if pick < 0.3:
        return "(-" + expression(r, depth - 1) + ")"
    if pick < 0.42:
        return "(%s %% %s)" % (
            expression(r, depth - 1),
            r.choice(("3", "-3", "2.5", "7", "10", "'4'", "1e3")),
        )
    if pick < 0.48:
        return "(%s ^ %s)" % (
            expression(r, depth - 1),
            r.choice(("2", "3", "0", "-1", "0.5", "'2'")),
        )
    return "(%s %s %s)" % (expression(r, depth - 1), r.choice("++-*/"), expression(r, depth - 1))


def _operand(text):
    return "(%s)" % text if text.startswith("-") else text


def anything(r):
    return r.choice(
        (
            lambda: number(r),
            lambda: r.choice(STRINGS),
            lambda: r.choice(("nil", "true", "false")),
            lambda: r.choice(NUMERIC_STRINGS),
            lambda: "{}",
            lambda: array(r),
        )
    )()


def array(r):
    items = [r.choice((number(r), number(r), r.choice(STRINGS))) for _ in range(r.randint(0, 6))]
    return "{" + ", ".join(items) + "}"


_FILLS = {
    "n": number,
    "i": integer,
    "p": lambda r: str(r.randint(1, 5)),
    "s": lambda r: r.choice(STRINGS),
    "w": lambda r: r.choice(WORDS),
    "e": expression,
    "x": anything,
    "t": array,
    "c": lambda r: r.choice(("<", ">", "<=", ">=", "==", "~=")),
    "o": lambda r: r.choice("+-*/"),
    "b": lambda r: str(r.randint(2, 36)),
    "L": lambda r: r.choice(
        (
            "string",
            "table",
            "math",
            "coroutine",
            "cjson",
            "cmsgpack",
            "struct",
            "bit",
            "redis",
            "os",
            "_G",
        )
    ),
    "l": lambda r: r.choice(
        ("0", "1", "-1", "255", "0x7fffffff", "0x80000000", "-2147483648", "305419896", "65535")
    ),
}


def filled(r, template):
    """The template with every hole filled."""
    return _HOLE.sub(lambda hole: _FILLS[hole.group(1)](r), template)
