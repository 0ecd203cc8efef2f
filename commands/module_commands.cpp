#include "commands/module_commands.hpp"

#include "commands/command_context.hpp"
#include "commands/help_reply.hpp"

namespace commands::module {

void list(CommandContext& c) {
  c.reply.array(0);
}

void refuse(CommandContext& c) {
  c.reply.error("ERR MODULE command not allowed. This server loads no modules.");
}

void help(CommandContext& c) {
  reply_help(c.reply, "MODULE",
             {
                 "LIST",
                 "    Answers an empty list: this server loads no modules.",
             });
}

}  // namespace commands::module
