#include "commands/list_ends.hpp"

#include "base/integers.hpp"
#include "commands/error_replies.hpp"
#include "commands/key_reading.hpp"
#include "engine/list_keys.hpp"
#include "engine/list_value.hpp"

#include <algorithm>

namespace commands::list {
namespace {

std::string_view pop_event(Side side) {
  return side == Side::left ? "lpop" : "rpop";
}

void tell_taken(CommandContext& c, std::string_view key, Side side) {
  c.notify(notify_list, pop_event(side), key);
  if (c.db().peek(key) == nullptr) c.notify(notify_generic, "del", key);
}

// As Redis has it: whatever is no number at all gets the same words.
std::int64_t read_positive(ArgumentReader& args, std::string_view error) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  return args.next_integer_between(1, most, error);
}

}  // namespace

Side read_side(ArgumentReader& args) {
  if (args.take_word("LEFT")) return Side::left;
  if (!args.take_word("RIGHT")) args.fail(error_text::syntax);
  return Side::right;
}

ManyKeysPop read_many_keys_pop(ArgumentReader& args) {
  ManyKeysPop pop;
  const auto keys =
      static_cast<std::size_t>(read_positive(args, "ERR numkeys should be greater than 0"));
  // A side follows the keys.
  if (keys >= args.left()) args.fail(error_text::syntax);
  pop.keys = args.take(keys);
  pop.side = read_side(args);
  if (!args.has_more()) return pop;
  if (!args.take_word("COUNT")) args.fail(error_text::syntax);
  pop.count = static_cast<std::size_t>(read_positive(args, "ERR count should be greater than 0"));
  return pop;
}

FirstList first_list(const CommandContext& c, std::span<const std::string_view> keys,
                     std::string_view& key) {
  for (const std::string_view candidate : keys) {
    const Found found = inspect_typed(c, candidate, engine::Type::list);
    if (!found) return std::unexpected(found.error());
    key = candidate;
    if (*found != nullptr) return *found;
  }
  return nullptr;
}

void pop_one(CommandContext& c, std::string_view key, Side side) {
  const engine::ListValue& list = engine::list_of(*c.db().peek(key));
  c.reply.bulk(list.at(side == Side::left ? 0 : list.size() - 1));
  engine::ListKeys(c.db()).pop(key, side, 1);
  tell_taken(c, key, side);
}

void pop_some(CommandContext& c, std::string_view key, Side side, std::size_t count) {
  const engine::ListValue& list = engine::list_of(*c.db().peek(key));
  std::size_t left = std::min(count, list.size());
  c.reply.array(left);
  if (left == 0) return;
  const std::size_t taken = left;
  const auto show = [&](std::string_view element) {
    c.reply.bulk(element);
    return --left > 0;
  };
  if (side == Side::left) {
    list.visit_forward(0, show);
  } else {
    list.visit_backward(list.size() - 1, show);
  }
  engine::ListKeys(c.db()).pop(key, side, taken);
  tell_taken(c, key, side);
}

void move_one(CommandContext& c, const Move& move) {
  const auto moved =
      engine::ListKeys(c.db()).move(move.from, move.from_side, move.to, move.to_side);
  if (!moved) return reply_error(c.reply, moved.error());
  c.notify(notify_list, move.to_side == Side::left ? "lpush" : "rpush", move.to);
  c.reply.bulk(*moved);
  tell_taken(c, move.from, move.from_side);
}

void move_now(CommandContext& c, const Move& move) {
  const Found found = inspect_typed(c, move.from, engine::Type::list);
  if (!found) return reply_error(c.reply, found.error());
  if (*found == nullptr) return c.reply.null();
  const Found target = inspect_typed(c, move.to, engine::Type::list);
  if (!target) return reply_error(c.reply, target.error());
  const auto refused = move.from != move.to ? c.db().growth_refusal() : std::nullopt;
  if (refused) return reply_error(c.reply, *refused);
  move_one(c, move);
}

}  // namespace commands::list
