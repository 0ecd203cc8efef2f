// The gates a client's request passes before it runs, in Redis' order, so that a request which two
// gates would refuse gets the same error as there. Memory and journal refusals are not here: they
// come from the engine, by effect.
#pragma once

#include "commands/acl_registry.hpp"
#include "commands/client_state.hpp"
#include "commands/command_spec.hpp"
#include "commands/settings.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace commands {

struct Admission {
  const CommandSpec& spec;
  std::span<const std::string_view> args;
  const ClientState& client;
  const Settings& settings;
  const acl::Registry& acl;
  bool is_loading;             // the journal is being loaded
  std::string_view busy_text;  // not empty: a script over its time limit holds the server
};

// Why a call may not run.
struct Refusal {
  std::string error;
  acl::Denial denial = {};  // of the user's permissions; none: another gate
};

// The error reply, or nothing when the call may run (or be queued).
[[nodiscard]] std::optional<Refusal> refusal_of(const Admission& call);

// "ERR unknown command 'x', with args beginning with: 'a' 'b' "
[[nodiscard]] std::string unknown_command(std::span<const std::string_view> args);
// "ERR unknown subcommand 'x'. Try CLIENT HELP."
[[nodiscard]] std::string unknown_subcommand(const CommandSpec& container, std::string_view name);

}  // namespace commands
