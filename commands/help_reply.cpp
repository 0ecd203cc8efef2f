#include "commands/help_reply.hpp"

#include <string>

namespace commands {

void reply_help(protocol::ReplySink& reply, std::string_view container,
                std::initializer_list<std::string_view> lines) {
  reply.array(lines.size() + 3);
  reply.simple(std::string(container) +
               " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:");
  for (const std::string_view line : lines) reply.simple(line);
  reply.simple("HELP");
  reply.simple("    Prints this help.");
}

}  // namespace commands
