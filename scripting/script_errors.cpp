#include "scripting/script_errors.hpp"

#include "scripting/dialect.hpp"
#include "scripting/lua_arguments.hpp"
#include "scripting/script_context.hpp"

#include <algorithm>

namespace scripting {

void word_error_as_5_1(lua_State* lua) {
  if (lua_type(lua, -1) != LUA_TSTRING) return;
  const std::string_view text = text_at(lua, -1);
  if (text.find("attempt to ") == std::string_view::npos &&
      text.find("L51_") == std::string_view::npos && !text.ends_with("possible loop"))
    return;
  const std::string worded = message_of_5_1(text);
  lua_pop(lua, 1);
  push_text(lua, worded);
}

namespace {

void set_text_field(lua_State* lua, const char* name, std::string_view text) {
  push_text(lua, text);
  lua_setfield(lua, -2, name);
}

// Of the table on top.
std::string line_of_error(lua_State* lua, const lua_Debug& call) {
  const ScriptContext& context = ScriptContext::of(lua);
  if (!context.moved_error.empty()) {
    lua_getfield(lua, -1, "err");
    const bool is_moved =
        lua_type(lua, -1) == LUA_TSTRING && text_at(lua, -1) == "ERR " + context.moved_error;
    lua_pop(lua, 1);
    if (is_moved) return context.moved_error_line;
  }
  return std::to_string(call.currentline);
}

// The innermost place in Lua code, at most two calls away, as Redis reports it.
void add_place(lua_State* lua) {
  lua_Debug call;
  if (lua_getstack(lua, 1, &call) == 0) return;
  lua_getinfo(lua, "Sl", &call);
  if (call.what[0] == 'C') {
    if (lua_getstack(lua, 2, &call) == 0) return;
    lua_getinfo(lua, "Sl", &call);
  }
  if (call.currentline < 0) {
    set_text_field(lua, "source", call.source);
    set_text_field(lua, "line", "-1");
    return;
  }
  std::string source = call.source;
  const auto& chunks = ScriptContext::of(lua).chunks;
  if (const auto known = chunks.find(source); known != chunks.end())
    source = known->second.given_name;
  set_text_field(lua, "source", source);
  set_text_field(lua, "line", line_of_error(lua, call));
}

}  // namespace

void describe_error(lua_State* lua) {
  word_error_as_5_1(lua);
  if (!lua_istable(lua, -1)) {
    std::string text = "ERR ";
    if (make_text(lua, -1))
      text += text_at(lua, -1);
    else if (lua_isboolean(lua, -1))
      text += lua_toboolean(lua, -1) != 0 ? "true" : "false";
    else
      text += luaL_typename(lua, -1);
    text.resize(std::min(text.find('\0'), text.size()));  // a C string in Redis
    lua_pop(lua, 1);
    lua_createtable(lua, 0, 3);
    set_text_field(lua, "err", text);
  }
  add_place(lua);
}

void push_error_table(lua_State* lua, std::string_view text, ErrorStats stats) {
  lua_createtable(lua, 0, 2);
  set_text_field(lua, "err", text);
  if (stats == ErrorStats::counted) return;
  lua_pushboolean(lua, 1);
  lua_setfield(lua, -2, "ignore_error_stats_update");
}

void raise_redis_error(lua_State* lua, std::string_view text) {
  push_error_table(lua, "ERR " + std::string(text), ErrorStats::counted);
  lua_error(lua);
  __builtin_unreachable();
}

}  // namespace scripting
