// Keys that change their place: RENAME, RENAMENX, COPY, MOVE.
#include "commands/argument_reader.hpp"
#include "commands/command_context.hpp"
#include "commands/database_index.hpp"
#include "commands/error_replies.hpp"
#include "commands/key_reading.hpp"
#include "commands/keyspace_commands.hpp"

namespace commands::keyspace {
namespace {

constexpr std::string_view same_object = "ERR source and destination objects are the same";

// `from` exists and differs from `to`. False: an error has been replied.
bool rename_key(CommandContext& c, std::string_view from, std::string_view to) {
  const auto renamed = c.db().rename(from, to);
  if (!renamed) {
    reply_error(c.reply, renamed.error());
    return false;
  }
  c.notify(notify_generic, "rename_from", from);
  c.notify(notify_generic, "rename_to", to);
  return true;
}

struct CopyOptions {
  int database;
  bool replaces = false;
};

CopyOptions read_copy_options(ArgumentReader& args, int own_database) {
  CopyOptions options{.database = own_database};
  while (args.has_more()) {
    if (args.take_word("REPLACE")) {
      options.replaces = true;
    } else if (args.left() >= 2 && args.take_word("DB")) {
      options.database = read_database_index(args);
    } else {
      args.fail(error_text::syntax);
    }
  }
  return options;
}

}  // namespace

void rename(CommandContext& c) {
  const std::string_view from = c.args[1];
  const std::string_view to = c.args[2];
  if (c.db().peek(from) == nullptr) return c.reply.error(error_text::no_such_key);
  if (from != to && !rename_key(c, from, to)) return;
  c.reply.simple("OK");
}

void renamenx(CommandContext& c) {
  const std::string_view from = c.args[1];
  const std::string_view to = c.args[2];
  if (c.db().peek(from) == nullptr) return c.reply.error(error_text::no_such_key);
  if (from == to || c.db().peek(to) != nullptr) return c.reply.integer(0);
  if (!rename_key(c, from, to)) return;
  c.reply.integer(1);
}

void copy(CommandContext& c) {
  ArgumentReader args(c.args, 3);
  const CopyOptions options = read_copy_options(args, c.client.database);
  if (!args.done()) return args.reply_error(c.reply);
  const std::string_view from = c.args[1];
  const std::string_view to = c.args[2];
  engine::Database& target = c.keyspace.database(options.database);
  if (&target == &c.db() && from == to) return c.reply.error(same_object);
  if (read_key(c, from) == nullptr) return c.reply.integer(0);
  if (!options.replaces && target.peek(to) != nullptr) return c.reply.integer(0);
  const auto copied = c.db().copy(from, target, to);
  if (!copied) return reply_error(c.reply, copied.error());
  c.notifier.notify(notify_generic, "copy_to", options.database, to);
  c.reply.integer(1);
}

void move(CommandContext& c) {
  ArgumentReader args(c.args, 2);
  const int database = read_database_index(args);
  if (!args.failed() && database == c.client.database) args.fail(same_object);
  if (!args.done()) return args.reply_error(c.reply);
  const std::string_view key = c.args[1];
  engine::Database& target = c.keyspace.database(database);
  if (c.db().peek(key) == nullptr || target.peek(key) != nullptr) return c.reply.integer(0);
  const auto moved = c.db().move(key, target);
  if (!moved) return reply_error(c.reply, moved.error());
  c.notify(notify_generic, "move_from", key);
  c.notifier.notify(notify_generic, "move_to", database, key);
  c.reply.integer(1);
}

}  // namespace commands::keyspace
