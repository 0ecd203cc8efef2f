// load and loadstring: through the same front end as scripts, text only.
#include "scripting/chunks.hpp"
#include "scripting/lua_arguments.hpp"
#include "scripting/sandbox.hpp"
#include "scripting/script_context.hpp"

#include <algorithm>
#include <string>

namespace scripting {
namespace {

// 5.1's buffers: of run-time messages and of the compiler's.
constexpr std::size_t run_time_bytes = 60;
constexpr std::size_t compiler_bytes = 80;

int failed_chunk(lua_State* lua, std::string_view message) {
  lua_pushnil(lua);
  push_text(lua, message);
  return 2;
}

int load_chunk(lua_State* lua, std::string_view text, std::string_view name) {
  ScriptContext& context = ScriptContext::of(lua);
  constexpr std::size_t work_per_byte = 16;
  charge(lua, text.size() * work_per_byte);
  const std::string display = chunk_display(name, run_time_bytes);
  auto translation =
      translate(text, chunk_display(name, compiler_bytes), ChunkKind::nested, context.builtins);
  if (!translation) return failed_chunk(lua, translation.error());
  context.chunks.insert_or_assign(
      "=" + display, ScriptContext::Chunk{std::string(name), std::move(translation->arithmetic)});
  if (!push_function(lua, *translation, "=" + display)) {
    lua_pushnil(lua);
    lua_insert(lua, -2);
    return 2;
  }
  return 1;
}

int base_loadstring(lua_State* lua) {
  const std::string_view text = check_text(lua, 1);
  const std::string_view name = text_or(lua, 2, text);
  return load_chunk(lua, text, name);
}

int base_load(lua_State* lua) {
  const std::string name(text_or(lua, 2, "=(load)"));
  check_type(lua, 1, LUA_TFUNCTION);
  const ScriptContext& context = ScriptContext::of(lua);
  std::string text;
  for (;;) {
    lua_pushvalue(lua, 1);
    if (lua_pcall(lua, 0, 1, 0) != LUA_OK) {
      rethrow_if_killed(lua);
      lua_pushnil(lua);
      lua_insert(lua, -2);
      return 2;
    }
    if (lua_isnil(lua, -1)) break;
    if (!make_text(lua, -1)) return failed_chunk(lua, "reader function must return a string");
    const std::string_view piece = text_at(lua, -1);
    if (piece.empty()) break;
    context.memory.check_fits(lua, text.size() + piece.size());
    text += piece;
    lua_pop(lua, 1);
  }
  return load_chunk(lua, text, name);
}

}  // namespace

std::string chunk_display(std::string_view name, std::size_t buffer_bytes) {
  if (name.starts_with('=')) return std::string(name.substr(1, buffer_bytes - 1));
  if (name.starts_with('@')) {
    name.remove_prefix(1);
    const std::size_t kept = buffer_bytes - 8;
    if (name.size() <= kept) return std::string(name);
    return "..." + std::string(name.substr(name.size() - kept));
  }
  const std::size_t line = std::min(name.find_first_of("\r\n"), name.size());
  const std::size_t shown = std::min(line, buffer_bytes - 17);
  return "[string \"" + std::string(name.substr(0, shown)) + (shown < name.size() ? "..." : "") +
         "\"]";
}

bool push_function(lua_State* lua, const Translation& translation, const std::string& chunk_name) {
  if (luaL_loadbufferx(lua, translation.source.data(), translation.source.size(),
                       chunk_name.c_str(), "t") != LUA_OK)
    return false;
  luaL_checkstack(lua, static_cast<int>(translation.prelude.size()) + 5, "in a chunk");
  for (const std::string& name : translation.prelude) push_prelude_value(lua, name);
  lua_call(lua, static_cast<int>(translation.prelude.size()), 1);
  return true;
}

void add_chunk_functions(lua_State* lua) {
  constexpr luaL_Reg functions[] = {
      {"load", base_load}, {"loadstring", base_loadstring}, {nullptr, nullptr}};
  add_functions(lua, functions);
}

}  // namespace scripting
