// DUMP and RESTORE.
#include "base/integers.hpp"
#include "commands/argument_reader.hpp"
#include "commands/command_context.hpp"
#include "commands/dump_payload.hpp"
#include "commands/error_replies.hpp"
#include "commands/expire_time.hpp"
#include "commands/key_reading.hpp"
#include "commands/keyspace_commands.hpp"
#include "engine/value_dump.hpp"

#include <optional>

namespace commands::keyspace {
namespace {

struct RestoreOptions {
  bool replaces = false;
  bool is_absolute = false;
  std::optional<std::int64_t> idle_seconds;
  bool has_frequency = false;  // accepted and forgotten: nothing is evicted by it
};

void read_frequency(ArgumentReader& args) {
  constexpr std::int64_t frequency_max = 255;
  const std::int64_t frequency = args.next_integer();
  if (!args.failed() && (frequency < 0 || frequency > frequency_max)) {
    args.fail("ERR Invalid FREQ value, must be >= 0 and <= 255");
  }
}

RestoreOptions read_restore_options(ArgumentReader& args) {
  RestoreOptions options;
  while (args.has_more()) {
    if (args.take_word("REPLACE")) {
      options.replaces = true;
    } else if (args.take_word("ABSTTL")) {
      options.is_absolute = true;
    } else if (args.left() > 1 && !options.has_frequency && args.take_word("IDLETIME")) {
      options.idle_seconds = args.next_integer();
      if (*options.idle_seconds < 0) args.fail("ERR Invalid IDLETIME value, must be >= 0");
    } else if (args.left() > 1 && !options.idle_seconds && args.take_word("FREQ")) {
      options.has_frequency = true;
      read_frequency(args);
    } else {
      args.fail(error_text::syntax);
    }
  }
  return options;
}

// 0 is no deadline. Nullopt after an error reply.
std::optional<std::int64_t> read_restore_deadline(CommandContext& c, bool is_absolute) {
  const auto ttl = base::parse_int64(c.args[2]);
  if (!ttl) {
    c.reply.error(error_text::not_an_integer);
    return std::nullopt;
  }
  if (*ttl < 0) {
    c.reply.error("ERR Invalid TTL value, must be >= 0");
    return std::nullopt;
  }
  if (*ttl == 0) return engine::no_deadline;
  const TimeForm form = is_absolute ? at_milliseconds : in_milliseconds;
  return deadline_of(c, *ttl, form).value_or(engine::no_deadline - 1);
}

}  // namespace

void dump(CommandContext& c) {
  const std::string_view key = c.args[1];
  if (read_key(c, key) == nullptr) return c.reply.null();
  c.reply.bulk(seal_payload(engine::ValueDump(c.db()).take(key), PayloadKind::key));
}

void restore(CommandContext& c) {
  const std::string_view key = c.args[1];
  ArgumentReader args(c.args, 4);
  const RestoreOptions options = read_restore_options(args);
  if (!args.done()) return args.reply_error(c.reply);
  const bool exists = c.db().peek(key) != nullptr;
  if (exists && !options.replaces) {
    return c.reply.error("BUSYKEY Target key name already exists.");
  }
  const auto deadline_ms = read_restore_deadline(c, options.is_absolute);
  if (!deadline_ms) return;
  const auto body = open_payload(c.args[3], PayloadKind::key);
  if (!body) return c.reply.error(wrong_payload);
  // A time that is over already: Redis does not create the key, and deletes what it was to replace.
  const bool is_over = *deadline_ms <= c.now_ms();
  const engine::RestoredKey restored{.deadline_ms = is_over ? engine::no_deadline : *deadline_ms,
                                     .idle_seconds = options.idle_seconds.value_or(0)};
  const auto done = engine::ValueDump(c.db()).restore(key, *body, restored);
  if (!done) return reply_error(c.reply, done.error());
  if (is_over) c.db().remove(key);
  if (!is_over) {
    c.notify(notify_generic, "restore", key);
  } else if (exists) {
    c.notify(notify_generic, "del", key);
  }
  c.reply.simple("OK");
}

}  // namespace commands::keyspace
