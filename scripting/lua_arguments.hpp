// What library functions take from the Lua stack, by the rules and in the words of Lua 5.1. Every
// function here may raise a Lua error (a C++ exception in this build of Lua).
#pragma once

#include <lua.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace scripting {

// "bad argument #2 to 'rep' (number expected, got table)".
[[noreturn]] void raise_argument(lua_State* lua, int index, std::string_view complaint);
[[noreturn]] void raise_type(lua_State* lua, int index, std::string_view expected);
// With the caller's place in front: "user_script:1: …".
[[noreturn]] void raise_at_caller(lua_State* lua, std::string_view message);
// Without.
[[noreturn]] void raise_plain(lua_State* lua, std::string_view message);

void check_any(lua_State* lua, int index);
void check_type(lua_State* lua, int index, int type);
inline void check_table(lua_State* lua, int index) {
  if (lua_type(lua, index) != LUA_TTABLE) check_type(lua, index, LUA_TTABLE);
}
// A number argument becomes its text in place. The view lives as long as the stack slot.
std::string_view check_text(lua_State* lua, int index);
std::string_view text_or(lua_State* lua, int index, std::string_view otherwise);
double check_number(lua_State* lua, int index);
// Truncated toward zero; what no int64 holds is the least one, as on x86.
std::int64_t check_integer(lua_State* lua, int index);
std::int64_t integer_or(lua_State* lua, int index, std::int64_t otherwise);
std::int64_t truncated(double value);

// A number, or text that reads as one.
std::optional<double> number_at(lua_State* lua, int index);
// Replaces a number by its text; false for what is neither text nor number.
bool make_text(lua_State* lua, int index);
std::string_view text_at(lua_State* lua, int index);
inline void push_text(lua_State* lua, std::string_view text) {
  lua_pushlstring(lua, text.data(), text.size());
}
inline void push_count(lua_State* lua, std::size_t count) {
  lua_pushnumber(lua, static_cast<double>(count));
}
// Adds functions to the table on top.
void add_functions(lua_State* lua, const luaL_Reg* functions);

}  // namespace scripting
