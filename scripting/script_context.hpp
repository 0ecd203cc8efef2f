// What the libraries of one Lua state share with its engine while a script runs. Owned by the
// engine; found from any of the state's coroutines.
#pragma once

#include "scripting/command_cache.hpp"
#include "scripting/dialect.hpp"
#include "scripting/lua_number.hpp"
#include "scripting/random_numbers.hpp"
#include "scripting/script_engine.hpp"
#include "scripting/script_memory.hpp"

#include <lua.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace scripting {

struct FunctionLibrary;

struct ScriptContext {
  ScriptContext(CommandInvoker& the_invoker, ScriptLog& the_log, std::int64_t (*clock)())
      : invoker(the_invoker), log(the_log), monotonic_us(clock) {}

  CommandInvoker& invoker;
  ScriptLog& log;
  std::int64_t (*monotonic_us)();
  ScriptLimits limits;
  BuiltinNames builtins;
  RandomNumbers random;

  bool is_running = false;
  bool is_over_time = false;
  bool is_killed = false;              // nothing in the script catches this
  FunctionLibrary* loading = nullptr;  // whose code is running, to register functions
  bool reloads = false;                // and has loaded before: no limit of time
  std::int64_t started_us = 0;
  protocol::RespVersion resp = protocol::RespVersion::resp2;
  std::uint32_t calls_since_check = 0;
  std::size_t work_since_check = 0;
  std::int64_t served_us = 0;  // when slow_script() was last called
  ScriptMemory memory;
  CommandCache commands;
  // Of the redis.call under way; kept for their capacity.
  std::vector<std::string_view> arguments;
  std::vector<NumberText> numbers;
  // What messages need to know of a chunk of loadstring, by its name in Lua; for this run.
  struct Chunk {
    std::string given_name;
    std::vector<ArithmeticSite> arithmetic;
  };
  std::unordered_map<std::string, Chunk> chunks;
  // The last error whose line is not the one Lua would say, and that line.
  std::string moved_error;
  std::string moved_error_line;
  const std::vector<ArithmeticSite>* script_arithmetic = nullptr;  // of the running script

  static ScriptContext& of(lua_State* lua) {
    return **static_cast<ScriptContext**>(lua_getextraspace(lua));
  }
};

// Raises when the running script was killed; called by everything that catches errors.
void rethrow_if_killed(lua_State* lua);
// The countdown ran out: looks at the clock, serves others when over the limit. Gives the next
// countdown.
int check_time(lua_State* lua);
// What a function walked in one call, in bytes or elements. The countdown counts statements; a loop
// around calls that each take milliseconds is interrupted by this.
inline void charge(lua_State* lua, std::size_t work) {
  constexpr std::size_t work_per_check = 1u << 18u;
  ScriptContext& context = ScriptContext::of(lua);
  context.work_since_check += work;
  if (context.work_since_check < work_per_check) return;
  context.work_since_check = 0;
  check_time(lua);
}

}  // namespace scripting
