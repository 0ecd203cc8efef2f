// SLOWLOG and MONITOR.
#include "base/integers.hpp"
#include "commands/call_observers.hpp"
#include "commands/command_context.hpp"
#include "commands/help_reply.hpp"
#include "commands/observation_commands.hpp"
#include "commands/subcommand_syntax.hpp"

#include <algorithm>

namespace commands::observation {
namespace {

constexpr std::int64_t calls_by_default = 10;

SlowLog& log_of(CommandContext& c) {
  return c.runner.observers().slow_log;
}

void reply_call(protocol::ReplySink& reply, const SlowCall& call) {
  reply.array(6);
  reply.integer(static_cast<std::int64_t>(call.id));
  reply.integer(call.at_s);
  reply.integer(call.duration_us);
  reply.array(call.args.size());
  for (const std::string& arg : call.args) reply.bulk(arg);
  reply.bulk(call.address);
  reply.bulk(call.client_name);
}

}  // namespace

void slowlog_get(CommandContext& c) {
  if (c.args.size() > 3) return reply_subcommand_syntax(c, "SLOWLOG");
  std::int64_t wanted = calls_by_default;
  if (c.args.size() == 3) {
    const auto count = base::parse_int64(c.args[2]);
    if (!count || *count < -1) {
      return c.reply.error("ERR count should be greater than or equal to -1");
    }
    wanted = *count;
  }
  const auto& calls = log_of(c).calls();
  const auto all = static_cast<std::int64_t>(calls.size());
  const std::int64_t shown = wanted == -1 ? all : std::min(wanted, all);
  c.reply.array(static_cast<std::size_t>(shown));
  for (std::int64_t i = 0; i < shown; ++i) {
    reply_call(c.reply, calls[static_cast<std::size_t>(i)]);
  }
}

void slowlog_len(CommandContext& c) {
  c.reply.integer(static_cast<std::int64_t>(log_of(c).calls().size()));
}

void slowlog_reset(CommandContext& c) {
  log_of(c).clear();
  c.reply.simple("OK");
}

void slowlog_help(CommandContext& c) {
  reply_help(c.reply, "SLOWLOG",
             {"GET [<count>]",
              "    The latest slow calls, newest first (10 if not given, -1: all): number, time,",
              "    microseconds, arguments, address and name of the client.", "LEN",
              "    How many are kept.", "RESET", "    Forgets them."});
}

void monitor(CommandContext& c) {
  if (c.denies_blocking()) {
    return c.reply.error("ERR MONITOR isn't allowed for DENY BLOCKING client");
  }
  // As in Redis a second MONITOR is not answered.
  if (c.client.is_monitor) return;
  c.runner.observers().monitors.add(c.client);
  c.reply.simple("OK");
}

}  // namespace commands::observation
