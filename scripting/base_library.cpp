// The functions of 5.1 that stand in the globals table.
#include "scripting/lua_arguments.hpp"
#include "scripting/lua_number.hpp"
#include "scripting/sandbox.hpp"
#include "scripting/script_context.hpp"
#include "scripting/script_errors.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <string>

namespace scripting {
namespace {

int base_assert(lua_State* lua) {
  check_any(lua, 1);
  if (lua_toboolean(lua, 1) == 0) {
    // 5.1 formats the text as a C string.
    const std::string_view text = text_or(lua, 2, "assertion failed!");
    raise_at_caller(lua, std::string(text.substr(0, text.find('\0'))));
  }
  return lua_gettop(lua);
}

int base_error(lua_State* lua) {
  const auto level = static_cast<int>(integer_or(lua, 2, 1));
  lua_settop(lua, 1);
  if (level > 0 && make_text(lua, 1)) {
    luaL_where(lua, level);
    lua_pushvalue(lua, 1);
    lua_concat(lua, 2);
  }
  return lua_error(lua);
}

// Redis' pcall: of an error table with a field `err` the script sees only that.
int base_pcall(lua_State* lua) {
  if (lua_gettop(lua) == 0) lua_pushboolean(lua, 1);
  const int status = lua_pcall(lua, lua_gettop(lua) - 1, LUA_MULTRET, 0);
  if (status == LUA_OK) {
    lua_pushboolean(lua, 1);
    lua_insert(lua, 1);
    return lua_gettop(lua);
  }
  rethrow_if_killed(lua);
  word_error_as_5_1(lua);
  if (lua_istable(lua, -1)) {
    lua_pushliteral(lua, "err");
    if (lua_rawget(lua, -2) == LUA_TNIL) lua_pop(lua, 1);
  }
  lua_pushboolean(lua, 0);
  lua_insert(lua, -2);
  return 2;
}

int handle_error(lua_State* lua) {
  if (ScriptContext::of(lua).is_killed) return 1;
  word_error_as_5_1(lua);
  lua_pushvalue(lua, lua_upvalueindex(1));
  lua_insert(lua, 1);
  lua_call(lua, 1, 1);
  return 1;
}

int base_xpcall(lua_State* lua) {
  check_any(lua, 2);
  lua_settop(lua, 2);
  lua_pushcclosure(lua, handle_error, 1);  // the handler was at 2
  lua_insert(lua, 1);
  const int status = lua_pcall(lua, 0, LUA_MULTRET, 1);
  rethrow_if_killed(lua);
  lua_remove(lua, 1);
  if (status == LUA_ERRERR) {
    lua_settop(lua, 0);
    lua_pushliteral(lua, "error in error handling");
  }
  lua_pushboolean(lua, status == LUA_OK ? 1 : 0);
  lua_insert(lua, 1);
  return lua_gettop(lua);
}

int base_getmetatable(lua_State* lua) {
  check_any(lua, 1);
  if (is_frozen(lua, 1)) {
    push_prelude_value(lua, "L51_metatable_of_frozen");
    lua_pushvalue(lua, 1);
    lua_rawget(lua, -2);
    return 1;
  }
  if (lua_type(lua, 1) == LUA_TSTRING) {
    push_prelude_value(lua, "L51_metatable_of_text");
    return 1;
  }
  if (lua_getmetatable(lua, 1) == 0) {
    lua_pushnil(lua);
    return 1;
  }
  luaL_getmetafield(lua, 1, "__metatable");
  return 1;
}

// Lua 5.4 runs a table's __gc; 5.1 does not. It is decided when the metatable is set.
void set_metatable_without_finalizer(lua_State* lua) {
  lua_pushliteral(lua, "__gc");
  if (lua_rawget(lua, 2) == LUA_TNIL) {
    lua_pop(lua, 1);
    lua_setmetatable(lua, 1);
    return;
  }
  lua_pushliteral(lua, "__gc");
  lua_pushnil(lua);
  lua_rawset(lua, 2);
  lua_pushvalue(lua, 2);
  lua_setmetatable(lua, 1);
  lua_pushliteral(lua, "__gc");
  lua_insert(lua, -2);
  lua_rawset(lua, 2);
}

int base_setmetatable(lua_State* lua) {
  const int type = lua_type(lua, 2);
  check_table(lua, 1);
  if (type != LUA_TNIL && type != LUA_TTABLE) raise_argument(lua, 2, "nil or table expected");
  if (is_frozen(lua, 1)) check_not_frozen(lua, 1);
  if (luaL_getmetafield(lua, 1, "__metatable") != LUA_TNIL)
    raise_at_caller(lua, "cannot change a protected metatable");
  lua_settop(lua, 2);
  if (type == LUA_TTABLE)
    set_metatable_without_finalizer(lua);
  else
    lua_setmetatable(lua, 1);
  lua_settop(lua, 1);
  return 1;
}

int base_rawequal(lua_State* lua) {
  check_any(lua, 1);
  check_any(lua, 2);
  lua_pushboolean(lua, lua_rawequal(lua, 1, 2));
  return 1;
}

int base_rawget(lua_State* lua) {
  check_table(lua, 1);
  check_any(lua, 2);
  lua_settop(lua, 2);
  look_through_frozen(lua, 1);
  lua_rawget(lua, 1);
  return 1;
}

int base_rawset(lua_State* lua) {
  check_table(lua, 1);
  check_any(lua, 2);
  check_any(lua, 3);
  lua_settop(lua, 3);
  check_not_frozen(lua, 1);
  if (lua_isnil(lua, 2)) raise_plain(lua, "table index is nil");
  lua_rawset(lua, 1);
  return 1;
}

void float_key(lua_State* lua, int index) {
  if (lua_isinteger(lua, index) == 0) return;
  lua_pushnumber(lua, lua_tonumber(lua, index));
  lua_replace(lua, index < 0 ? index - 1 : index);
}

// lua_next() finds a whole number among the keys only as the integer it is stored as.
void integer_key(lua_State* lua, int index) {
  if (lua_type(lua, index) != LUA_TNUMBER || lua_isinteger(lua, index) != 0) return;
  int is_whole = 0;
  const lua_Integer key = lua_tointegerx(lua, index, &is_whole);
  if (is_whole == 0) return;
  lua_pushinteger(lua, key);
  lua_replace(lua, index);
}

int base_next(lua_State* lua) {
  if (lua_type(lua, 1) != LUA_TTABLE) check_table(lua, 1);
  lua_settop(lua, 2);
  look_through_frozen(lua, 1);
  integer_key(lua, 2);
  if (lua_next(lua, 1) == 0) {
    lua_pushnil(lua);
    return 1;
  }
  float_key(lua, -2);
  return 2;
}

int base_pairs(lua_State* lua) {
  check_table(lua, 1);
  lua_pushcfunction(lua, base_next);
  lua_pushvalue(lua, 1);
  lua_pushnil(lua);
  return 3;
}

int ipairs_step(lua_State* lua) {
  const lua_Integer index = static_cast<std::int32_t>(check_integer(lua, 2)) + lua_Integer{1};
  check_table(lua, 1);
  lua_pushnumber(lua, static_cast<double>(index));
  if (lua_rawgeti(lua, 1, index) == LUA_TNIL) return 0;
  return 2;
}

int base_ipairs(lua_State* lua) {
  check_table(lua, 1);
  lua_pushcfunction(lua, ipairs_step);
  lua_pushvalue(lua, 1);
  lua_pushnumber(lua, 0);
  return 3;
}

int base_select(lua_State* lua) {
  const int top = lua_gettop(lua);
  if (lua_type(lua, 1) == LUA_TSTRING && text_at(lua, 1).starts_with('#')) {
    lua_pushnumber(lua, top - 1);
    return 1;
  }
  auto from = static_cast<int>(check_integer(lua, 1));
  if (from < 0)
    from = top + from;
  else if (from > top)
    from = top;
  if (from < 1) raise_argument(lua, 1, "index out of range");
  return top - from;
}

int number_in_base(lua_State* lua, int base) {
  check_text(lua, 1);
  const char* text = lua_tostring(lua, 1);
  if (base < 2 || base > 36) raise_argument(lua, 2, "base out of range");
  char* end = nullptr;
  const unsigned long value = std::strtoul(text, &end, base);
  if (end != text) {
    while (std::isspace(static_cast<unsigned char>(*end)) != 0) ++end;
    if (*end == '\0') {
      lua_pushnumber(lua, static_cast<double>(value));
      return 1;
    }
  }
  lua_pushnil(lua);
  return 1;
}

int base_tonumber(lua_State* lua) {
  if (lua_isnoneornil(lua, 2)) {
    check_any(lua, 1);
    const auto number = number_at(lua, 1);
    if (number)
      lua_pushnumber(lua, *number);
    else
      lua_pushnil(lua);
    return 1;
  }
  const auto base = static_cast<int>(check_integer(lua, 2));
  if (base != 10) return number_in_base(lua, base);
  check_any(lua, 1);
  const auto number = number_at(lua, 1);
  if (number)
    lua_pushnumber(lua, *number);
  else
    lua_pushnil(lua);
  return 1;
}

int base_tostring(lua_State* lua) {
  check_any(lua, 1);
  if (luaL_getmetafield(lua, 1, "__tostring") != LUA_TNIL) {
    lua_pushvalue(lua, 1);
    lua_call(lua, 1, 1);
    return 1;
  }
  switch (lua_type(lua, 1)) {
    case LUA_TNUMBER:
    case LUA_TSTRING:
      lua_settop(lua, 1);
      make_text(lua, 1);
      break;
    case LUA_TBOOLEAN:
      lua_pushstring(lua, lua_toboolean(lua, 1) != 0 ? "true" : "false");
      break;
    case LUA_TNIL:
      lua_pushliteral(lua, "nil");
      break;
    default: {
      char text[64];
      const void* pointer = lua_topointer(lua, 1);
      if (pointer == nullptr)
        std::snprintf(text, sizeof text, "%s: (nil)", "userdata");
      else
        std::snprintf(text, sizeof text, "%s: %p", luaL_typename(lua, 1), pointer);
      lua_pushstring(lua, text);
    }
  }
  return 1;
}

int base_type(lua_State* lua) {
  check_any(lua, 1);
  lua_pushstring(lua, luaL_typename(lua, 1));
  return 1;
}

int base_unpack(lua_State* lua) {
  constexpr std::int64_t results_max = 8000;  // 5.1's C stack
  check_table(lua, 1);
  const auto first = static_cast<std::int32_t>(integer_or(lua, 2, 1));
  const auto last = lua_isnoneornil(lua, 3)
                        ? static_cast<std::int64_t>(lua_rawlen(lua, 1))
                        : std::int64_t{static_cast<std::int32_t>(check_integer(lua, 3))};
  if (first > last) return 0;
  const std::int64_t count = last - first + 1;
  if (count > results_max - lua_gettop(lua) || lua_checkstack(lua, static_cast<int>(count)) == 0)
    raise_at_caller(lua, "too many results to unpack");
  for (std::int64_t i = first; i <= last; ++i) lua_rawgeti(lua, 1, i);
  return static_cast<int>(count);
}

int base_gcinfo(lua_State* lua) {
  lua_pushnumber(lua, lua_gc(lua, LUA_GCCOUNT));
  return 1;
}

// The collector is the engine's to tune: scripts get the answers, not the effects.
int base_collectgarbage(lua_State* lua) {
  const std::string_view option = text_or(lua, 1, "collect");
  integer_or(lua, 2, 0);
  if (option == "collect") {
    lua_gc(lua, LUA_GCCOLLECT);
    lua_pushnumber(lua, 0);
  } else if (option == "count") {
    lua_pushnumber(lua, lua_gc(lua, LUA_GCCOUNT) + lua_gc(lua, LUA_GCCOUNTB) / 1024.0);
  } else if (option == "step") {
    lua_gc(lua, LUA_GCSTEP, 0);
    lua_pushboolean(lua, 0);
  } else if (option == "stop" || option == "restart") {
    lua_pushnumber(lua, 0);
  } else if (option == "setpause" || option == "setstepmul") {
    lua_pushnumber(lua, 200);
  } else {
    raise_argument(lua, 1, "invalid option '" + std::string(option) + "'");
  }
  return 1;
}

int redis_error_handler(lua_State* lua) {
  lua_settop(lua, 1);
  describe_error(lua);
  return 1;
}

}  // namespace

void add_base_functions(lua_State* lua) {
  constexpr luaL_Reg functions[] = {{"assert", base_assert},
                                    {"collectgarbage", base_collectgarbage},
                                    {"error", base_error},
                                    {"gcinfo", base_gcinfo},
                                    {"getmetatable", base_getmetatable},
                                    {"ipairs", base_ipairs},
                                    {"next", base_next},
                                    {"pairs", base_pairs},
                                    {"pcall", base_pcall},
                                    {"rawequal", base_rawequal},
                                    {"rawget", base_rawget},
                                    {"rawset", base_rawset},
                                    {"select", base_select},
                                    {"setmetatable", base_setmetatable},
                                    {"tonumber", base_tonumber},
                                    {"tostring", base_tostring},
                                    {"type", base_type},
                                    {"unpack", base_unpack},
                                    {"xpcall", base_xpcall},
                                    {"__redis__err__handler", redis_error_handler},
                                    {nullptr, nullptr}};
  add_functions(lua, functions);
  lua_pushliteral(lua, "Lua 5.1");
  lua_setfield(lua, -2, "_VERSION");
}

}  // namespace scripting
