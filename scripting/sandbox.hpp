// The Lua state scripts run in: which globals exist, what is frozen, what a script can reach.
#pragma once

#include "scripting/dialect.hpp"

#include <lua.hpp>

namespace scripting {

// Builds globals and libraries in a fresh state, freezes them and returns the names that the
// dialect may treat as constants. The globals table itself is the registry's; scripts see frozen
// proxies.
BuiltinNames build_sandbox(lua_State* lua);

// Pushes the value of a builtin ("tonumber", "redis.call") or of the dialect's runtime
// ("L51_concat").
void push_prelude_value(lua_State* lua, std::string_view name);

// For library functions that look into or change tables. When the value at `index` is a frozen
// proxy:
void look_through_frozen(lua_State* lua, int index);  // puts the real table in its place
void check_not_frozen(lua_State* lua, int index);     // raises "Attempt to modify a readonly table"
[[nodiscard]] bool is_frozen(lua_State* lua, int index);

// Replaces the table on top by a proxy that only reads.
void freeze(lua_State* lua);
// Reading what the table on top does not hold raises "… nonexistent global variable …".
void refuse_missing(lua_State* lua);

// Libraries; each leaves its table on top of the stack.
void open_string(lua_State* lua);
void open_table(lua_State* lua);
void open_math(lua_State* lua);
void open_coroutine(lua_State* lua);
void open_bit(lua_State* lua);
void open_struct(lua_State* lua);
void open_cjson(lua_State* lua);
void open_cmsgpack(lua_State* lua);
void open_redis(lua_State* lua);
// Adds to the table on top.
void add_base_functions(lua_State* lua);
void add_log_functions(lua_State* lua);      // redis.log, its levels and the version
void add_chunk_functions(lua_State* lua);    // load, loadstring
void add_dialect_functions(lua_State* lua);  // L51_…
// Arithmetic on text, for the metatable on top.
void add_text_arithmetic(lua_State* lua);

}  // namespace scripting
