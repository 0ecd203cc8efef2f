// Function libraries (FUNCTION LOAD): Lua code that registers functions, which are then called by
// name. A library is known by the name in its first line, "#!lua name=mylib"; names of functions
// are unique over all libraries, in any letter case.
//
// While a library is loaded its code sees nothing but redis.register_function, redis.log and the
// version; it may take load_time_limit_us. Errors are Redis' texts, "ERR …".
#pragma once

#include "scripting/script_engine.hpp"

#include <cstddef>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

struct lua_State;

namespace scripting {

struct LibraryHeader;
struct ScriptContext;

struct LibraryFunction {
  std::string name;
  std::optional<std::string> description;
  std::shared_ptr<Script> script;  // flags: ScriptEngine::flags_of()
};

struct FunctionLibrary {
  std::string name;
  std::string code;
  std::vector<LibraryFunction> functions;  // in order of registration; never empty once loaded
};

// What RESTORE does about libraries that are there already.
enum class RestorePolicy : std::uint8_t { append, replace, flush };

struct RestoredLibrary {
  std::string name;
  bool has_replaced = false;  // under `replace`: one of that name
};

class FunctionLibraries {
 public:
  // `lua` is a sandboxed state whose stack holds the error handler at index 1; both outlive this.
  FunctionLibraries(lua_State* lua, ScriptContext& context);
  ~FunctionLibraries() = default;
  FunctionLibraries(const FunctionLibraries&) = delete;
  FunctionLibraries& operator=(const FunctionLibraries&) = delete;

  // The library's name. Without `replaces` a library of that name is an error.
  std::expected<std::string, std::string> load(std::string_view code, bool replaces);
  // What load() has taken before, with REPLACE. Whether it loads depends on the code alone: limits
  // of time and memory do not count, and loading code sees nothing that could change.
  std::expected<std::string, std::string> reload(std::string_view code);
  // All or nothing. In the order of `codes`.
  std::expected<std::vector<RestoredLibrary>, std::string> restore(
      std::span<const std::string_view> codes, RestorePolicy policy);
  bool remove(std::string_view name);
  void flush();
  // Keeps the code of a library that another version of this program loaded and this one does not:
  // nothing can be called, but nothing is lost until somebody loads or removes that name, or
  // flushes.
  void keep_unloadable(std::string_view name, std::string_view code);
  // Name → code.
  [[nodiscard]] const std::map<std::string, std::string, std::less<>>& unloadable() const {
    return unloadable_;
  }

  // Null when there is none. Any letter case.
  [[nodiscard]] const LibraryFunction* find(std::string_view function) const;
  // By name.
  [[nodiscard]] const std::map<std::string, FunctionLibrary, std::less<>>& all() const {
    return libraries_;
  }
  [[nodiscard]] std::size_t functions() const;

 private:
  using Staged = std::vector<FunctionLibrary>;

  std::expected<FunctionLibrary, std::string> compile(const LibraryHeader& header,
                                                      std::string_view code);
  // Runs the chunk on top of the stack, its environment below it. An error text, or empty.
  std::string run_chunk(FunctionLibrary& library);
  [[nodiscard]] std::expected<void, std::string> check_functions(const Staged& staged) const;
  void install(FunctionLibrary library);
  void drop(const FunctionLibrary& library);

  lua_State* lua_;
  ScriptContext& context_;
  std::map<std::string, FunctionLibrary, std::less<>> libraries_;
  std::map<std::string, std::string, std::less<>> unloadable_;
  std::unordered_map<std::string, const LibraryFunction*> by_name_;  // in lower case
};

}  // namespace scripting
