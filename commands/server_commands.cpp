#include "commands/server_commands.hpp"

#include "base/integers.hpp"
#include "commands/argument_reader.hpp"
#include "commands/command_context.hpp"
#include "commands/error_replies.hpp"
#include "commands/info_sections.hpp"
#include "commands/script_call.hpp"

namespace commands::server {
namespace {

struct ShutdownOptions {
  bool save = false;
  bool no_save = false;
  bool now = false;
  bool force = false;
  bool abort = false;
};

// Nullopt: unknown words, or words that contradict each other.
std::optional<ShutdownOptions> read_shutdown_options(std::span<const std::string_view> words) {
  ShutdownOptions options;
  for (const std::string_view word : words) {
    if (is_word(word, "NOSAVE")) {
      options.no_save = true;
    } else if (is_word(word, "SAVE")) {
      options.save = true;
    } else if (is_word(word, "NOW")) {
      options.now = true;
    } else if (is_word(word, "FORCE")) {
      options.force = true;
    } else if (is_word(word, "ABORT")) {
      options.abort = true;
    } else {
      return std::nullopt;
    }
  }
  const bool others = options.save || options.no_save || options.now || options.force;
  if ((options.save && options.no_save) || (options.abort && others)) return std::nullopt;
  return options;
}

}  // namespace

void info(CommandContext& c) {
  c.reply.verbatim("txt", info_text(c, c.args.subspan(1)));
}

void time(CommandContext& c) {
  const std::int64_t now_us = c.clock.wall_us();
  c.reply.array(2);
  c.reply.bulk(base::IntegerText(now_us / 1'000'000).view());
  c.reply.bulk(base::IntegerText(now_us % 1'000'000).view());
}

void role(CommandContext& c) {
  c.reply.array(3);
  c.reply.bulk("master");
  c.reply.integer(0);
  c.reply.array(0);
}

void lastsave(CommandContext& c) {
  c.reply.integer(last_save_time_s(c));
}

// No reply: the connection ends with the server.
void shutdown(CommandContext& c) {
  const auto options = read_shutdown_options(c.args.subspan(1));
  if (!options) return c.reply.error(error_text::syntax);
  // A shutdown is done within the turn, so there is never one to abort.
  if (options->abort) return c.reply.error("ERR No shutdown in progress.");
  if (!options->no_save && c.scripts.is_over_time_limit()) {
    return c.reply.error(busy_text(c.scripts));
  }
  c.server.process.shutdown(options->now ? ShutdownMode::now : ShutdownMode::orderly);
}

}  // namespace commands::server
