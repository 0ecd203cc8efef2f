// SINTER, SUNION, SDIFF and what stores or counts them.
#include "commands/argument_reader.hpp"
#include "commands/cardinality_limit.hpp"
#include "commands/error_replies.hpp"
#include "commands/key_reading.hpp"
#include "commands/set_algebra.hpp"
#include "commands/set_commands.hpp"

#include <limits>

namespace commands::set {
namespace {

enum class Operation : std::uint8_t { intersection, set_union, difference };

// Every key is looked up and its type checked, whatever the others turn out to be.
engine::Result<Sets> read_sets(const CommandContext& c, std::span<const std::string_view> keys) {
  Sets sets;
  sets.reserve(keys.size());
  for (const std::string_view key : keys) {
    const Found found = read_typed(c, key, engine::Type::set);
    if (!found) return std::unexpected(found.error());
    sets.push_back(*found == nullptr ? nullptr : &engine::set_of(**found));
  }
  return sets;
}

engine::Result<SetResult> compute(const CommandContext& c, Operation operation,
                                  std::span<const std::string_view> keys) {
  auto sets = read_sets(c, keys);
  if (!sets) return std::unexpected(sets.error());
  const std::size_t integers_max = c.keyspace.limits().intset_members_max;
  switch (operation) {
    case Operation::intersection:
      return intersection_of(std::move(*sets), integers_max);
    case Operation::set_union:
      return union_of(*sets, integers_max);
    case Operation::difference:
      break;
  }
  return difference_of(*sets, integers_max);
}

void reply_result(CommandContext& c, Operation operation) {
  const auto result = compute(c, operation, c.args.subspan(1));
  if (!result) return reply_error(c.reply, result.error());
  c.reply.set(result->members.size());
  for (const std::string& member : result->members) c.reply.bulk(member);
}

void store_result(CommandContext& c, Operation operation, std::string_view event) {
  const std::string_view key = c.args[1];
  const auto result = compute(c, operation, c.args.subspan(2));
  if (!result) return reply_error(c.reply, result.error());
  if (result->members.empty()) {
    if (c.db().remove(key)) c.notify(notify_generic, "del", key);
    return c.reply.integer(0);
  }
  const auto stored = c.db().set_put(key, views_of(result->members), result->encoding);
  if (!stored) return reply_error(c.reply, stored.error());
  c.notify(notify_set, event, key);
  c.reply.integer(static_cast<std::int64_t>(result->members.size()));
}

}  // namespace

void sinter(CommandContext& c) {
  reply_result(c, Operation::intersection);
}

void sunion(CommandContext& c) {
  reply_result(c, Operation::set_union);
}

void sdiff(CommandContext& c) {
  reply_result(c, Operation::difference);
}

void sinterstore(CommandContext& c) {
  store_result(c, Operation::intersection, "sinterstore");
}

void sunionstore(CommandContext& c) {
  store_result(c, Operation::set_union, "sunionstore");
}

void sdiffstore(CommandContext& c) {
  store_result(c, Operation::difference, "sdiffstore");
}

void sintercard(CommandContext& c) {
  constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
  ArgumentReader args(c.args, 1);
  const auto count = static_cast<std::size_t>(
      args.next_integer_between(1, highest, "ERR numkeys should be greater than 0"));
  if (count > args.left()) args.fail("ERR Number of keys can't be greater than number of args");
  const auto keys = args.take(count);
  const std::size_t limit = read_cardinality_limit(args);
  if (!args.done()) return args.reply_error(c.reply);
  auto sets = read_sets(c, keys);
  if (!sets) return reply_error(c.reply, sets.error());
  c.reply.integer(static_cast<std::int64_t>(count_shared(std::move(*sets), limit)));
}

}  // namespace commands::set
