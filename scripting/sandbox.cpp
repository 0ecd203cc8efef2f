// What is in the state and what is not. Left out, as in Redis: io, os, package, require, debug,
// dofile, loadfile, print, getfenv, setfenv, newproxy (a script must reach no file, no process, no
// other script's state). string.dump exists and always fails: bytecode can break the interpreter.
// Everything that is shared between scripts is frozen: scripts see empty proxies whose reads go to
// the real table and whose writes raise.
#include "scripting/sandbox.hpp"

#include "scripting/lua_arguments.hpp"

#include <string>

namespace scripting {
namespace {

// Addresses are the keys.
constexpr char prelude_key = 0;
constexpr char frozen_key = 0;

constexpr const char* read_only_text = "Attempt to modify a readonly table";

int raise_read_only(lua_State* lua) {
  raise_at_caller(lua, read_only_text);
}

int raise_no_global(lua_State* lua) {
  const std::string name(text_at(lua, 2).data() == nullptr ? std::string_view("?")
                                                           : text_at(lua, 2));
  raise_at_caller(lua, "Script attempted to access nonexistent global variable '" + name + "'");
}

bool push_real_table(lua_State* lua, int index) {
  if (lua_getmetatable(lua, index) == 0) return false;
  if (lua_rawgetp(lua, -1, &frozen_key) == LUA_TTABLE) {
    lua_remove(lua, -2);
    return true;
  }
  lua_pop(lua, 2);
  return false;
}

// prelude[name] = value on top
void set_prelude(lua_State* lua, const std::string& name) {
  lua_rawgetp(lua, LUA_REGISTRYINDEX, &prelude_key);
  lua_insert(lua, -2);
  lua_setfield(lua, -2, name.c_str());
  lua_pop(lua, 1);
}

// The library on top becomes the global `name`; its fields become builtins.
void add_library(lua_State* lua, const std::string& name, BuiltinNames& builtins) {
  lua_pushnil(lua);
  while (lua_next(lua, -2) != 0) {
    const std::string full = name + "." + std::string(text_at(lua, -2));
    builtins.insert(full);
    set_prelude(lua, full);
  }
  freeze(lua);
  lua_pushglobaltable(lua);
  lua_insert(lua, -2);
  lua_setfield(lua, -2, name.c_str());
  lua_pop(lua, 1);
}

void add_globals(lua_State* lua, BuiltinNames& builtins) {
  lua_pushglobaltable(lua);
  add_base_functions(lua);
  add_chunk_functions(lua);
  lua_pushnil(lua);
  while (lua_next(lua, -2) != 0) {
    if (lua_type(lua, -1) != LUA_TFUNCTION) {
      lua_pop(lua, 1);
      continue;
    }
    const std::string name(text_at(lua, -2));
    builtins.insert(name);
    set_prelude(lua, name);
  }
  lua_pop(lua, 1);
}

void add_runtime(lua_State* lua) {
  lua_createtable(lua, 0, 16);
  add_dialect_functions(lua);
  lua_pushnil(lua);
  while (lua_next(lua, -2) != 0) {
    const std::string name(text_at(lua, -2));
    set_prelude(lua, name);
  }
  lua_pop(lua, 1);
}

// {__index = value on top}, frozen: what getmetatable shows.
void show_metatable(lua_State* lua) {
  lua_createtable(lua, 0, 1);
  lua_insert(lua, -2);
  lua_setfield(lua, -2, "__index");
  freeze(lua);
}

void give_text_its_metatable(lua_State* lua) {
  lua_pushliteral(lua, "");
  lua_createtable(lua, 0, 9);
  lua_getglobal(lua, "string");
  push_real_table(lua, -1);
  lua_remove(lua, -2);
  lua_setfield(lua, -2, "__index");
  add_text_arithmetic(lua);
  lua_setmetatable(lua, -2);
  lua_pop(lua, 1);
  lua_getglobal(lua, "string");
  show_metatable(lua);
  set_prelude(lua, "L51_metatable_of_text");
}

void freeze_globals(lua_State* lua) {
  lua_pushglobaltable(lua);
  lua_pushvalue(lua, -1);
  freeze(lua);
  lua_pushvalue(lua, -1);
  lua_setfield(lua, -3, "_G");

  lua_createtable(lua, 0, 1);  // frozen table → what its metatable is said to be
  lua_pushvalue(lua, -2);
  lua_pushcfunction(lua, raise_no_global);
  show_metatable(lua);
  lua_rawset(lua, -3);
  set_prelude(lua, "L51_metatable_of_frozen");
  set_prelude(lua, "L51_globals");

  refuse_missing(lua);
  lua_pop(lua, 1);
}

}  // namespace

void freeze(lua_State* lua) {
  lua_createtable(lua, 0, 0);
  lua_createtable(lua, 0, 3);
  lua_pushvalue(lua, -3);
  lua_setfield(lua, -2, "__index");
  lua_pushcfunction(lua, raise_read_only);
  lua_setfield(lua, -2, "__newindex");
  lua_pushvalue(lua, -3);
  lua_rawsetp(lua, -2, &frozen_key);
  lua_setmetatable(lua, -2);
  lua_remove(lua, -2);
}

void refuse_missing(lua_State* lua) {
  lua_createtable(lua, 0, 1);
  lua_pushcfunction(lua, raise_no_global);
  lua_setfield(lua, -2, "__index");
  lua_setmetatable(lua, -2);
}

bool is_frozen(lua_State* lua, int index) {
  if (!push_real_table(lua, index)) return false;
  lua_pop(lua, 1);
  return true;
}

void look_through_frozen(lua_State* lua, int index) {
  if (push_real_table(lua, index)) lua_replace(lua, index);
}

void check_not_frozen(lua_State* lua, int index) {
  if (is_frozen(lua, index)) raise_plain(lua, read_only_text);
}

void push_prelude_value(lua_State* lua, std::string_view name) {
  lua_rawgetp(lua, LUA_REGISTRYINDEX, &prelude_key);
  push_text(lua, name);
  lua_rawget(lua, -2);
  lua_remove(lua, -2);
}

BuiltinNames build_sandbox(lua_State* lua) {
  BuiltinNames builtins;
  lua_createtable(lua, 0, 200);
  lua_rawsetp(lua, LUA_REGISTRYINDEX, &prelude_key);
  add_globals(lua, builtins);
  struct Library {
    const char* name;
    void (*open)(lua_State*);
  };
  constexpr Library libraries[] = {
      {"string", open_string}, {"table", open_table},       {"math", open_math},
      {"bit", open_bit},       {"struct", open_struct},     {"coroutine", open_coroutine},
      {"cjson", open_cjson},   {"cmsgpack", open_cmsgpack}, {"redis", open_redis}};
  for (const Library& library : libraries) {
    library.open(lua);
    add_library(lua, library.name, builtins);
  }
  add_runtime(lua);
  give_text_its_metatable(lua);
  freeze_globals(lua);
  lua_settop(lua, 0);
  return builtins;
}

}  // namespace scripting
