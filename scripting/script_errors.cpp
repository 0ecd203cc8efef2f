#include "scripting/script_errors.hpp"

#include "scripting/dialect.hpp"
#include "scripting/lua_arguments.hpp"
#include "scripting/script_context.hpp"

namespace scripting {

void word_error_as_5_1(lua_State* L) {
  if (lua_type(L, -1) != LUA_TSTRING) return;
  const std::string_view text = text_at(L, -1);
  if (text.find("attempt to ") == std::string_view::npos &&
      text.find("L51_") == std::string_view::npos)
    return;
  const std::string worded = message_of_5_1(text);
  lua_pop(L, 1);
  push_text(L, worded);
}

namespace {

void set_text_field(lua_State* L, const char* name, std::string_view text) {
  push_text(L, text);
  lua_setfield(L, -2, name);
}

// Of the table on top.
std::string line_of_error(lua_State* L, const lua_Debug& call) {
  const ScriptContext& context = ScriptContext::of(L);
  if (!context.moved_error.empty()) {
    lua_getfield(L, -1, "err");
    const bool is_moved =
        lua_type(L, -1) == LUA_TSTRING && text_at(L, -1) == "ERR " + context.moved_error;
    lua_pop(L, 1);
    if (is_moved) return context.moved_error_line;
  }
  return std::to_string(call.currentline);
}

// The innermost place in Lua code, at most two calls away, as Redis reports it.
void add_place(lua_State* L) {
  lua_Debug call;
  if (lua_getstack(L, 1, &call) == 0) return;
  lua_getinfo(L, "Sl", &call);
  if (call.what[0] == 'C') {
    if (lua_getstack(L, 2, &call) == 0) return;
    lua_getinfo(L, "Sl", &call);
  }
  if (call.currentline < 0) {
    set_text_field(L, "source", call.source);
    set_text_field(L, "line", "-1");
    return;
  }
  std::string source = call.source;
  const auto& chunks = ScriptContext::of(L).chunks;
  if (const auto known = chunks.find(source); known != chunks.end())
    source = known->second.given_name;
  set_text_field(L, "source", source);
  set_text_field(L, "line", line_of_error(L, call));
}

}  // namespace

void describe_error(lua_State* L) {
  word_error_as_5_1(L);
  if (!lua_istable(L, -1)) {
    std::string text = "ERR ";
    if (make_text(L, -1))
      text += text_at(L, -1);
    else
      text += luaL_typename(L, -1);
    lua_pop(L, 1);
    lua_createtable(L, 0, 3);
    set_text_field(L, "err", text);
  }
  add_place(L);
}

void push_error_table(lua_State* L, std::string_view text, ErrorStats stats) {
  lua_createtable(L, 0, 2);
  set_text_field(L, "err", text);
  if (stats == ErrorStats::counted) return;
  lua_pushboolean(L, 1);
  lua_setfield(L, -2, "ignore_error_stats_update");
}

void raise_redis_error(lua_State* L, std::string_view text) {
  push_error_table(L, "ERR " + std::string(text), ErrorStats::counted);
  lua_error(L);
  __builtin_unreachable();
}

}  // namespace scripting
