"""Scripting commands as seen from outside; scripts/ generates the Lua itself."""

import hashlib

import values as v
from operation import Op

from .registry import generator

_SCRIPTS = (
    b"return redis.call('get', KEYS[1])",
    b"return redis.call('set', KEYS[1], ARGV[1])",
    b"return {KEYS[1], ARGV[1], #KEYS, #ARGV}",
    b"return 42",
    b"return redis.status_reply('FINE')",
    b"if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0",
    b"return redis.call('hincrby', KEYS[1], ARGV[1], 1)",
    b"return redis.call('exists', KEYS[1])",
    b"return redis.pcall('incr', KEYS[1])",
    b"redis.call('pexpire', KEYS[1], 99999999) return 1",
    b"return",
    b"return {1, {2, {'three'}}, false, 4}",
    b"return 3.99",
    b"return {err='MY error'}",
    b"return redis.error_reply('MY other')",
    b"#!lua\nreturn redis.call('strlen', KEYS[1])",
    b"#!lua flags=no-writes\nreturn redis.call('type', KEYS[1])['ok']",
    b"local n = redis.call('incr', KEYS[1]) if n > 3 then redis.call('set', KEYS[1], '0') end return n",
)
_BROKEN = (
    b"return (",
    b"x = 1",
    b"return nosuch",
    b"error('boom')",
    b"#!lua name=x\nreturn 1",
    b"#!python\nreturn 1",
    b"#!lua flags=bogus\nreturn 1",
    b"redis.call('nosuch')",
    b"return redis.call('set', KEYS[1])",
    b"#!lua flags=no-writes\nreturn redis.call('set','a','b')",
)


def _sha(script):
    return hashlib.sha1(script).hexdigest().encode()


@generator(4, "EVAL", "EVAL_RO")
def eval_(r):
    name = b"EVAL" if r.random() < 0.6 else b"EVAL_RO"
    script = r.choice(_SCRIPTS) if r.random() < 0.85 else r.choice(_BROKEN)
    if script.startswith(b"local n") and r.random() < 0.5:
        script += b" -- %d" % r.randrange(50)
    args = [v.short_value(r) for _ in range(r.randint(1, 2))]
    count = b"1" if r.random() < 0.95 else r.choice((b"0", b"-1", b"9", b"x", b""))
    return Op(v.cased(r, name), script, count, v.small_key(r), *args, rows=(name.decode(),))


@generator(4, "EVALSHA", "EVALSHA_RO", "SCRIPT/LOAD")
def evalsha(r):
    name = b"EVALSHA" if r.random() < 0.6 else b"EVALSHA_RO"
    script = r.choice(_SCRIPTS)
    sha = _sha(script)
    if r.random() < 0.2:
        sha = r.choice((sha.upper(), b"0" * 40, b"short", b"", sha + b"0"))
    ops = [Op(name, sha, b"1", v.small_key(r), v.short_value(r), rows=(name.decode(),))]
    if r.random() < 0.5:
        ops.insert(0, Op(v.cased(r, b"SCRIPT"), v.cased(r, b"LOAD"), script, rows=("SCRIPT/LOAD",)))
    return ops


@generator(
    0.9,
    "SCRIPT/EXISTS",
    "SCRIPT/FLUSH",
    "SCRIPT/FLUSH ASYNC",
    "SCRIPT/FLUSH SYNC",
    "SCRIPT/HELP",
    spoilable=False,
)
def script(r):
    pick = r.random()
    if pick < 0.35:
        shas = [
            _sha(r.choice(_SCRIPTS)) if r.random() < 0.8 else b"x" for _ in range(r.randint(1, 3))
        ]
        return Op(b"SCRIPT", v.cased(r, b"EXISTS"), *shas, rows=("SCRIPT/EXISTS",))
    if pick < 0.8:
        option = r.choice((b"", b"ASYNC", b"sync", b"bogus" if r.random() < 0.3 else b"SYNC"))
        row = ("SCRIPT/FLUSH " + option.upper().decode()).strip()
        return Op(
            b"SCRIPT",
            b"FLUSH",
            *([option] if option else []),
            rows=(row,) if option != b"bogus" else ()
        )
    if pick < 0.9:
        return Op(b"SCRIPT", b"KILL")
    if pick < 0.95:
        return Op(b"SCRIPT", b"LOAD", r.choice(_BROKEN[:1] + _BROKEN[4:7]))
    return Op(b"SCRIPT", b"HELP", rows=("SCRIPT/HELP",))
