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

int raise_read_only(lua_State* L) {
  raise_at_caller(L, read_only_text);
}

int raise_no_global(lua_State* L) {
  const std::string name(text_at(L, 2).data() == nullptr ? std::string_view("?") : text_at(L, 2));
  raise_at_caller(L, "Script attempted to access nonexistent global variable '" + name + "'");
}

bool push_real_table(lua_State* L, int index) {
  if (lua_getmetatable(L, index) == 0) return false;
  if (lua_rawgetp(L, -1, &frozen_key) == LUA_TTABLE) {
    lua_remove(L, -2);
    return true;
  }
  lua_pop(L, 2);
  return false;
}

// The table on top is replaced by its proxy.
void freeze(lua_State* L) {
  lua_createtable(L, 0, 0);
  lua_createtable(L, 0, 3);
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, "__index");
  lua_pushcfunction(L, raise_read_only);
  lua_setfield(L, -2, "__newindex");
  lua_pushvalue(L, -3);
  lua_rawsetp(L, -2, &frozen_key);
  lua_setmetatable(L, -2);
  lua_remove(L, -2);
}

// prelude[name] = value on top
void set_prelude(lua_State* L, const std::string& name) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &prelude_key);
  lua_insert(L, -2);
  lua_setfield(L, -2, name.c_str());
  lua_pop(L, 1);
}

// The library on top becomes the global `name`; its fields become builtins.
void add_library(lua_State* L, const std::string& name, BuiltinNames& builtins) {
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    const std::string full = name + "." + std::string(text_at(L, -2));
    builtins.insert(full);
    set_prelude(L, full);
  }
  freeze(L);
  lua_pushglobaltable(L);
  lua_insert(L, -2);
  lua_setfield(L, -2, name.c_str());
  lua_pop(L, 1);
}

void add_globals(lua_State* L, BuiltinNames& builtins) {
  lua_pushglobaltable(L);
  add_base_functions(L);
  add_chunk_functions(L);
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    if (lua_type(L, -1) != LUA_TFUNCTION) {
      lua_pop(L, 1);
      continue;
    }
    const std::string name(text_at(L, -2));
    builtins.insert(name);
    set_prelude(L, name);
  }
  lua_pop(L, 1);
}

void add_runtime(lua_State* L) {
  lua_createtable(L, 0, 16);
  add_dialect_functions(L);
  lua_pushnil(L);
  while (lua_next(L, -2) != 0) {
    const std::string name(text_at(L, -2));
    set_prelude(L, name);
  }
  lua_pop(L, 1);
}

// {__index = value on top}, frozen: what getmetatable shows.
void show_metatable(lua_State* L) {
  lua_createtable(L, 0, 1);
  lua_insert(L, -2);
  lua_setfield(L, -2, "__index");
  freeze(L);
}

void give_text_its_metatable(lua_State* L) {
  lua_pushliteral(L, "");
  lua_createtable(L, 0, 9);
  lua_getglobal(L, "string");
  push_real_table(L, -1);
  lua_remove(L, -2);
  lua_setfield(L, -2, "__index");
  add_text_arithmetic(L);
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
  lua_getglobal(L, "string");
  show_metatable(L);
  set_prelude(L, "L51_metatable_of_text");
}

void freeze_globals(lua_State* L) {
  lua_pushglobaltable(L);
  lua_pushvalue(L, -1);
  freeze(L);
  lua_pushvalue(L, -1);
  lua_setfield(L, -3, "_G");

  lua_createtable(L, 0, 1);  // frozen table → what its metatable is said to be
  lua_pushvalue(L, -2);
  lua_pushcfunction(L, raise_no_global);
  show_metatable(L);
  lua_rawset(L, -3);
  set_prelude(L, "L51_metatable_of_frozen");
  set_prelude(L, "L51_globals");

  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, raise_no_global);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
}

}  // namespace

bool is_frozen(lua_State* L, int index) {
  if (!push_real_table(L, index)) return false;
  lua_pop(L, 1);
  return true;
}

void look_through_frozen(lua_State* L, int index) {
  if (push_real_table(L, index)) lua_replace(L, index);
}

void check_not_frozen(lua_State* L, int index) {
  if (is_frozen(L, index)) raise_plain(L, read_only_text);
}

void push_prelude_value(lua_State* L, std::string_view name) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, &prelude_key);
  push_text(L, name);
  lua_rawget(L, -2);
  lua_remove(L, -2);
}

BuiltinNames build_sandbox(lua_State* L) {
  BuiltinNames builtins;
  lua_createtable(L, 0, 200);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &prelude_key);
  add_globals(L, builtins);
  struct Library {
    const char* name;
    void (*open)(lua_State*);
  };
  constexpr Library libraries[] = {
      {"string", open_string}, {"table", open_table},       {"math", open_math},
      {"bit", open_bit},       {"struct", open_struct},     {"coroutine", open_coroutine},
      {"cjson", open_cjson},   {"cmsgpack", open_cmsgpack}, {"redis", open_redis}};
  for (const Library& library : libraries) {
    library.open(L);
    add_library(L, library.name, builtins);
  }
  add_runtime(L);
  give_text_its_metatable(L);
  freeze_globals(L);
  lua_settop(L, 0);
  return builtins;
}

}  // namespace scripting
