#include "commands/replication_commands.hpp"

#include "base/integers.hpp"
#include "commands/argument_reader.hpp"
#include "commands/command_context.hpp"
#include "commands/error_replies.hpp"

#include <string_view>

namespace commands::replication {
namespace {

constexpr std::string_view no_replication =
    "ERR this server does not replicate: a lock has one home. Connect to it directly.";

struct FailoverOptions {
  bool aborts = false;
  bool has_target = false;
  bool has_timeout = false;
};

void read_timeout(ArgumentReader& args) {
  const std::int64_t timeout_ms = args.next_integer();
  if (!args.failed() && timeout_ms <= 0) {
    args.fail("ERR FAILOVER timeout must be greater than 0");
  }
}

FailoverOptions read_failover_options(ArgumentReader& args) {
  FailoverOptions options;
  const bool alone = args.left() == 1;
  while (args.has_more()) {
    if (alone && args.take_word("ABORT")) {
      options.aborts = true;
    } else if (!options.has_timeout && args.left() > 1 && args.take_word("TIMEOUT")) {
      options.has_timeout = true;
      read_timeout(args);
    } else if (!options.has_target && args.left() > 2 && args.take_word("TO")) {
      options.has_target = true;
      (void)args.next();
      (void)args.next_integer();
    } else if (!args.take_word("FORCE")) {
      args.fail(error_text::syntax);
    }
  }
  return options;
}

}  // namespace

void failover(CommandContext& c) {
  ArgumentReader args(c.args, 1);
  const FailoverOptions options = read_failover_options(args);
  if (!args.done()) return args.reply_error(c.reply);
  if (options.aborts) return c.reply.error("ERR No failover in progress.");
  c.reply.error("ERR FAILOVER requires connected replicas. This server does not replicate.");
}

void refuse(CommandContext& c) {
  c.reply.error(no_replication);
}

void replicaof(CommandContext& c) {
  if (is_word(c.args[1], "NO") && is_word(c.args[2], "ONE")) return c.reply.simple("OK");
  constexpr std::int64_t port_max = 65535;
  const auto port = base::parse_int64(c.args[2]);
  if (!port || *port < 0 || *port > port_max) return c.reply.error("ERR Invalid master port");
  refuse(c);
}

void sentinel(CommandContext& c) {
  c.reply.error("ERR this server is no Sentinel and needs none: connect to it directly.");
}

}  // namespace commands::replication
