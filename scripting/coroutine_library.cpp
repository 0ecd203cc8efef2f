// coroutine.* of 5.1, such that a killed script dies through them.
#include "scripting/lua_arguments.hpp"
#include "scripting/sandbox.hpp"
#include "scripting/script_context.hpp"
#include "scripting/script_errors.hpp"

namespace scripting {
namespace {

lua_State* checked_coroutine(lua_State* L) {
  lua_State* co = lua_tothread(L, 1);
  if (co == nullptr) raise_argument(L, 1, "coroutine expected");
  return co;
}

const char* status_of(lua_State* L, lua_State* co) {
  if (L == co) return "running";
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
int resume(lua_State* L, lua_State* co, int arguments) {
  const std::string_view status = status_of(L, co);
  if (status != "suspended") {
    push_text(L, "cannot resume " + std::string(status) + " coroutine");
    return -1;
  }
  if (lua_checkstack(co, arguments) == 0) {
    lua_pushliteral(L, "too many arguments to resume");
    return -1;
  }
  lua_xmove(L, co, arguments);
  int results = 0;
  const int outcome = lua_resume(co, L, arguments, &results);
  if (outcome == LUA_OK || outcome == LUA_YIELD) {
    if (lua_checkstack(L, results + 1) == 0) {
      lua_pop(co, results);
      lua_pushliteral(L, "too many results to resume");
      return -1;
    }
    lua_xmove(co, L, results);
    return results;
  }
  lua_xmove(co, L, 1);
  rethrow_if_killed(L);
  word_error_as_5_1(L);
  return -1;
}

int coroutine_resume(lua_State* L) {
  lua_State* co = checked_coroutine(L);
  const int results = resume(L, co, lua_gettop(L) - 1);
  lua_pushboolean(L, results >= 0 ? 1 : 0);
  if (results < 0) {
    lua_insert(L, -2);
    return 2;
  }
  lua_insert(L, -(results + 1));
  return results + 1;
}

int resume_wrapped(lua_State* L) {
  lua_State* co = lua_tothread(L, lua_upvalueindex(1));
  const int results = resume(L, co, lua_gettop(L));
  if (results >= 0) return results;
  if (lua_type(L, -1) == LUA_TSTRING) {
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
  }
  return lua_error(L);
}

int coroutine_create(lua_State* L) {
  if (lua_type(L, 1) != LUA_TFUNCTION || lua_iscfunction(L, 1) != 0)
    raise_argument(L, 1, "Lua function expected");
  lua_State* co = lua_newthread(L);
  lua_pushvalue(L, 1);
  lua_xmove(L, co, 1);
  return 1;
}

int coroutine_wrap(lua_State* L) {
  coroutine_create(L);
  lua_pushcclosure(L, resume_wrapped, 1);
  return 1;
}

int coroutine_yield(lua_State* L) {
  return lua_yield(L, lua_gettop(L));
}

int coroutine_status(lua_State* L) {
  lua_pushstring(L, status_of(L, checked_coroutine(L)));
  return 1;
}

int coroutine_running(lua_State* L) {
  if (lua_pushthread(L) != 0) lua_pushnil(L);
  return 1;
}

}  // namespace

void open_coroutine(lua_State* L) {
  constexpr luaL_Reg functions[] = {{"create", coroutine_create},
                                    {"resume", coroutine_resume},
                                    {"running", coroutine_running},
                                    {"status", coroutine_status},
                                    {"wrap", coroutine_wrap},
                                    {"yield", coroutine_yield},
                                    {nullptr, nullptr}};
  lua_createtable(L, 0, 6);
  add_functions(L, functions);
}

}  // namespace scripting
