// coroutine.* of 5.1, such that a killed script dies through them.
#include "scripting/lua_arguments.hpp"
#include "scripting/sandbox.hpp"
#include "scripting/script_context.hpp"
#include "scripting/script_errors.hpp"

namespace scripting {
namespace {

lua_State* checked_coroutine(lua_State* lua) {
  lua_State* co = lua_tothread(lua, 1);
  if (co == nullptr) raise_argument(lua, 1, "coroutine expected");
  return co;
}

const char* status_of(lua_State* lua, lua_State* co) {
  if (lua == co) return "running";
  switch (lua_status(co)) {
    case LUA_YIELD:
      return "suspended";
    case LUA_OK: {
      lua_Debug call;
      if (lua_getstack(co, 0, &call) != 0) return "normal";
      return lua_gettop(co) == 0 ? "dead" : "suspended";
    }
    default:
      return "dead";
  }
}

// The number of results on L's stack, or -1 with the error there.
int resume(lua_State* lua, lua_State* co, int arguments) {
  const std::string_view status = status_of(lua, co);
  if (status != "suspended") {
    push_text(lua, "cannot resume " + std::string(status) + " coroutine");
    return -1;
  }
  if (lua_checkstack(co, arguments) == 0) {
    lua_pushliteral(lua, "too many arguments to resume");
    return -1;
  }
  lua_xmove(lua, co, arguments);
  int results = 0;
  const int outcome = lua_resume(co, lua, arguments, &results);
  if (outcome == LUA_OK || outcome == LUA_YIELD) {
    if (lua_checkstack(lua, results + 1) == 0) {
      lua_pop(co, results);
      lua_pushliteral(lua, "too many results to resume");
      return -1;
    }
    lua_xmove(co, lua, results);
    return results;
  }
  lua_xmove(co, lua, 1);
  rethrow_if_killed(lua);
  word_error_as_5_1(lua);
  return -1;
}

int coroutine_resume(lua_State* lua) {
  lua_State* co = checked_coroutine(lua);
  const int results = resume(lua, co, lua_gettop(lua) - 1);
  lua_pushboolean(lua, results >= 0 ? 1 : 0);
  if (results < 0) {
    lua_insert(lua, -2);
    return 2;
  }
  lua_insert(lua, -(results + 1));
  return results + 1;
}

int resume_wrapped(lua_State* lua) {
  lua_State* co = lua_tothread(lua, lua_upvalueindex(1));
  const int results = resume(lua, co, lua_gettop(lua));
  if (results >= 0) return results;
  if (lua_type(lua, -1) == LUA_TSTRING) {
    luaL_where(lua, 1);
    lua_insert(lua, -2);
    lua_concat(lua, 2);
  }
  return lua_error(lua);
}

int coroutine_create(lua_State* lua) {
  if (lua_type(lua, 1) != LUA_TFUNCTION || lua_iscfunction(lua, 1) != 0)
    raise_argument(lua, 1, "Lua function expected");
  lua_State* co = lua_newthread(lua);
  lua_pushvalue(lua, 1);
  lua_xmove(lua, co, 1);
  return 1;
}

int coroutine_wrap(lua_State* lua) {
  coroutine_create(lua);
  lua_pushcclosure(lua, resume_wrapped, 1);
  return 1;
}

int coroutine_yield(lua_State* lua) {
  return lua_yield(lua, lua_gettop(lua));
}

int coroutine_status(lua_State* lua) {
  lua_pushstring(lua, status_of(lua, checked_coroutine(lua)));
  return 1;
}

int coroutine_running(lua_State* lua) {
  if (lua_pushthread(lua) != 0) lua_pushnil(lua);
  return 1;
}

}  // namespace

void open_coroutine(lua_State* lua) {
  constexpr luaL_Reg functions[] = {{"create", coroutine_create},
                                    {"resume", coroutine_resume},
                                    {"running", coroutine_running},
                                    {"status", coroutine_status},
                                    {"wrap", coroutine_wrap},
                                    {"yield", coroutine_yield},
                                    {nullptr, nullptr}};
  lua_createtable(lua, 0, 6);
  add_functions(lua, functions);
}

}  // namespace scripting
