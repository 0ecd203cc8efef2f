#include "commands/transaction_commands.hpp"

#include "commands/command_context.hpp"

#include <utility>
#include <vector>

namespace commands::transaction {
namespace {

void end_watching(CommandContext& c) {
  c.keyspace.unwatch(c.client);
  c.client.is_watching = false;
  c.client.watch_broken = false;
}

}  // namespace

void end_transaction(CommandContext& c) {
  c.client.in_multi = false;
  c.client.multi_broken = false;
  c.client.queued.clear();
  end_watching(c);
}

void multi(CommandContext& c) {
  if (c.client.in_multi) return c.reply.error("ERR MULTI calls can not be nested");
  c.client.in_multi = true;
  c.reply.simple("OK");
}

void exec(CommandContext& c) {
  if (!c.client.in_multi) return c.reply.error("ERR EXEC without MULTI");
  const bool broken = c.client.multi_broken;
  // A watched key that expired meanwhile counts as changed, removed or not.
  const bool changed =
      c.client.watch_broken || (c.client.is_watching && c.keyspace.watches_overdue_key(c.client));
  const std::vector<QueuedCall> calls = std::exchange(c.client.queued, {});
  end_transaction(c);
  if (broken) {
    return c.reply.error("EXECABORT Transaction discarded because of previous errors.");
  }
  if (changed) return c.reply.null_array();
  c.reply.array(calls.size());
  for (const QueuedCall& call : calls) c.runner.run_queued(call, c.reply);
}

void discard(CommandContext& c) {
  if (!c.client.in_multi) return c.reply.error("ERR DISCARD without MULTI");
  end_transaction(c);
  c.reply.simple("OK");
}

void watch(CommandContext& c) {
  if (c.client.in_multi) return c.reply.error("ERR WATCH inside MULTI is not allowed");
  for (const std::string_view key : c.args.subspan(1)) {
    c.keyspace.watch(c.client, c.client.database, key);
  }
  c.client.is_watching = true;
  c.reply.simple("OK");
}

void unwatch(CommandContext& c) {
  end_watching(c);
  c.reply.simple("OK");
}

}  // namespace commands::transaction
