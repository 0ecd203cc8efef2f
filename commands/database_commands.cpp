#include "commands/database_commands.hpp"

#include "commands/argument_reader.hpp"
#include "commands/call_observers.hpp"
#include "commands/command_context.hpp"
#include "commands/database_index.hpp"
#include "commands/error_replies.hpp"

#include <limits>

namespace commands::database {
namespace {

// FLUSHDB and FLUSHALL take one word: ASYNC or SYNC. Both answer at once here and free in slices.
bool has_flush_option(const CommandContext& c) {
  if (c.args.size() == 1) return true;
  return c.args.size() == 2 && (is_word(c.args[1], "ASYNC") || is_word(c.args[1], "SYNC"));
}

std::int64_t next_int32(ArgumentReader& args, std::string_view error) {
  using Limits = std::numeric_limits<std::int32_t>;
  return args.next_integer_between(Limits::min(), Limits::max(), error);
}

}  // namespace

void dbsize(CommandContext& c) {
  c.reply.integer(static_cast<std::int64_t>(c.db().size()));
}

void flushdb(CommandContext& c) {
  if (!has_flush_option(c)) return c.reply.error(error_text::syntax);
  c.keyspace.flush(c.client.database);
  c.runner.observers().tracking.flushed();
  c.reply.simple("OK");
}

void flushall(CommandContext& c) {
  if (!has_flush_option(c)) return c.reply.error(error_text::syntax);
  c.keyspace.flush_all();
  c.runner.observers().tracking.flushed();
  c.reply.simple("OK");
}

void swapdb(CommandContext& c) {
  ArgumentReader args(c.args, 1);
  const std::int64_t first = next_int32(args, "ERR invalid first DB index");
  const std::int64_t second = next_int32(args, "ERR invalid second DB index");
  if (!is_database(first) || !is_database(second)) args.fail(database_out_of_range);
  if (!args.done()) return args.reply_error(c.reply);
  c.keyspace.swap(static_cast<int>(first), static_cast<int>(second));
  c.reply.simple("OK");
}

}  // namespace commands::database
