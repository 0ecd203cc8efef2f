"""Draws a random script and how to run it."""

import hashlib

from operation import Op
from scripts import collections, language, library, programs, server_calls
from scripts.filler import filled

_TEMPLATES = (
    (14, language.ARITHMETIC),
    (7, language.LOOPS),
    (10, language.FUNCTIONS),
    (10, language.OBJECTS),
    (14, library.STRINGS),
    (8, library.TABLES),
    (6, library.MATHS),
    (9, library.CJSON),
    (8, library.PACKING),
    (4, library.BITS),
    (13, server_calls.CALLS),
    (16, collections.CALLS),
    (13, server_calls.REPLIES),
    (10, server_calls.FAILURES),
    (6, server_calls.COMPILE),
    (8, server_calls.SANDBOX),
    (3, server_calls.SHEBANGS),
)
_WEIGHTS = [weight for weight, _ in _TEMPLATES]


def script(r):
    """The text of one script."""
    if r.random() < 0.15:
        return programs.program(r)
    templates = r.choices(_TEMPLATES, _WEIGHTS)[0][1]
    text = filled(r, r.choice(templates))
    if text.startswith("#!"):
        return text
    pick = r.random()
    if pick < 0.12:
        text = "\n" * r.randint(1, 4) + text
    elif pick < 0.2:
        text = text.replace(" ", "\n", r.randint(1, 3))
    elif pick < 0.25:
        text = "local function main(...)\n" + text + "\nend\nreturn main(1, 'two')"
    elif pick < 0.32:
        text = _in_pcall(text)
    elif pick < 0.4:
        text = (
            "do\n"
            + _in_pcall(filled(r, r.choice(r.choices(_TEMPLATES, _WEIGHTS)[0][1]))).replace(
                "return {tostring(ok)", "local _ = {tostring(ok)"
            )
            + "\nend\n"
            + text
        )
    elif pick < 0.44:
        text = text + "\n-- the end"
    return text


def _in_pcall(text):
    return (
        "local ok, e = pcall(function(...)\n" + text + "\nend)\n"
        "if type(e) == 'table' and e.err then e = e.err end return {tostring(ok), type(e), "
        "(type(e) == 'string' or type(e) == 'number') and tostring(e) or e == nil}"
    )


def operations(r):
    """An EVAL (mostly), EVAL_RO, or SCRIPT LOAD and EVALSHA of a random script."""
    text = script(r).encode()
    keys = [b"lua:k%d" % r.randrange(4) for _ in range(r.choice((1, 1, 1, 2)))]
    args = [r.choice((b"3", b"10", b"x", b"2.5", b"", b"hello")) for _ in range(r.randint(1, 3))]
    count = b"%d" % len(keys)
    if r.random() < 0.03:
        count = r.choice((b"0", b"99", b"-1", b"x", b""))
    pick = r.random()
    if pick < 0.85:
        return [Op(b"EVAL", text, count, *keys, *args)]
    if pick < 0.93:
        return [Op(b"EVAL_RO", text, count, *keys, *args)]
    name = r.choice((b"EVALSHA", b"EVALSHA_RO"))
    load = [Op(b"SCRIPT", b"LOAD", text)] if r.random() < 0.8 else []
    return load + [Op(name, hashlib.sha1(text).hexdigest().encode(), count, *keys, *args)]
