#include "scripting/lua_arguments.hpp"

#include "scripting/dialect.hpp"
#include "scripting/lua_number.hpp"

#include <string>

namespace scripting {
namespace {

// How 5.1 calls the running function: by the name it was called by.
std::string name_of_call(const lua_Debug& call) {
  if (call.name == nullptr) return "?";
  if (std::string_view(call.namewhat) == "for iterator") return "(for generator)";
  return std::string(original_name(call.name));
}

}  // namespace

void raise_plain(lua_State* lua, std::string_view message) {
  push_text(lua, message);
  lua_error(lua);
  __builtin_unreachable();
}

void raise_at_caller(lua_State* lua, std::string_view message) {
  luaL_where(lua, 1);
  push_text(lua, message);
  lua_concat(lua, 2);
  lua_error(lua);
  __builtin_unreachable();
}

void raise_argument(lua_State* lua, int index, std::string_view complaint) {
  lua_Debug call;
  const std::string reason = " (" + std::string(complaint) + ")";
  if (lua_getstack(lua, 0, &call) == 0) {
    raise_at_caller(lua, "bad argument #" + std::to_string(index) + reason);
  }
  lua_getinfo(lua, "n", &call);
  const std::string name = name_of_call(call);
  if (std::string_view(call.namewhat) == "method") {
    --index;
    if (index == 0) raise_at_caller(lua, "calling '" + name + "' on bad self" + reason);
  }
  raise_at_caller(lua, "bad argument #" + std::to_string(index) + " to '" + name + "'" + reason);
}

void raise_type(lua_State* lua, int index, std::string_view expected) {
  raise_argument(lua, index, std::string(expected) + " expected, got " + luaL_typename(lua, index));
}

void check_any(lua_State* lua, int index) {
  if (lua_isnone(lua, index)) raise_argument(lua, index, "value expected");
}

void check_type(lua_State* lua, int index, int type) {
  if (lua_type(lua, index) != type) raise_type(lua, index, lua_typename(lua, type));
}

bool make_text(lua_State* lua, int index) {
  const int type = lua_type(lua, index);
  if (type == LUA_TSTRING) return true;
  if (type != LUA_TNUMBER) return false;
  const int place = lua_absindex(lua, index);
  push_text(lua, NumberText::shown(lua_tonumber(lua, place)).view());
  lua_replace(lua, place);
  return true;
}

std::string_view text_at(lua_State* lua, int index) {
  std::size_t size = 0;
  const char* text = lua_tolstring(lua, index, &size);
  return {text, size};
}

std::string_view check_text(lua_State* lua, int index) {
  if (!make_text(lua, index)) raise_type(lua, index, "string");
  return text_at(lua, index);
}

std::string_view text_or(lua_State* lua, int index, std::string_view otherwise) {
  return lua_isnoneornil(lua, index) ? otherwise : check_text(lua, index);
}

std::optional<double> number_at(lua_State* lua, int index) {
  const int type = lua_type(lua, index);
  if (type == LUA_TNUMBER) return lua_tonumber(lua, index);
  if (type != LUA_TSTRING) return std::nullopt;
  const std::string_view text = text_at(lua, index);
  return number_from_text(text.data(), text.size());
}

double check_number(lua_State* lua, int index) {
  const auto number = number_at(lua, index);
  if (!number) raise_type(lua, index, "number");
  return *number;
}

std::int64_t truncated(double value) {
  constexpr double limit = 9223372036854775808.0;
  if (!(value >= -limit && value < limit)) return INT64_MIN;
  return static_cast<std::int64_t>(value);
}

std::int64_t check_integer(lua_State* lua, int index) {
  return truncated(check_number(lua, index));
}

std::int64_t integer_or(lua_State* lua, int index, std::int64_t otherwise) {
  return lua_isnoneornil(lua, index) ? otherwise : check_integer(lua, index);
}

void add_functions(lua_State* lua, const luaL_Reg* functions) {
  luaL_setfuncs(lua, functions, 0);
}

}  // namespace scripting
