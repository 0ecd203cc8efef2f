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

void raise_plain(lua_State* L, std::string_view message) {
  push_text(L, message);
  lua_error(L);
  __builtin_unreachable();
}

void raise_at_caller(lua_State* L, std::string_view message) {
  luaL_where(L, 1);
  push_text(L, message);
  lua_concat(L, 2);
  lua_error(L);
  __builtin_unreachable();
}

void raise_argument(lua_State* L, int index, std::string_view complaint) {
  lua_Debug call;
  const std::string reason = " (" + std::string(complaint) + ")";
  if (lua_getstack(L, 0, &call) == 0) {
    raise_at_caller(L, "bad argument #" + std::to_string(index) + reason);
  }
  lua_getinfo(L, "n", &call);
  const std::string name = name_of_call(call);
  if (std::string_view(call.namewhat) == "method") {
    --index;
    if (index == 0) raise_at_caller(L, "calling '" + name + "' on bad self" + reason);
  }
  raise_at_caller(L, "bad argument #" + std::to_string(index) + " to '" + name + "'" + reason);
}

void raise_type(lua_State* L, int index, std::string_view expected) {
  raise_argument(L, index, std::string(expected) + " expected, got " + luaL_typename(L, index));
}

void check_any(lua_State* L, int index) {
  if (lua_isnone(L, index)) raise_argument(L, index, "value expected");
}

void check_type(lua_State* L, int index, int type) {
  if (lua_type(L, index) != type) raise_type(L, index, lua_typename(L, type));
}

bool make_text(lua_State* L, int index) {
  const int type = lua_type(L, index);
  if (type == LUA_TSTRING) return true;
  if (type != LUA_TNUMBER) return false;
  const int place = lua_absindex(L, index);
  push_text(L, NumberText::shown(lua_tonumber(L, place)).view());
  lua_replace(L, place);
  return true;
}

std::string_view text_at(lua_State* L, int index) {
  std::size_t size = 0;
  const char* text = lua_tolstring(L, index, &size);
  return {text, size};
}

std::string_view check_text(lua_State* L, int index) {
  if (!make_text(L, index)) raise_type(L, index, "string");
  return text_at(L, index);
}

std::string_view text_or(lua_State* L, int index, std::string_view otherwise) {
  return lua_isnoneornil(L, index) ? otherwise : check_text(L, index);
}

std::optional<double> number_at(lua_State* L, int index) {
  const int type = lua_type(L, index);
  if (type == LUA_TNUMBER) return lua_tonumber(L, index);
  if (type != LUA_TSTRING) return std::nullopt;
  const std::string_view text = text_at(L, index);
  return number_from_text(text.data(), text.size());
}

double check_number(lua_State* L, int index) {
  const auto number = number_at(L, index);
  if (!number) raise_type(L, index, "number");
  return *number;
}

std::int64_t truncated(double value) {
  constexpr double limit = 9223372036854775808.0;
  if (!(value >= -limit && value < limit)) return INT64_MIN;
  return static_cast<std::int64_t>(value);
}

std::int64_t check_integer(lua_State* L, int index) {
  return truncated(check_number(L, index));
}

std::int64_t integer_or(lua_State* L, int index, std::int64_t otherwise) {
  return lua_isnoneornil(L, index) ? otherwise : check_integer(L, index);
}

void add_functions(lua_State* L, const luaL_Reg* functions) {
  luaL_setfuncs(L, functions, 0);
}

}  // namespace scripting
