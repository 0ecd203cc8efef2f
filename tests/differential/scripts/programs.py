"""Whole programs: random statements over two numbers, a string, an array and an output list."""

from scripts.filler import NUMERIC_STRINGS, STRINGS, WORDS, number

_PROLOGUE = (
    "local out, n, m, s, t = {}, %s, %s, %s, {1, 'two', 3.5}\n"
    "local function put(v) if v ~= v then v = 'nan' end out[#out + 1] = tostring(v) end\n"
)


def program(r):
    """A program that always ends: loops are bounded, nesting is at most three deep."""
    start = _PROLOGUE % (number(r), number(r), r.choice(STRINGS))
    body = "".join(_statement(r, 3) for _ in range(r.randint(3, 10)))
    return (
        start + body + r.choice(("return out", "put(n) put(m) return out", "return {n, m, s, out}"))
    )


def _number(r, depth=2):
    if depth == 0 or r.random() < 0.3:
        return r.choice(
            ("n", "m", "#t", "#s", "#out", "(%s)" % number(r), r.choice(NUMERIC_STRINGS))
        )
    pick = r.random()
    if pick < 0.6:
        return "(%s %s %s)" % (_number(r, depth - 1), r.choice("+-*/"), _number(r, depth - 1))
    if pick < 0.7:
        return "(%s %% %s)" % (_number(r, depth - 1), r.choice(("7", "2.5", "-3", "10")))
    return r.choice(
        (
            "math.floor(%s)",
            "math.ceil(%s)",
            "math.abs(%s)",
            "math.max(%s, 1)",
            "math.min(%s, '5')",
            "(-%s)",
            "(tonumber(tostring(%s)) or 0)",
            "select(2, 0, %s)",
            "(%s or 0)",
        )
    ) % _number(r, depth - 1)


def _string(r):
    return r.choice(
        (
            "s",
            "s .. n",
            "n .. m",
            "(s .. %s)" % _number(r),
            "tostring(%s)" % _number(r),
            "s:sub(%d, %d)" % (r.randint(-3, 4), r.randint(-3, 9)),
            "s:upper()",
            "s:rep(2)",
            "s:reverse()",
            "(s:gsub(%s, '-'))" % r.choice(WORDS[:10]),
            "table.concat({n, m, s}, ',')",
            r.choice(STRINGS),
            "string.format('%%s|%%g|%%5.1f', s, %s, %s)" % (_number(r), _number(r)),
            "cjson.encode({n - n == 0 and n or 0, s:gsub('[^%w]', '')})",
            "type(%s)" % _number(r),
            "(s:match('%w+') or 'none')",
            "redis.sha1hex(s):sub(1, 8)",
            "(ARGV[1] or '')",
            "KEYS[1]",
        )
    )


def _condition(r):
    return r.choice(
        (
            "%s %s %s"
            % (
                _number(r, 1).replace("'", "").replace("nan", "0"),
                r.choice(("<", "<=", ">", ">=", "==", "~=")),
                r.choice(("n", "m", "3")),
            ),
            "s == %s" % r.choice(STRINGS),
            "s < %s" % r.choice(STRINGS),
            "n",
            "not s",
            "#t > 2",
            "t[2] == nil",
            "n == m or #s > 3",
            "n and m and s ~= ''",
        )
    )


def _block(r, depth):
    return "".join(_statement(r, depth - 1) for _ in range(r.randint(1, 3)))


def _statement(r, depth):
    simple = (
        lambda: "n = %s\n" % _number(r),
        lambda: "m = %s\n" % _number(r),
        lambda: "s = (%s):sub(1, 40)\n" % _string(r),
        lambda: "put(%s)\n" % _number(r),
        lambda: "put(%s)\n" % _string(r),
        lambda: "put(%s)\n" % _condition(r),
        lambda: "table.insert(t, %s)\n" % r.choice((_number(r), _string(r))),
        lambda: "put(table.remove(t))\n",
        lambda: "t[%s] = %s\n" % (r.choice(("1", "#t", "#t + 1", "'key'")), _number(r)),
        lambda: "redis.call('set', KEYS[1], %s) put(redis.call('get', KEYS[1]))\n"
        % r.choice((_number(r), "s")),
        lambda: "put(redis.call('hset', KEYS[1] .. ':h', s, n))\n",
        lambda: "local ok, e = pcall(function() return %s end) put(ok) put(type(e) == 'table' and e.err or e)\n"
        % r.choice(
            (
                _number(r),
                _string(r),
                "n .. nil",
                "t .. s",
                "s + n",
                "t < n",
                "nosuch",
                "s()",
                "t.x.y",
                "redis.call('incr', KEYS[1])",
                "error(s)",
                "error('at ' .. n, 0)",
            )
        ),
        lambda: "n, m = m, n\n",
    )
    if depth == 0 or r.random() < 0.7:
        return r.choice(simple)()
    return r.choice(
        (
            lambda: "if %s then\n%selse\n%send\n"
            % (_condition(r), _block(r, depth), _block(r, depth)),
            lambda: "for i = %s, %s do\nput(i)\n%send\n"
            % (r.choice(("1", "'1'", "0.5", "-1", "3")), r.randint(1, 4), _block(r, depth)),
            lambda: "for i, v in ipairs(t) do\nput(i .. ':' .. tostring(v))\nif i > 3 then break end\nend\n",
            lambda: "do\nlocal n = %s\n%send\n" % (_number(r), _block(r, depth)),
            lambda: "local f = function(...) local a = ... return select('#', ...), a end put((f(n, m)))\n",
        )
    )()
