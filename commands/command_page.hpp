// docs/commands.md, from the command table.
#pragma once

#include <string>

namespace commands {

[[nodiscard]] std::string command_page();

}  // namespace commands
