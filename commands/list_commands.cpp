#include "commands/list_commands.hpp"

#include "base/integers.hpp"
#include "commands/command_table.hpp"
#include "commands/error_replies.hpp"
#include "commands/key_reading.hpp"
#include "commands/list_ends.hpp"
#include "engine/list_keys.hpp"
#include "engine/list_value.hpp"

#include <algorithm>
#include <optional>

namespace commands::list {
namespace {

std::size_t size_of(const engine::Entry* entry) {
  return entry == nullptr ? 0 : engine::list_of(*entry).size();
}

void reply_size(CommandContext& c, std::size_t size) {
  c.reply.integer(static_cast<std::int64_t>(size));
}

void push(CommandContext& c, Side side) {
  const auto size = engine::ListKeys(c.db()).push(c.args[1], side, c.args.subspan(2));
  if (!size) return reply_error(c.reply, size.error());
  c.notify(notify_list, side == Side::left ? "lpush" : "rpush", c.args[1]);
  reply_size(c, *size);
}

void push_if_there(CommandContext& c, Side side) {
  const Found found = inspect_typed(c, c.args[1], engine::Type::list);
  if (!found) return reply_error(c.reply, found.error());
  if (*found == nullptr) return c.reply.integer(0);
  push(c, side);
}

void pop(CommandContext& c, Side side) {
  if (c.args.size() > 3) return c.reply.error(wrong_arity(full_name(c.spec)));
  ArgumentReader args(c.args, 2);
  const bool has_count = args.has_more();
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const std::int64_t count =
      has_count ? args.next_integer_between(0, most, error_text::out_of_range_positive) : 1;
  if (!args.done()) return args.reply_error(c.reply);
  const Found found = inspect_typed(c, c.args[1], engine::Type::list);
  if (!found) return reply_error(c.reply, found.error());
  if (*found == nullptr) return has_count ? c.reply.null_array() : c.reply.null();
  if (!has_count) return pop_one(c, c.args[1], side);
  pop_some(c, c.args[1], side, static_cast<std::size_t>(count));
}

// Negative indices count from the end. Nullopt: outside.
std::optional<std::size_t> index_in(std::int64_t index, std::size_t size) {
  const auto length = static_cast<std::int64_t>(size);
  if (index < -length || index >= length) return std::nullopt;
  return static_cast<std::size_t>(index < 0 ? index + length : index);
}

struct Range {
  std::size_t start = 0;
  std::size_t count = 0;
};

// Both ends included, as LRANGE and LTRIM name them.
Range range_in(std::int64_t start, std::int64_t stop, std::size_t size) {
  const auto length = static_cast<std::int64_t>(size);
  if (start < 0) start = std::max<std::int64_t>(start + length, 0);
  if (stop < 0) stop += length;
  stop = std::min(stop, length - 1);
  if (start > stop || start >= length) return {};
  return {static_cast<std::size_t>(start), static_cast<std::size_t>(stop - start + 1)};
}

}  // namespace

void lpush(CommandContext& c) {
  push(c, Side::left);
}
void rpush(CommandContext& c) {
  push(c, Side::right);
}
void lpushx(CommandContext& c) {
  push_if_there(c, Side::left);
}
void rpushx(CommandContext& c) {
  push_if_there(c, Side::right);
}
void lpop(CommandContext& c) {
  pop(c, Side::left);
}
void rpop(CommandContext& c) {
  pop(c, Side::right);
}

void llen(CommandContext& c) {
  const Found found = read_typed(c, c.args[1], engine::Type::list);
  if (!found) return reply_error(c.reply, found.error());
  reply_size(c, size_of(*found));
}

void lindex(CommandContext& c) {
  const Found found = read_typed(c, c.args[1], engine::Type::list);
  if (!found) return reply_error(c.reply, found.error());
  if (*found == nullptr) return c.reply.null();
  const auto number = base::parse_int64(c.args[2]);
  if (!number) return c.reply.error(error_text::not_an_integer);
  const engine::ListValue& list = engine::list_of(**found);
  const auto index = index_in(*number, list.size());
  if (!index) return c.reply.null();
  c.reply.bulk(list.at(*index));
}

void lrange(CommandContext& c) {
  ArgumentReader args(c.args, 2);
  const std::int64_t start = args.next_integer();
  const std::int64_t stop = args.next_integer();
  if (!args.done()) return args.reply_error(c.reply);
  const Found found = read_typed(c, c.args[1], engine::Type::list);
  if (!found) return reply_error(c.reply, found.error());
  Range range = range_in(start, stop, size_of(*found));
  c.reply.array(range.count);
  if (range.count == 0) return;
  engine::list_of(**found).visit_forward(range.start, [&](std::string_view element) {
    c.reply.bulk(element);
    return --range.count > 0;
  });
}

void lset(CommandContext& c) {
  const Found found = inspect_typed(c, c.args[1], engine::Type::list);
  if (!found) return reply_error(c.reply, found.error());
  if (*found == nullptr) return c.reply.error(error_text::no_such_key);
  const auto number = base::parse_int64(c.args[2]);
  if (!number) return c.reply.error(error_text::not_an_integer);
  const auto index = index_in(*number, size_of(*found));
  if (!index) return c.reply.error("ERR index out of range");
  const auto done = engine::ListKeys(c.db()).set(c.args[1], *index, c.args[3]);
  if (!done) return reply_error(c.reply, done.error());
  c.notify(notify_list, "lset", c.args[1]);
  c.reply.simple("OK");
}

void linsert(CommandContext& c) {
  ArgumentReader args(c.args, 2);
  const bool before = args.take_word("BEFORE");
  if (!before && !args.take_word("AFTER")) return c.reply.error(error_text::syntax);
  const Found found = inspect_typed(c, c.args[1], engine::Type::list);
  if (!found) return reply_error(c.reply, found.error());
  if (*found == nullptr) return c.reply.integer(0);
  const std::size_t size = size_of(*found);
  std::size_t index = 0;
  engine::list_of(**found).visit_forward(0, [&](std::string_view element) {
    if (element == c.args[3]) return false;
    ++index;
    return true;
  });
  if (index == size) return c.reply.integer(-1);
  const auto done =
      engine::ListKeys(c.db()).insert(c.args[1], before ? index : index + 1, c.args[4]);
  if (!done) return reply_error(c.reply, done.error());
  c.notify(notify_list, "linsert", c.args[1]);
  reply_size(c, size + 1);
}

void lrem(CommandContext& c) {
  ArgumentReader args(c.args, 2);
  const std::int64_t count = args.next_integer();
  if (args.failed()) return args.reply_error(c.reply);
  const Found found = inspect_typed(c, c.args[1], engine::Type::list);
  if (!found) return reply_error(c.reply, found.error());
  if (*found == nullptr) return c.reply.integer(0);
  const std::size_t removed = engine::ListKeys(c.db()).remove(c.args[1], c.args[3], count);
  if (removed > 0) {
    c.notify(notify_list, "lrem", c.args[1]);
    if (c.db().peek(c.args[1]) == nullptr) c.notify(notify_generic, "del", c.args[1]);
  }
  reply_size(c, removed);
}

void ltrim(CommandContext& c) {
  ArgumentReader args(c.args, 2);
  const std::int64_t start = args.next_integer();
  const std::int64_t stop = args.next_integer();
  if (!args.done()) return args.reply_error(c.reply);
  const Found found = inspect_typed(c, c.args[1], engine::Type::list);
  if (!found) return reply_error(c.reply, found.error());
  if (*found == nullptr) return c.reply.simple("OK");
  const std::size_t size = size_of(*found);
  const Range kept = range_in(start, stop, size);
  const std::size_t end = kept.start + kept.count;
  engine::ListKeys(c.db()).erase(c.args[1], end, size - end);
  if (kept.count > 0) engine::ListKeys(c.db()).erase(c.args[1], 0, kept.start);
  c.notify(notify_list, "ltrim", c.args[1]);
  if (kept.count == 0) c.notify(notify_generic, "del", c.args[1]);
  c.reply.simple("OK");
}

}  // namespace commands::list
