// One line per row of the command table, subcommands included: the arguments it takes, for
// docs/commands.md. Beside the rows rather than in them: a server that runs needs none of it.
#pragma once

#include <span>
#include <string_view>

namespace commands {

struct CommandSyntax {
  std::string_view name;       // as full_name() gives it
  std::string_view arguments;  // [optional], a | b, name ...; words in upper case are literal
  // A heading of docs/compatibility.md; empty: as in Redis 7.0.
  // NOLINTNEXTLINE(readability-redundant-member-init): most lines leave it out
  std::string_view deviation = {};
};

// Null when there is no such line; every row has one (a test sees to that).
[[nodiscard]] const CommandSyntax* find_syntax(std::string_view name);
[[nodiscard]] std::span<const CommandSyntax> all_syntax();

}  // namespace commands
