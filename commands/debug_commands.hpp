// DEBUG: what test suites need of a server. Refused unless enable-debug-command allows it (a gate).
#pragma once

#include "commands/command_spec.hpp"

namespace commands::debug {

void debug(CommandContext& c);

}  // namespace commands::debug
