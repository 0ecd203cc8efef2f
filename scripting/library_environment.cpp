#include "scripting/library_environment.hpp"

#include "scripting/lua_arguments.hpp"
#include "scripting/sandbox.hpp"

#include <string_view>

namespace scripting {
namespace {

// Addresses are the keys.
constexpr char loading_key = 0;
constexpr char function_key = 0;

constexpr std::string_view not_for_functions[] = {"replicate_commands", "breakpoint", "debug"};

// Pushes a copy of the table on top.
void push_copy(lua_State* lua) {
  lua_createtable(lua, 0, 40);
  lua_pushnil(lua);
  while (lua_next(lua, -3) != 0) {
    lua_pushvalue(lua, -2);
    lua_insert(lua, -2);
    lua_rawset(lua, -4);
  }
}

void build_loading_environment(lua_State* lua) {
  lua_createtable(lua, 0, 1);
  lua_createtable(lua, 0, 8);
  add_log_functions(lua);
  lua_pushcfunction(lua, register_function);
  lua_setfield(lua, -2, "register_function");
  refuse_missing(lua);
  freeze(lua);
  lua_setfield(lua, -2, "redis");
  refuse_missing(lua);
}

void build_function_environment(lua_State* lua) {
  lua_pushglobaltable(lua);
  push_copy(lua);
  lua_remove(lua, -2);
  lua_pushnil(lua);
  lua_setfield(lua, -2, "__redis__err__handler");  // of scripts alone, as in Redis
  lua_getfield(lua, -1, "redis");
  look_through_frozen(lua, lua_gettop(lua));
  push_copy(lua);
  lua_remove(lua, -2);
  for (const std::string_view name : not_for_functions) {
    push_text(lua, name);
    lua_pushnil(lua);
    lua_rawset(lua, -3);
  }
  freeze(lua);
  lua_setfield(lua, -2, "redis");
  lua_pushvalue(lua, -1);
  freeze(lua);
  lua_setfield(lua, -2, "_G");
  refuse_missing(lua);
}

void push_built(lua_State* lua, const char* key, void (*build)(lua_State*)) {
  if (lua_rawgetp(lua, LUA_REGISTRYINDEX, key) == LUA_TTABLE) return;
  lua_pop(lua, 1);
  build(lua);
  lua_pushvalue(lua, -1);
  lua_rawsetp(lua, LUA_REGISTRYINDEX, key);
}

}  // namespace

void push_loading_environment(lua_State* lua) {
  push_built(lua, &loading_key, build_loading_environment);
}

void push_function_environment(lua_State* lua) {
  push_built(lua, &function_key, build_function_environment);
}

}  // namespace scripting
