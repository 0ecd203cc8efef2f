"""Libraries of functions and calls of them."""

import values as v
from normalisations import deep_unordered, existing_function, payload
from operation import Op

from .registry import generator

LIBRARIES = (b"lib0", b"lib1", b"lib2", b"Lib_3")
_FUNCTIONS = tuple(b"f%d" % i for i in range(6))
_BODIES = (
    b"return redis.call('get', keys[1])",
    b"return redis.call('set', keys[1], args[1])",
    b"return {keys, args}",
    b"return #keys + #args",
    b"return redis.pcall('incr', keys[1])",
    b"return redis.call('lpush', keys[1], args[1])",
    b"return redis.error_reply('MY own')",
    b"return nosuch",
    b"return redis.call('nosuch')",
    b"error('boom')",
    b"return KEYS",
    b"return redis.call('hset', keys[1], 'f', args[1])",
    b"counter = 1",
    b"return redis.call('zrange', keys[1], 0, -1)",
    b"redis.setresp(3) return redis.call('zscore', keys[1], 'm1')",
)
_FLAGS = (b"no-writes", b"allow-oom", b"allow-stale", b"no-cluster", b"allow-cross-slot-keys")


def library(r, name):
    text = b"#!lua name=" + name + b"\n"
    if r.random() < 0.3:
        text += b"local shared = 0\n"
    for function in r.sample(_FUNCTIONS, r.randint(1, 3)):
        body = b"function(keys, args) " + r.choice(_BODIES) + b" end"
        if r.random() < 0.5:
            text += b"redis.register_function('%s', %s)\n" % (function, body)
            continue
        flags = b", ".join(b"'%s'" % f for f in r.sample(_FLAGS, r.randint(0, 2)))
        text += b"redis.register_function{function_name='%s', callback=%s, flags={%s}%s}\n" % (
            function,
            body,
            flags,
            r.choice((b"", b", description='what it does'")),
        )
    return text


_WRONG = (
    b"",
    b"return 1",
    b"#!lua\nreturn 1",
    b"#!lua name=\nreturn 1",
    b"#!lua name=a b\nreturn 1",
    b"#!lua name=bad-name\nreturn 1",
    b"#!js name=lib0\nreturn 1",
    b"#!lua name=lib9 engine=x\nreturn 1",
    b"#!lua name=lib9 name=lib8\nreturn 1",
    b"#!lua name=lib9\n",
    b"#!lua name=lib9",
    b"#!lua name=lib9\nreturn 1",
    b"#!lua name=lib9\nreturn (",
    b"#!lua name=lib9\nerror('x')",
    b"#!lua name=lib9\nredis.call('get', 'x')",
    b"#!lua name=lib9\nredis.register_function('f9')",
    b"#!lua name=lib9\nredis.register_function()",
    b"#!lua name=lib9\nredis.register_function('f9', 5)",
    b"#!lua name=lib9\nredis.register_function({}, function() end)",
    b"#!lua name=lib9\nredis.register_function('bad name', function() end)",
    b"#!lua name=lib9\nredis.register_function('', function() end)",
    b"#!lua name=lib9\nredis.register_function{function_name='f9'}",
    b"#!lua name=lib9\nredis.register_function{callback=function() end}",
    b"#!lua name=lib9\nredis.register_function{function_name='f9', callback=1}",
    b"#!lua name=lib9\nredis.register_function{function_name=5, callback=function() end, flags={'x'}}",
    b"#!lua name=lib9\nredis.register_function{function_name='f9', callback=function() end, flags='x'}",
    b"#!lua name=lib9\nredis.register_function{function_name='f9', callback=function() end, bad=1}",
    b"#!lua name=lib9\nredis.register_function{function_name='f9', callback=function() end, description=5}",
    b"#!lua name=lib9\nfor i = 1, 2 do redis.register_function('f9', function() end) end",
    b"#!lua name=lib9\nglobal = 1",
    b"#!lua name=lib9\nreturn redis.sha1hex('x')",
    b"#!lua name=lib9\nredis.log(redis.LOG_DEBUG, 'x') redis.register_function('f8', function() end)",
    b"#!lua name=lib9\nredis.setresp(3)",
    b"#!lua name=lib9\nlocal x = KEYS",
)


@generator(1.5, "FUNCTION/LOAD", "FUNCTION/LOAD REPLACE", "FUNCTION/DELETE", spoilable=False)
def load(r):
    pick = r.random()
    if pick < 0.25:
        name = r.choice(LIBRARIES + (b"lib9", b"nosuch"))
        ops = [Op(b"FUNCTION", v.cased(r, b"DELETE"), name, rows=("FUNCTION/DELETE",))]
        if pick < 0.18:
            ops.insert(0, Op(b"FUNCTION", b"LOAD", library(r, name), norm=existing_function))
        return ops
    replace = [v.cased(r, b"REPLACE")] if r.random() < 0.6 else []
    row = "FUNCTION/LOAD REPLACE" if replace else "FUNCTION/LOAD"
    if r.random() < 0.25:
        return Op(b"FUNCTION", b"LOAD", *replace, r.choice(_WRONG), rows=(row,))
    text = library(r, r.choice(LIBRARIES))
    return Op(b"FUNCTION", v.cased(r, b"LOAD"), *replace, text, rows=(row,), norm=existing_function)


_SAMPLE = b"""#!lua name=lib0
redis.register_function{function_name='f0', flags={'no-writes'}, callback=function(keys, args)
  return {#keys, args[1] or 'none', redis.call('exists', 's0', 'l0')} end}
redis.register_function('f1', function(keys, args)
  if not keys[1] then return 'no key' end
  redis.call('del', keys[1]) redis.call('rpush', keys[1], 'a', unpack(args))
  return redis.call('lrange', keys[1], 0, -1) end)
redis.register_function{function_name='f2', flags={'no-writes'},
  callback=function(keys) return redis.call('type', keys[1] or 's0').ok end}
"""


@generator(3, "FCALL", "FCALL_RO")
def call(r):
    name = r.choice((b"FCALL", b"FCALL", b"FCALL_RO"))
    function = (
        r.choice(_FUNCTIONS[:3] if name == b"FCALL_RO" else _FUNCTIONS)
        if r.random() < 0.93
        else r.choice((b"nosuch", b"", b"F0"))
    )
    keys = [v.small_key(r) for _ in range(r.randint(0, 2))]
    count = b"%d" % len(keys) if r.random() < 0.95 else r.choice((b"-1", b"x", b"9", b""))
    args = [v.short_value(r) for _ in range(r.randint(0, 2))]
    ops = [Op(v.cased(r, name), function, count, *keys, *args, rows=(name.decode(),))]
    if r.random() < 0.6:
        load = Op(b"FUNCTION", b"LOAD", b"REPLACE", _SAMPLE, norm=existing_function)
        ops.insert(0, load)
    return ops


@generator(
    1.5,
    "FUNCTION/LIST",
    "FUNCTION/LIST LIBRARYNAME",
    "FUNCTION/LIST WITHCODE",
    "FUNCTION/STATS",
    "FUNCTION/DUMP",
    "FUNCTION/HELP",
    "FUNCTION/KILL/refused",
    "FUNCTION/RESTORE/refused",
    spoilable=False,
)
def ask(r):
    pick = r.random()
    if pick < 0.5:
        options = []
        rows = ["FUNCTION/LIST"]
        if r.random() < 0.5:
            name = r.choice(LIBRARIES + (b"*", b"lib*", b"lib?", b"L*", b"none"))
            options.append([v.cased(r, b"LIBRARYNAME"), name])
            rows.append("FUNCTION/LIST LIBRARYNAME")
        if r.random() < 0.5:
            options.append([v.cased(r, b"WITHCODE")])
            rows.append("FUNCTION/LIST WITHCODE")
        if r.random() < 0.05:
            rows = []
            options.append(r.choice(([b"LIBRARYNAME"], [b"BOGUS"], [b"WITHCODE", b"WITHCODE"])))
        r.shuffle(options)
        words = [word for option in options for word in option]
        return Op(b"FUNCTION", b"LIST", *words, rows=tuple(rows), norm=deep_unordered)
    if pick < 0.65:
        return Op(b"FUNCTION", v.cased(r, b"STATS"), rows=("FUNCTION/STATS",))
    if pick < 0.75:
        return Op(b"FUNCTION", b"DUMP", rows=("FUNCTION/DUMP",), norm=payload)
    if pick < 0.85:
        return Op(b"FUNCTION", b"HELP", rows=("FUNCTION/HELP",))
    if pick < 0.93:
        return Op(b"FUNCTION", b"KILL", rows=("FUNCTION/KILL/refused",))
    policy = r.choice(((), (b"FLUSH",), (b"APPEND",), (b"replace",), (b"BOGUS",), (b"a", b"b")))
    text = r.choice((b"", b"x", b"0123456789abc", r.randbytes(30)))
    return Op(b"FUNCTION", b"RESTORE", text, *policy, rows=("FUNCTION/RESTORE/refused",))


@generator(0.3, "FUNCTION/FLUSH", "FUNCTION/FLUSH ASYNC", "FUNCTION/FLUSH SYNC", spoilable=False)
def flush(r):
    option = r.choice((b"", b"ASYNC", b"SYNC", b"bogus" if r.random() < 0.3 else b"sync"))
    row = ("FUNCTION/FLUSH " + option.upper().decode()).strip()
    words = [option] if option else []
    return Op(b"FUNCTION", b"FLUSH", *words, rows=(row,) if option != b"bogus" else ())
