#include "commands/subcommand_syntax.hpp"

#include "commands/error_replies.hpp"

#include <string>

namespace commands {

void reply_subcommand_syntax(CommandContext& c, std::string_view container) {
  constexpr std::size_t quoted_bytes_max = 128;
  c.reply.error("ERR unknown subcommand or wrong number of arguments for '" +
                std::string(up_to_nul(c.args[1]).substr(0, quoted_bytes_max)) + "'. Try " +
                std::string(container) + " HELP.");
}

}  // namespace commands
