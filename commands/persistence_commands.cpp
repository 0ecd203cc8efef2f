#include "commands/persistence_commands.hpp"

#include "commands/argument_reader.hpp"
#include "commands/command_context.hpp"
#include "commands/error_replies.hpp"

namespace commands::persistence {

void refuse(CommandContext& c) {
  c.reply.error("ERR nothing to save: this server keeps its keys in memory only");
}

void bgsave(CommandContext& c) {
  if (c.args.size() > 2 || (c.args.size() == 2 && !is_word(c.args[1], "SCHEDULE"))) {
    return c.reply.error(error_text::syntax);
  }
  refuse(c);
}

}  // namespace commands::persistence
