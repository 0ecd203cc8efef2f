// Lua 5.4 that runs scripts written for Redis' Lua 5.1. Owns the Lua state and the script cache
// (sha1 → compiled function), runs one script at a time, to its end, on the caller's stack.
//
// The cache survives FLUSHALL; flush() empties it. A script is known by the SHA1 of its text as
// sent, 40 lower-case hex digits. Lua errors never leave this class: they become error replies.
#pragma once

#include "base/function_ref.hpp"
#include "protocol/reply_sink.hpp"
#include "scripting/command_invoker.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace scripting {

struct ScriptLimits {
  std::int64_t time_limit_ms = 5000;  // busy-reply-threshold / lua-time-limit; 0: no limit
  std::size_t memory_bytes_max = 512u
                                 << 20u;  // of the whole Lua state; beyond: "not enough memory"
};

// Flags of a "#!lua flags=…" line; a script without that line has `compat`.
struct ScriptFlags {
  bool compat = true;
  bool no_writes = false;
  bool allow_oom = false;
  bool allow_stale = false;
  bool no_cluster = false;
  bool allow_cross_slot_keys = false;
};

struct ScriptCall {
  std::span<const std::string_view> keys;
  std::span<const std::string_view> arguments;
  ScriptAccess access = ScriptAccess::read_write;
  // The whole request, for running_function().
  std::span<const std::string_view> request = {};  // NOLINT(readability-redundant-member-init)
};

struct RunningFunction {
  std::string_view name;
  std::span<const std::string_view> request;
  std::int64_t run_ms;
};

// redis.log goes here. Level: 0 debug, 1 verbose, 2 notice, 3 warning.
class ScriptLog {
 public:
  virtual ~ScriptLog() = default;
  virtual void script_message(int level, std::string_view text) = 0;
};

// A cached script, valid until flush(); or a function, valid as long as its library.
class Script;
class FunctionLibraries;

class ScriptEngine {
 public:
  // `monotonic_us` gives time for the limit; `invoker` and `log` must outlive the engine.
  ScriptEngine(CommandInvoker& invoker, ScriptLog& log, std::int64_t (*monotonic_us)());
  ~ScriptEngine();
  ScriptEngine(const ScriptEngine&) = delete;
  ScriptEngine& operator=(const ScriptEngine&) = delete;

  // Compiles and caches `text` (a no-op when cached). On failure writes Redis' error text to
  // `error` and returns null: "ERR Error compiling script (new function): user_script:1: …".
  const Script* load(std::string_view text, std::string& error);
  // `sha` in any letter case. Null when it is not cached.
  [[nodiscard]] const Script* find(std::string_view sha) const;
  [[nodiscard]] static std::string_view sha_of(const Script& script);
  [[nodiscard]] static const ScriptFlags& flags_of(const Script& script);
  void flush();
  [[nodiscard]] std::size_t cached_scripts() const;
  // The texts of the cached scripts, in any order.
  void for_each_text(base::FunctionRef<void(std::string_view text)> visit) const;
  [[nodiscard]] std::size_t memory_bytes() const;  // of the Lua state

  // Runs to the end and writes exactly one reply. Not re-entrant.
  void run(const Script& script, const ScriptCall& call, protocol::ReplySink& reply);
  [[nodiscard]] bool is_running() const;
  // Access of the running script (its call's, or read_only by its no-writes flag): the invoker
  // refuses writes by it.
  [[nodiscard]] ScriptAccess running_access() const;
  [[nodiscard]] bool is_over_time_limit() const;  // running, and BUSY to others
  // When what runs is a function of a library.
  [[nodiscard]] std::optional<RunningFunction> running_function() const;
  // They have a life of their own: flush() leaves them alone.
  [[nodiscard]] FunctionLibraries& functions();
  // The running script's text of "redis-cli SCRIPT KILL": takes effect at the next hook.
  void kill();

  void set_limits(const ScriptLimits& limits);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace scripting
