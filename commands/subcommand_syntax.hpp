// The answer to a subcommand whose arguments its arity allows but its syntax does not.
#pragma once

#include "commands/command_context.hpp"

#include <string_view>

namespace commands {

// `container` in upper case.
void reply_subcommand_syntax(CommandContext& c, std::string_view container);

}  // namespace commands
