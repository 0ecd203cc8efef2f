// What a script may ask of the server. Declared here so that scripting knows no command; the
// dispatcher implements it.
#pragma once

#include "protocol/reply_sink.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace scripting {

// Index of a row of the command table; -1 for a name that is none.
using CommandId = std::int32_t;
inline constexpr CommandId no_command = -1;

enum class ScriptAccess : std::uint8_t { read_write, read_only };

class CommandInvoker {
 public:
  virtual ~CommandInvoker() = default;

  // Any letter case. Cheap to remember: ids never change while the process runs.
  [[nodiscard]] virtual CommandId resolve(std::string_view name) = 0;
  // Runs one command inside the caller's frame. args[0] is the name. Every outcome, errors too
  // (no_command, wrong arity, not allowed from scripts, write in a read-only script), arrives
  // through `reply` as exactly one reply.
  virtual void invoke(CommandId command, std::span<const std::string_view> args,
                      protocol::ReplySink& reply) = 0;
  // redis.acl_check_cmd: whether the current user may run this. Nullopt: there is no such command.
  [[nodiscard]] virtual std::optional<bool> may_call(std::span<const std::string_view> args) = 0;
  // Called from the instruction hook every few milliseconds once a script is over its time limit:
  // serves other connections (BUSY, SCRIPT KILL, SHUTDOWN NOSAVE). True: the script must stop now.
  [[nodiscard]] virtual bool slow_script() = 0;
  // True once the running script has executed a write command (then it is UNKILLABLE).
  [[nodiscard]] virtual bool script_has_written() const = 0;
};

}  // namespace scripting
