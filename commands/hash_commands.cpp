#include "commands/hash_commands.hpp"

#include "commands/argument_reader.hpp"
#include "commands/command_table.hpp"
#include "commands/error_replies.hpp"
#include "commands/key_reading.hpp"
#include "commands/long_double_text.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <vector>

namespace commands::hash {
namespace {

using Value = std::optional<std::string_view>;

Value value_at(const engine::Entry* entry, std::string_view field) {
  return entry == nullptr ? Value() : engine::HashView(*entry).get(field);
}

// The field named by the second argument, of the hash named by the first.
engine::Result<Value> read_field(const CommandContext& c) {
  const Found found = read_typed(c, c.args[1], engine::Type::hash);
  if (!found) return std::unexpected(found.error());
  return value_at(*found, c.args[2]);
}

void reply_value(protocol::ReplySink& reply, const Value& value) {
  if (!value) return reply.null();
  reply.bulk(*value);
}

// Sets the pairs of arguments from the third on. Few pairs need no allocation.
engine::Result<std::size_t> set_pairs(const CommandContext& c) {
  const auto texts = c.args.subspan(2);
  const std::size_t count = texts.size() / 2;
  std::array<engine::FieldValue, 16> few;
  std::vector<engine::FieldValue> many;
  if (count > few.size()) many.resize(count);
  const std::span<engine::FieldValue> pairs =
      count > few.size() ? std::span(many) : std::span(few).first(count);
  for (std::size_t i = 0; i < count; ++i) pairs[i] = {texts[2 * i], texts[2 * i + 1]};
  const auto added = c.db().hash_set(c.args[1], pairs);
  if (added) c.notify(notify_hash, "hset", c.args[1]);
  return added;
}

enum class Shown : std::uint8_t { fields, values };

void reply_column(CommandContext& c, Shown shown) {
  const Found found = read_typed(c, c.args[1], engine::Type::hash);
  if (!found) return reply_error(c.reply, found.error());
  if (*found == nullptr) return c.reply.array(0);
  const engine::HashView view(**found);
  c.reply.array(view.size());
  view.for_each([&](std::string_view field, std::string_view value) {
    c.reply.bulk(shown == Shown::fields ? field : value);
  });
}

}  // namespace

void hget(CommandContext& c) {
  const auto value = read_field(c);
  if (!value) return reply_error(c.reply, value.error());
  reply_value(c.reply, *value);
}

void hexists(CommandContext& c) {
  const auto value = read_field(c);
  if (!value) return reply_error(c.reply, value.error());
  c.reply.integer(value->has_value() ? 1 : 0);
}

void hstrlen(CommandContext& c) {
  const auto value = read_field(c);
  if (!value) return reply_error(c.reply, value.error());
  c.reply.integer(static_cast<std::int64_t>(value->value_or("").size()));
}

void hlen(CommandContext& c) {
  const Found found = read_typed(c, c.args[1], engine::Type::hash);
  if (!found) return reply_error(c.reply, found.error());
  const std::size_t size = *found == nullptr ? 0 : engine::HashView(**found).size();
  c.reply.integer(static_cast<std::int64_t>(size));
}

void hmget(CommandContext& c) {
  const Found found = read_typed(c, c.args[1], engine::Type::hash);
  if (!found) return reply_error(c.reply, found.error());
  const auto fields = c.args.subspan(2);
  c.reply.array(fields.size());
  for (const std::string_view field : fields) reply_value(c.reply, value_at(*found, field));
}

void hgetall(CommandContext& c) {
  const Found found = read_typed(c, c.args[1], engine::Type::hash);
  if (!found) return reply_error(c.reply, found.error());
  if (*found == nullptr) return c.reply.map(0);
  const engine::HashView view(**found);
  c.reply.map(view.size());
  view.for_each([&](std::string_view field, std::string_view value) {
    c.reply.bulk(field);
    c.reply.bulk(value);
  });
}

void hkeys(CommandContext& c) {
  reply_column(c, Shown::fields);
}

void hvals(CommandContext& c) {
  reply_column(c, Shown::values);
}

void hset(CommandContext& c) {
  if (c.args.size() % 2 != 0) return c.reply.error(wrong_arity(full_name(c.spec)));
  const auto added = set_pairs(c);
  if (!added) return reply_error(c.reply, added.error());
  c.reply.integer(static_cast<std::int64_t>(*added));
}

void hmset(CommandContext& c) {
  if (c.args.size() % 2 != 0) return c.reply.error(wrong_arity(full_name(c.spec)));
  const auto added = set_pairs(c);
  if (!added) return reply_error(c.reply, added.error());
  c.reply.simple("OK");
}

void hsetnx(CommandContext& c) {
  const Found found = inspect_typed(c, c.args[1], engine::Type::hash);
  if (!found) return reply_error(c.reply, found.error());
  if (value_at(*found, c.args[2])) return c.reply.integer(0);
  const auto added = set_pairs(c);
  if (!added) return reply_error(c.reply, added.error());
  c.reply.integer(1);
}

void hdel(CommandContext& c) {
  const std::string_view key = c.args[1];
  const auto removed = c.db().hash_remove(key, c.args.subspan(2));
  if (!removed) return reply_error(c.reply, removed.error());
  if (*removed > 0) {
    c.notify(notify_hash, "hdel", key);
    if (c.db().peek(key) == nullptr) c.notify(notify_generic, "del", key);
  }
  c.reply.integer(static_cast<std::int64_t>(*removed));
}

void hincrby(CommandContext& c) {
  ArgumentReader args(c.args, 3);
  const std::int64_t delta = args.next_integer();
  if (!args.done()) return args.reply_error(c.reply);
  const auto sum = c.db().hash_increment(c.args[1], c.args[2], delta);
  if (!sum) return reply_error(c.reply, sum.error());
  c.notify(notify_hash, "hincrby", c.args[1]);
  c.reply.integer(*sum);
}

void hincrbyfloat(CommandContext& c) {
  const auto delta = parse_long_double(c.args[3]);
  if (!delta) return reply_error(c.reply, engine::Error::not_a_real);
  if (!std::isfinite(*delta)) return c.reply.error("ERR value is NaN or Infinity");
  const Found found = inspect_typed(c, c.args[1], engine::Type::hash);
  if (!found) return reply_error(c.reply, found.error());
  const auto old = parse_long_double(value_at(*found, c.args[2]).value_or("0"));
  if (!old) return reply_error(c.reply, engine::Error::hash_value_not_a_real);
  const long double sum = *old + *delta;
  if (!std::isfinite(sum)) return reply_error(c.reply, engine::Error::not_finite);
  const std::string text = format_long_double(sum);
  const engine::FieldValue pair{c.args[2], text};
  const auto stored = c.db().hash_set(c.args[1], std::span(&pair, 1));
  if (!stored) return reply_error(c.reply, stored.error());
  c.notify(notify_hash, "hincrbyfloat", c.args[1]);
  c.reply.bulk(text);
}

}  // namespace commands::hash
