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

int base_assert(lua_State* L) {
  check_any(L, 1);
  if (lua_toboolean(L, 1) == 0) raise_at_caller(L, std::string(text_or(L, 2, "assertion failed!")));
  return lua_gettop(L);
}

int base_error(lua_State* L) {
  const auto level = static_cast<int>(integer_or(L, 2, 1));
  lua_settop(L, 1);
  if (level > 0 && make_text(L, 1)) {
    luaL_where(L, level);
    lua_pushvalue(L, 1);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

// Redis' pcall: of an error table with a field `err` the script sees only that.
int base_pcall(lua_State* L) {
  if (lua_gettop(L) == 0) lua_pushboolean(L, 1);
  const int status = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
  if (status == LUA_OK) {
    lua_pushboolean(L, 1);
    lua_insert(L, 1);
    return lua_gettop(L);
  }
  rethrow_if_killed(L);
  word_error_as_5_1(L);
  if (lua_istable(L, -1)) {
    lua_pushliteral(L, "err");
    if (lua_rawget(L, -2) == LUA_TNIL) lua_pop(L, 1);
  }
  lua_pushboolean(L, 0);
  lua_insert(L, -2);
  return 2;
}

int handle_error(lua_State* L) {
  if (ScriptContext::of(L).is_killed) return 1;
  word_error_as_5_1(L);
  lua_pushvalue(L, lua_upvalueindex(1));
  lua_insert(L, 1);
  lua_call(L, 1, 1);
  return 1;
}

int base_xpcall(lua_State* L) {
  check_any(L, 2);
  lua_settop(L, 2);
  lua_pushcclosure(L, handle_error, 1);  // the handler was at 2
  lua_insert(L, 1);
  const int status = lua_pcall(L, 0, LUA_MULTRET, 1);
  rethrow_if_killed(L);
  lua_remove(L, 1);
  if (status == LUA_ERRERR) {
    lua_settop(L, 0);
    lua_pushliteral(L, "error in error handling");
  }
  lua_pushboolean(L, status == LUA_OK ? 1 : 0);
  lua_insert(L, 1);
  return lua_gettop(L);
}

int base_getmetatable(lua_State* L) {
  check_any(L, 1);
  if (is_frozen(L, 1)) {
    push_prelude_value(L, "L51_metatable_of_frozen");
    lua_pushvalue(L, 1);
    lua_rawget(L, -2);
    return 1;
  }
  if (lua_type(L, 1) == LUA_TSTRING) {
    push_prelude_value(L, "L51_metatable_of_text");
    return 1;
  }
  if (lua_getmetatable(L, 1) == 0) {
    lua_pushnil(L);
    return 1;
  }
  luaL_getmetafield(L, 1, "__metatable");
  return 1;
}

// Lua 5.4 runs a table's __gc; 5.1 does not. It is decided when the metatable is set.
void set_metatable_without_finalizer(lua_State* L) {
  lua_pushliteral(L, "__gc");
  if (lua_rawget(L, 2) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_setmetatable(L, 1);
    return;
  }
  lua_pushliteral(L, "__gc");
  lua_pushnil(L);
  lua_rawset(L, 2);
  lua_pushvalue(L, 2);
  lua_setmetatable(L, 1);
  lua_pushliteral(L, "__gc");
  lua_insert(L, -2);
  lua_rawset(L, 2);
}

int base_setmetatable(lua_State* L) {
  const int type = lua_type(L, 2);
  check_table(L, 1);
  if (type != LUA_TNIL && type != LUA_TTABLE) raise_argument(L, 2, "nil or table expected");
  if (is_frozen(L, 1)) check_not_frozen(L, 1);
  if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL)
    raise_at_caller(L, "cannot change a protected metatable");
  lua_settop(L, 2);
  if (type == LUA_TTABLE)
    set_metatable_without_finalizer(L);
  else
    lua_setmetatable(L, 1);
  lua_settop(L, 1);
  return 1;
}

int base_rawequal(lua_State* L) {
  check_any(L, 1);
  check_any(L, 2);
  lua_pushboolean(L, lua_rawequal(L, 1, 2));
  return 1;
}

int base_rawget(lua_State* L) {
  check_table(L, 1);
  check_any(L, 2);
  lua_settop(L, 2);
  look_through_frozen(L, 1);
  lua_rawget(L, 1);
  return 1;
}

int base_rawset(lua_State* L) {
  check_table(L, 1);
  check_any(L, 2);
  check_any(L, 3);
  lua_settop(L, 3);
  check_not_frozen(L, 1);
  if (lua_isnil(L, 2)) raise_plain(L, "table index is nil");
  lua_rawset(L, 1);
  return 1;
}

void float_key(lua_State* L, int index) {
  if (lua_isinteger(L, index) == 0) return;
  lua_pushnumber(L, lua_tonumber(L, index));
  lua_replace(L, index < 0 ? index - 1 : index);
}

// lua_next() finds a whole number among the keys only as the integer it is stored as.
void integer_key(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TNUMBER || lua_isinteger(L, index) != 0) return;
  int is_whole = 0;
  const lua_Integer key = lua_tointegerx(L, index, &is_whole);
  if (is_whole == 0) return;
  lua_pushinteger(L, key);
  lua_replace(L, index);
}

int base_next(lua_State* L) {
  if (lua_type(L, 1) != LUA_TTABLE) check_table(L, 1);
  lua_settop(L, 2);
  look_through_frozen(L, 1);
  integer_key(L, 2);
  if (lua_next(L, 1) == 0) {
    lua_pushnil(L);
    return 1;
  }
  float_key(L, -2);
  return 2;
}

int base_pairs(lua_State* L) {
  check_table(L, 1);
  lua_pushcfunction(L, base_next);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

int ipairs_step(lua_State* L) {
  const auto index = static_cast<lua_Integer>(lua_tonumber(L, 2)) + 1;
  check_table(L, 1);
  lua_pushnumber(L, static_cast<double>(index));
  if (lua_rawgeti(L, 1, index) == LUA_TNIL) return 0;
  return 2;
}

int base_ipairs(lua_State* L) {
  check_table(L, 1);
  lua_pushcfunction(L, ipairs_step);
  lua_pushvalue(L, 1);
  lua_pushnumber(L, 0);
  return 3;
}

int base_select(lua_State* L) {
  const int top = lua_gettop(L);
  if (lua_type(L, 1) == LUA_TSTRING && text_at(L, 1).starts_with('#')) {
    lua_pushnumber(L, top - 1);
    return 1;
  }
  auto from = static_cast<int>(check_integer(L, 1));
  if (from < 0)
    from = top + from;
  else if (from > top)
    from = top;
  if (from < 1) raise_argument(L, 1, "index out of range");
  return top - from;
}

int number_in_base(lua_State* L, int base) {
  const std::string_view text = check_text(L, 1);
  if (base < 2 || base > 36) raise_argument(L, 2, "base out of range");
  char* end = nullptr;
  const unsigned long value = std::strtoul(text.data(), &end, base);
  if (end != text.data()) {
    while (std::isspace(static_cast<unsigned char>(*end)) != 0) ++end;
    if (*end == '\0') {
      lua_pushnumber(L, static_cast<double>(value));
      return 1;
    }
  }
  lua_pushnil(L);
  return 1;
}

int base_tonumber(lua_State* L) {
  if (lua_isnoneornil(L, 2)) {
    check_any(L, 1);
    const auto number = number_at(L, 1);
    if (number)
      lua_pushnumber(L, *number);
    else
      lua_pushnil(L);
    return 1;
  }
  const auto base = static_cast<int>(check_integer(L, 2));
  if (base != 10) return number_in_base(L, base);
  check_any(L, 1);
  const auto number = number_at(L, 1);
  if (number)
    lua_pushnumber(L, *number);
  else
    lua_pushnil(L);
  return 1;
}

int base_tostring(lua_State* L) {
  check_any(L, 1);
  if (luaL_getmetafield(L, 1, "__tostring") != LUA_TNIL) {
    lua_pushvalue(L, 1);
    lua_call(L, 1, 1);
    return 1;
  }
  switch (lua_type(L, 1)) {
    case LUA_TNUMBER:
    case LUA_TSTRING:
      lua_settop(L, 1);
      make_text(L, 1);
      break;
    case LUA_TBOOLEAN:
      lua_pushstring(L, lua_toboolean(L, 1) != 0 ? "true" : "false");
      break;
    case LUA_TNIL:
      lua_pushliteral(L, "nil");
      break;
    default: {
      char text[64];
      const void* pointer = lua_topointer(L, 1);
      if (pointer == nullptr)
        std::snprintf(text, sizeof text, "%s: (nil)", "userdata");
      else
        std::snprintf(text, sizeof text, "%s: %p", luaL_typename(L, 1), pointer);
      lua_pushstring(L, text);
    }
  }
  return 1;
}

int base_type(lua_State* L) {
  check_any(L, 1);
  lua_pushstring(L, luaL_typename(L, 1));
  return 1;
}

int base_unpack(lua_State* L) {
  constexpr std::int64_t results_max = 7999;  // 5.1's C stack
  check_table(L, 1);
  const auto first = static_cast<std::int32_t>(integer_or(L, 2, 1));
  const auto last = lua_isnoneornil(L, 3)
                        ? static_cast<std::int64_t>(lua_rawlen(L, 1))
                        : std::int64_t{static_cast<std::int32_t>(check_integer(L, 3))};
  if (first > last) return 0;
  const std::int64_t count = last - first + 1;
  if (count > results_max - lua_gettop(L) || lua_checkstack(L, static_cast<int>(count)) == 0)
    raise_at_caller(L, "too many results to unpack");
  for (std::int64_t i = first; i <= last; ++i) lua_rawgeti(L, 1, i);
  return static_cast<int>(count);
}

int base_gcinfo(lua_State* L) {
  lua_pushnumber(L, lua_gc(L, LUA_GCCOUNT));
  return 1;
}

// The collector is the engine's to tune: scripts get the answers, not the effects.
int base_collectgarbage(lua_State* L) {
  const std::string_view option = text_or(L, 1, "collect");
  integer_or(L, 2, 0);
  if (option == "collect") {
    lua_gc(L, LUA_GCCOLLECT);
    lua_pushnumber(L, 0);
  } else if (option == "count") {
    lua_pushnumber(L, lua_gc(L, LUA_GCCOUNT) + lua_gc(L, LUA_GCCOUNTB) / 1024.0);
  } else if (option == "step") {
    lua_gc(L, LUA_GCSTEP, 0);
    lua_pushboolean(L, 0);
  } else if (option == "stop" || option == "restart") {
    lua_pushnumber(L, 0);
  } else if (option == "setpause" || option == "setstepmul") {
    lua_pushnumber(L, 200);
  } else {
    raise_argument(L, 1, "invalid option '" + std::string(option) + "'");
  }
  return 1;
}

int redis_error_handler(lua_State* L) {
  lua_settop(L, 1);
  describe_error(L);
  return 1;
}

}  // namespace

void add_base_functions(lua_State* L) {
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
  add_functions(L, functions);
  lua_pushliteral(L, "Lua 5.1");
  lua_setfield(L, -2, "_VERSION");
}

}  // namespace scripting
