#include "commands/server_version.hpp"

namespace commands {

const std::string_view mortise_version = MORTISE_VERSION;

}  // namespace commands
