// From a Lua error to the text a client sees.
#pragma once

#include <lua.hpp>

#include <string>
#include <string_view>

namespace scripting {

// The error value on top, when it is a message of 5.4, becomes what 5.1 would say.
void word_error_as_5_1(lua_State* lua);
// Replaces the error value on top by Redis' table: err ("ERR …"), source, line. For message
// handlers and functions called right where the error is.
void describe_error(lua_State* lua);
// Raises {err = "ERR " .. text} as redis.* functions do.
[[noreturn]] void raise_redis_error(lua_State* lua, std::string_view text);
// Pushes {err = text}, with `ignore_error_stats_update` when it is Redis' own refusal of a call.
enum class ErrorStats : unsigned char { counted, ignored };
void push_error_table(lua_State* lua, std::string_view text, ErrorStats stats);

}  // namespace scripting
