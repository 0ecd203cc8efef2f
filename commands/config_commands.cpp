#include "commands/config_commands.hpp"

#include "commands/command_context.hpp"
#include "commands/error_replies.hpp"
#include "commands/help_reply.hpp"

namespace commands::config {
namespace {

void reply_outcome(CommandContext& c, const std::expected<void, std::string>& outcome) {
  if (!outcome) return c.reply.error(outcome.error());
  c.reply.simple("OK");
}

}  // namespace

void get(CommandContext& c) {
  const std::vector<SettingValue> settings = c.server.config.get(c.args.subspan(2));
  c.reply.map(settings.size());
  for (const auto& [name, value] : settings) {
    c.reply.bulk(name);
    c.reply.bulk(value);
  }
}

void set(CommandContext& c) {
  const auto pairs = c.args.subspan(2);
  if (pairs.size() % 2 != 0) return c.reply.error(error_text::syntax);
  reply_outcome(c, c.server.config.set(pairs));
}

void rewrite(CommandContext& c) {
  reply_outcome(c, c.server.config.rewrite());
}

void resetstat(CommandContext& c) {
  c.runner.reset_statistics();
  c.keyspace.reset_counters();
  c.server.process.reset_figures();
  c.reply.simple("OK");
}

void help(CommandContext& c) {
  reply_help(c.reply, "CONFIG",
             {
                 "GET <pattern> [<pattern> ...]",
                 "    Returns the settings whose names match, with their values.",
                 "SET <name> <value> [<name> <value> ...]",
                 "    Changes settings, all or none of them.",
                 "RESETSTAT",
                 "    Sets the figures of INFO to zero.",
                 "REWRITE",
                 "    Writes the settings into the configuration file.",
             });
}

}  // namespace commands::config
