#include "commands/string_commands.hpp"

#include "commands/argument_reader.hpp"
#include "commands/command_table.hpp"
#include "commands/error_replies.hpp"
#include "commands/key_reading.hpp"
#include "commands/string_options.hpp"

#include <optional>
#include <string>

namespace commands::string {
namespace {

struct SetOutcome {
  bool done;
  std::optional<std::string> old;  // only with GET
};

// What SET needs to know of the key; null when nothing, so that a plain SET looks nothing up.
Found look_before_set(const CommandContext& c, std::string_view key, const SetOptions& options) {
  if (options.returns_old) return read_typed(c, key, engine::Type::string);
  if (options.compares()) return inspect_typed(c, key, engine::Type::string);
  if (options.condition == SetCondition::always && !options.keeps_deadline) return nullptr;
  return c.db().peek(key);
}

engine::Result<SetOutcome> store(const CommandContext& c, std::string_view key,
                                 std::string_view value, const SetOptions& options) {
  const Found found = look_before_set(c, key, options);
  if (!found) return std::unexpected(found.error());
  const engine::Entry* entry = *found;
  SetOutcome outcome{.done = condition_holds(options, entry), .old = std::nullopt};
  if (options.returns_old && entry != nullptr) outcome.old = entry->string();
  if (!outcome.done) return outcome;
  const bool keeps = options.keeps_deadline && entry != nullptr;
  const std::int64_t deadline_ms = keeps ? entry->deadline_ms() : options.deadline_ms;
  const auto stored = c.db().set_string(key, value, deadline_ms);
  if (!stored) return std::unexpected(stored.error());
  c.notify(notify_string, "set", key);
  if (options.deadline_ms != engine::no_deadline) c.notify(notify_generic, "expire", key);
  return outcome;
}

void reply_old(protocol::ReplySink& reply, const std::optional<std::string>& old) {
  if (!old) return reply.null();
  reply.bulk(*old);
}

// SETEX and PSETEX: name key ttl value.
void set_with_ttl(CommandContext& c, TimeForm form) {
  ArgumentReader args(c.args, c.args.size());
  SetOptions options;
  options.deadline_ms = read_deadline(args, c, {form, c.args[2]});
  if (!args.done()) return args.reply_error(c.reply);
  const auto outcome = store(c, c.args[1], c.args[3], options);
  if (!outcome) return reply_error(c.reply, outcome.error());
  c.reply.simple("OK");
}

// Of an existing key, when renewal is not refused; a deadline that has come deletes it.
void change_deadline(const CommandContext& c, std::string_view key, std::int64_t deadline_ms) {
  if (deadline_ms <= c.now_ms()) {
    c.db().remove(key);
    return c.notify(notify_generic, "del", key);
  }
  static_cast<void>(c.db().set_deadline(key, deadline_ms));
  c.notify(notify_generic, deadline_ms == engine::no_deadline ? "persist" : "expire", key);
}

// MSET and MSETNX, whose arguments have been found to be pairs. Nothing is set after a refusal.
engine::Result<void> set_all(const CommandContext& c) {
  for (std::size_t i = 1; i + 1 < c.args.size(); i += 2) {
    const auto stored = c.db().set_string(c.args[i], c.args[i + 1]);
    if (!stored) return stored;
    c.notify(notify_string, "set", c.args[i]);
  }
  return {};
}

}  // namespace

void get(CommandContext& c) {
  const Found found = read_typed(c, c.args[1], engine::Type::string);
  if (!found) return reply_error(c.reply, found.error());
  if (*found == nullptr) return c.reply.null();
  c.reply.bulk((*found)->string());
}

void set(CommandContext& c) {
  ArgumentReader args(c.args, 3);
  const SetOptions options = read_set_options(args, c);
  if (!args.done()) return args.reply_error(c.reply);
  const auto outcome = store(c, c.args[1], c.args[2], options);
  if (!outcome) return reply_error(c.reply, outcome.error());
  if (options.returns_old) return reply_old(c.reply, outcome->old);
  if (!outcome->done) return c.reply.null();
  c.reply.simple("OK");
}

void setnx(CommandContext& c) {
  SetOptions options;
  options.condition = SetCondition::if_absent;
  const auto outcome = store(c, c.args[1], c.args[2], options);
  if (!outcome) return reply_error(c.reply, outcome.error());
  c.reply.integer(outcome->done ? 1 : 0);
}

void setex(CommandContext& c) {
  set_with_ttl(c, in_seconds);
}

void psetex(CommandContext& c) {
  set_with_ttl(c, in_milliseconds);
}

void getset(CommandContext& c) {
  SetOptions options;
  options.returns_old = true;
  const auto outcome = store(c, c.args[1], c.args[2], options);
  if (!outcome) return reply_error(c.reply, outcome.error());
  reply_old(c.reply, outcome->old);
}

void getdel(CommandContext& c) {
  const std::string_view key = c.args[1];
  const Found found = read_typed(c, key, engine::Type::string);
  if (!found) return reply_error(c.reply, found.error());
  if (*found == nullptr) return c.reply.null();
  c.reply.bulk((*found)->string());
  c.db().remove(key);
  c.notify(notify_generic, "del", key);
}

void getex(CommandContext& c) {
  ArgumentReader args(c.args, 2);
  const GetexOptions options = read_getex_options(args);
  if (!args.done()) return args.reply_error(c.reply);
  const std::string_view key = c.args[1];
  const Found found = read_typed(c, key, engine::Type::string);
  if (!found) return reply_error(c.reply, found.error());
  const engine::Entry* entry = *found;
  if (entry == nullptr) return c.reply.null();
  const std::int64_t deadline_ms =
      options.expiry ? read_deadline(args, c, *options.expiry) : engine::no_deadline;
  if (args.failed()) return args.reply_error(c.reply);
  const bool persists = options.persists && entry->has_deadline();
  const auto refused = persists || options.expiry ? c.db().renewal_refusal() : std::nullopt;
  if (refused) return reply_error(c.reply, *refused);
  c.reply.bulk(entry->string());
  if (persists || options.expiry) change_deadline(c, key, deadline_ms);
}

void mget(CommandContext& c) {
  const auto keys = c.args.subspan(1);
  c.reply.array(keys.size());
  for (const std::string_view key : keys) {
    // A key of another type reads as absent here.
    const engine::Entry* entry = read_key(c, key);
    if (entry == nullptr || entry->type() != engine::Type::string) {
      c.reply.null();
    } else {
      c.reply.bulk(entry->string());
    }
  }
}

void mset(CommandContext& c) {
  if (c.args.size() % 2 == 0) return c.reply.error(wrong_arity(full_name(c.spec)));
  if (const auto stored = set_all(c); !stored) return reply_error(c.reply, stored.error());
  c.reply.simple("OK");
}

void msetnx(CommandContext& c) {
  if (c.args.size() % 2 == 0) return c.reply.error(wrong_arity(full_name(c.spec)));
  for (std::size_t i = 1; i < c.args.size(); i += 2) {
    if (c.db().peek(c.args[i]) != nullptr) return c.reply.integer(0);
  }
  if (const auto stored = set_all(c); !stored) return reply_error(c.reply, stored.error());
  c.reply.integer(1);
}

}  // namespace commands::string
