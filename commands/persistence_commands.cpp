#include "commands/persistence_commands.hpp"

#include "commands/argument_reader.hpp"
#include "commands/command_context.hpp"
#include "commands/error_replies.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace commands::persistence {
namespace {

// False: it was refused, and answered.
bool begin(CommandContext& c, std::string_view while_one_runs) {
  JournalControl& journal = *c.server.journal;
  if (journal.figures().is_saving) {
    c.reply.error(while_one_runs);
    return false;
  }
  const auto begun = journal.begin_save();
  if (!begun) c.reply.error("ERR " + begun.error());
  return begun.has_value();
}

constexpr std::string_view save_runs = "ERR Background save already in progress";

}  // namespace

void SaveCall::time_out(protocol::ReplySink& reply) {
  reply.null();
}
void SaveCall::unblock_with_error(protocol::ReplySink& reply) {
  reply.error("UNBLOCKED client unblocked via CLIENT UNBLOCK");
}

void save(CommandContext& c) {
  if (begin(c, save_runs)) c.client.blocked = std::make_unique<SaveCall>();
}

void bgsave(CommandContext& c) {
  if (c.args.size() > 2 || (c.args.size() == 2 && !is_word(c.args[1], "SCHEDULE"))) {
    return c.reply.error(error_text::syntax);
  }
  if (c.args.size() == 2 && c.server.journal->figures().is_saving) {
    return c.reply.simple("Background saving scheduled");
  }
  if (begin(c, save_runs)) c.reply.simple("Background saving started");
}

void bgrewriteaof(CommandContext& c) {
  if (!begin(c, "ERR Background append only file rewriting already in progress")) return;
  c.reply.simple("Background append only file rewriting started");
}

}  // namespace commands::persistence
