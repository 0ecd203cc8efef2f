// Deadlines of keys: EXPIRE and its kin, TTL and its kin, PERSIST.
#include "commands/argument_reader.hpp"
#include "commands/command_table.hpp"
#include "commands/error_replies.hpp"
#include "commands/expire_time.hpp"
#include "commands/key_reading.hpp"
#include "commands/keyspace_commands.hpp"

#include <optional>
#include <string>

namespace commands::keyspace {
namespace {

struct ExpireCondition {
  bool if_none = false;     // NX
  bool if_some = false;     // XX
  bool if_later = false;    // GT
  bool if_earlier = false;  // LT

  [[nodiscard]] bool is_given() const { return if_none || if_some || if_later || if_earlier; }
  // A key without a deadline counts as one that lives for ever.
  [[nodiscard]] bool allows(std::int64_t old_deadline_ms, std::int64_t deadline_ms) const {
    const bool has_one = old_deadline_ms != engine::no_deadline;
    if (if_none && has_one) return false;
    if (if_some && !has_one) return false;
    if (if_later && deadline_ms <= old_deadline_ms) return false;
    return !if_earlier || deadline_ms < old_deadline_ms;
  }
};

ExpireCondition read_condition(ArgumentReader& args) {
  ExpireCondition condition;
  while (args.has_more()) {
    if (args.take_word("NX")) {
      condition.if_none = true;
    } else if (args.take_word("XX")) {
      condition.if_some = true;
    } else if (args.take_word("GT")) {
      condition.if_later = true;
    } else if (args.take_word("LT")) {
      condition.if_earlier = true;
    } else {
      args.fail("ERR Unsupported option " + std::string(up_to_nul(args.next())));
    }
  }
  if (condition.if_none && (condition.if_some || condition.if_later || condition.if_earlier)) {
    args.fail("ERR NX and XX, GT or LT options at the same time are not compatible");
  }
  if (condition.if_later && condition.if_earlier) {
    args.fail("ERR GT and LT options at the same time are not compatible");
  }
  return condition;
}

// Redis 7.0: the options are complained about before the number. Nullopt: `args` has the error.
std::optional<std::int64_t> read_deadline(const CommandContext& c, ArgumentReader& args,
                                          TimeForm form) {
  ArgumentReader number(c.args.first(3), 2);
  const std::int64_t amount = number.next_integer();
  if (number.failed()) args.fail(error_text::not_an_integer);
  if (args.failed()) return std::nullopt;
  const auto deadline_ms = deadline_of(c, amount, form);
  if (!deadline_ms) args.fail(invalid_expire(full_name(c.spec)));
  return deadline_ms;
}

void set_expiry(CommandContext& c, TimeForm form) {
  ArgumentReader args(c.args, 3);
  const ExpireCondition condition = read_condition(args);
  const auto deadline_ms = read_deadline(c, args, form);
  if (!deadline_ms) return args.reply_error(c.reply);
  const std::string_view key = c.args[1];
  engine::Database& db = c.db();
  if (condition.is_given()) {
    const engine::Entry* entry = db.peek(key);
    const bool allowed = entry != nullptr && condition.allows(entry->deadline_ms(), *deadline_ms);
    if (!allowed) return c.reply.integer(0);
  }
  const bool is_past = *deadline_ms <= c.now_ms();
  const engine::Result<bool> outcome =
      is_past ? db.remove(key) : db.set_deadline(key, *deadline_ms);
  if (!outcome) return reply_error(c.reply, outcome.error());
  const bool changed = *outcome;
  if (changed) c.notify(notify_generic, is_past ? "del" : "expire", key);
  c.reply.integer(changed ? 1 : 0);
}

constexpr std::int64_t reply_absent = -2;
constexpr std::int64_t reply_no_deadline = -1;

// Seconds are rounded to the nearest.
std::int64_t in_unit(std::int64_t ms, TimeUnit unit) {
  if (unit == TimeUnit::milliseconds) return ms;
  return ms / 1000 + (ms % 1000 >= 500 ? 1 : 0);
}

void reply_time(CommandContext& c, TimeForm form) {
  const engine::Entry* entry = read_key_untouched(c, c.args[1]);
  if (entry == nullptr) return c.reply.integer(reply_absent);
  if (!entry->has_deadline()) return c.reply.integer(reply_no_deadline);
  const std::int64_t ms = form.base == TimeBase::now ? entry->deadline_ms() - c.now_ms()
                                                     : wall_time_of(c, entry->deadline_ms());
  c.reply.integer(in_unit(ms, form.unit));
}

}  // namespace

void expire(CommandContext& c) {
  set_expiry(c, in_seconds);
}
void expireat(CommandContext& c) {
  set_expiry(c, at_seconds);
}
void pexpire(CommandContext& c) {
  set_expiry(c, in_milliseconds);
}
void pexpireat(CommandContext& c) {
  set_expiry(c, at_milliseconds);
}

void ttl(CommandContext& c) {
  reply_time(c, in_seconds);
}
void pttl(CommandContext& c) {
  reply_time(c, in_milliseconds);
}
void expiretime(CommandContext& c) {
  reply_time(c, at_seconds);
}
void pexpiretime(CommandContext& c) {
  reply_time(c, at_milliseconds);
}

void persist(CommandContext& c) {
  const std::string_view key = c.args[1];
  const engine::Entry* entry = c.db().peek(key);
  if (entry == nullptr || !entry->has_deadline()) return c.reply.integer(0);
  const auto outcome = c.db().set_deadline(key, engine::no_deadline);
  if (!outcome) return reply_error(c.reply, outcome.error());
  c.notify(notify_generic, "persist", key);
  c.reply.integer(1);
}

}  // namespace commands::keyspace
