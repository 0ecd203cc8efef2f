#include "commands/config_commands.hpp"

#include "commands/argument_reader.hpp"
#include "commands/command_context.hpp"
#include "commands/error_replies.hpp"
#include "commands/help_reply.hpp"

#include <algorithm>

namespace commands::config {
namespace {

void reply_outcome(CommandContext& c, const std::expected<void, std::string>& outcome) {
  if (!outcome) return c.reply.error(outcome.error());
  c.reply.simple("OK");
}

bool is_secret(std::string_view setting) {
  static constexpr std::string_view secrets[] = {"REQUIREPASS", "MASTERAUTH", "MASTERUSER",
                                                 "TLS-KEY-FILE-PASS", "TLS-CLIENT-KEY-FILE-PASS"};
  return std::ranges::any_of(secrets,
                             [&](std::string_view name) { return is_word(setting, name); });
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
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    if (is_secret(pairs[i])) c.runner.redact(2 + i + 1);
  }
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
