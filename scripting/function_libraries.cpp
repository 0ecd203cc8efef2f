#include "scripting/function_libraries.hpp"

#include "base/assert.hpp"
#include "scripting/library_environment.hpp"
#include "scripting/lua_arguments.hpp"
#include "scripting/sandbox.hpp"
#include "scripting/script.hpp"
#include "scripting/script_context.hpp"
#include "scripting/script_header.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace scripting {
namespace {

constexpr const char* chunk_name = "user_function";

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return lower;
}

// Pushes the loaded text, whose environment can still be changed, and the chunk; or a message of
// 5.4 and false. Names resolve at run time, because the environment changes after loading.
bool push_chunk(lua_State* lua, const Translation& translation) {
  const std::string name = std::string("@") + chunk_name;
  if (luaL_loadbufferx(lua, translation.source.data(), translation.source.size(), name.c_str(),
                       "t") != LUA_OK) {
    return false;
  }
  push_loading_environment(lua);
  const char* upvalue = lua_setupvalue(lua, -2, 1);
  ASSERT(upvalue != nullptr && std::string_view(upvalue) == "_ENV");
  lua_pushvalue(lua, -1);
  luaL_checkstack(lua, static_cast<int>(translation.prelude.size()) + 5, "in a library");
  for (const std::string& builtin : translation.prelude) push_prelude_value(lua, builtin);
  lua_call(lua, static_cast<int>(translation.prelude.size()), 1);
  return true;
}

std::unexpected<std::string> function_exists(const std::string& name) {
  return std::unexpected("ERR Function " + name + " already exists");
}

}  // namespace

FunctionLibraries::FunctionLibraries(lua_State* lua, ScriptContext& context)
    : lua_(lua), context_(context) {}

std::expected<std::string, std::string> FunctionLibraries::load(std::string_view code,
                                                                bool replaces) {
  const auto header = read_library_header(code);
  if (!header) return std::unexpected(header.error());
  const auto known = libraries_.find(header->name);
  if (known != libraries_.end() && !replaces) {
    return std::unexpected("ERR Library '" + header->name + "' already exists");
  }
  auto library = compile(*header, code);
  if (!library) return std::unexpected(library.error());
  // What is replaced does not count; it comes back when the new one cannot stay.
  std::optional<FunctionLibrary> replaced;
  if (known != libraries_.end()) {
    replaced = std::move(known->second);
    libraries_.erase(known);
  }
  Staged staged;
  staged.push_back(std::move(*library));
  const auto free = check_functions(staged);
  if (!free) {
    drop(staged.front());
    if (replaced) libraries_.emplace(replaced->name, std::move(*replaced));
    return std::unexpected(free.error());
  }
  if (replaced) drop(*replaced);
  std::string name = staged.front().name;
  install(std::move(staged.front()));
  return name;
}

std::expected<std::string, std::string> FunctionLibraries::reload(std::string_view code) {
  context_.reloads = true;
  auto name = load(code, true);
  context_.reloads = false;
  return name;
}

void FunctionLibraries::keep_unloadable(std::string_view name, std::string_view code) {
  remove(name);
  unloadable_.emplace(name, code);
}

std::expected<std::vector<RestoredLibrary>, std::string> FunctionLibraries::restore(
    std::span<const std::string_view> codes, RestorePolicy policy) {
  Staged staged;
  const auto give_up = [&](std::string text) {
    for (const FunctionLibrary& library : staged) drop(library);
    return std::unexpected(std::move(text));
  };
  for (const std::string_view code : codes) {
    const auto header = read_library_header(code);
    if (!header) return give_up(header.error());
    const bool is_staged = std::ranges::any_of(
        staged, [&](const FunctionLibrary& other) { return other.name == header->name; });
    if (is_staged || (policy == RestorePolicy::append && libraries_.contains(header->name))) {
      return give_up("ERR Library " + header->name + " already exists");
    }
    auto library = compile(*header, code);
    if (!library) return give_up(library.error());
    staged.push_back(std::move(*library));
  }
  auto kept = std::exchange(libraries_, {});
  std::map<std::string, FunctionLibrary, std::less<>> leaving;
  if (policy == RestorePolicy::flush) leaving.swap(kept);
  for (const FunctionLibrary& library : staged) {
    if (auto node = kept.extract(library.name)) leaving.insert(std::move(node));
  }
  libraries_ = std::move(kept);
  if (const auto free = check_functions(staged); !free) {
    libraries_.merge(leaving);
    return give_up(free.error());
  }
  for (const auto& [name, library] : leaving) drop(library);
  const bool replaces = policy == RestorePolicy::replace;
  if (policy == RestorePolicy::flush) unloadable_.clear();
  std::vector<RestoredLibrary> restored;
  for (FunctionLibrary& library : staged) {
    restored.push_back({library.name, replaces && leaving.contains(library.name)});
    install(std::move(library));
  }
  return restored;
}

std::expected<FunctionLibrary, std::string> FunctionLibraries::compile(const LibraryHeader& header,
                                                                       std::string_view code) {
  const std::string refused = "ERR Error compiling function: ";
  const BuiltinNames none;
  auto translation = translate(header.body, chunk_name, ChunkKind::nested, none);
  if (!translation) return std::unexpected(refused + translation.error());
  if (!push_chunk(lua_, *translation)) {
    std::string text = refused + message_of_5_1(text_at(lua_, -1));
    lua_settop(lua_, 1);
    return std::unexpected(std::move(text));
  }
  FunctionLibrary library{.name = header.name, .code = std::string(code), .functions = {}};
  const auto arithmetic =
      std::make_shared<const std::vector<ArithmeticSite>>(std::move(translation->arithmetic));
  context_.script_arithmetic = arithmetic.get();
  std::string error = run_chunk(library);
  context_.script_arithmetic = nullptr;
  if (error.empty() && library.functions.empty()) error = "ERR No functions registered";
  if (!error.empty()) {
    for (const LibraryFunction& function : library.functions) {
      luaL_unref(lua_, LUA_REGISTRYINDEX, function.script->function);
    }
    return std::unexpected(std::move(error));
  }
  for (const LibraryFunction& function : library.functions) {
    function.script->arithmetic = arithmetic;
  }
  return library;
}

std::string FunctionLibraries::run_chunk(FunctionLibrary& library) {
  context_.loading = &library;
  context_.started_us = 0;
  context_.is_killed = false;
  context_.memory.enforce(!context_.reloads);
  const int status = lua_pcall(lua_, 0, 0, 1);
  context_.memory.enforce(false);
  context_.loading = nullptr;
  context_.moved_error.clear();
  std::string error;
  if (status == LUA_OK) {
    // Its functions share this variable: from now on they see what scripts see.
    push_function_environment(lua_);
    lua_setupvalue(lua_, -2, 1);
  } else {
    // Lua's memory error comes without a table around it.
    const std::string code = lua_istable(lua_, -1) ? "" : "ERR ";
    if (lua_istable(lua_, -1)) lua_getfield(lua_, -1, "err");
    const bool has_text = make_text(lua_, -1);
    error = "ERR Error registering functions: " + code +
            (has_text ? std::string(text_at(lua_, -1)) : std::string("unknown error"));
  }
  lua_settop(lua_, 1);
  return error;
}

// Whether the functions of `staged` are new, to libraries_ and to each other.
std::expected<void, std::string> FunctionLibraries::check_functions(const Staged& staged) const {
  std::set<std::string> taken;
  for (const auto& [name, library] : libraries_) {
    for (const LibraryFunction& function : library.functions) {
      taken.insert(lower_case(function.name));
    }
  }
  for (const FunctionLibrary& library : staged) {
    for (const LibraryFunction& function : library.functions) {
      if (taken.contains(lower_case(function.name))) return function_exists(function.name);
    }
    for (const LibraryFunction& function : library.functions) {
      taken.insert(lower_case(function.name));
    }
  }
  return {};
}

void FunctionLibraries::install(FunctionLibrary library) {
  const std::string name = library.name;
  const auto [place, is_new] = libraries_.emplace(name, std::move(library));
  ASSERT(is_new);
  unloadable_.erase(name);
  for (const LibraryFunction& function : place->second.functions) {
    by_name_.emplace(lower_case(function.name), &function);
  }
}

void FunctionLibraries::drop(const FunctionLibrary& library) {
  for (const LibraryFunction& function : library.functions) {
    luaL_unref(lua_, LUA_REGISTRYINDEX, function.script->function);
    const auto known = by_name_.find(lower_case(function.name));
    if (known != by_name_.end() && known->second == &function) by_name_.erase(known);
  }
}

bool FunctionLibraries::remove(std::string_view name) {
  const auto known = libraries_.find(name);
  if (known == libraries_.end()) {
    const auto kept = unloadable_.find(name);
    if (kept == unloadable_.end()) return false;
    unloadable_.erase(kept);
    return true;
  }
  drop(known->second);
  libraries_.erase(known);
  return true;
}

void FunctionLibraries::flush() {
  for (const auto& [name, library] : libraries_) drop(library);
  libraries_.clear();
  unloadable_.clear();
  lua_gc(lua_, LUA_GCCOLLECT);
}

const LibraryFunction* FunctionLibraries::find(std::string_view function) const {
  const auto known = by_name_.find(lower_case(function));
  return known == by_name_.end() ? nullptr : known->second;
}

std::size_t FunctionLibraries::functions() const {
  std::size_t count = 0;
  for (const auto& [name, library] : libraries_) count += library.functions.size();
  return count;
}

}  // namespace scripting
