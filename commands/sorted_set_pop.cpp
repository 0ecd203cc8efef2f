#include "commands/sorted_set_pop.hpp"

#include "commands/error_replies.hpp"

#include <algorithm>
#include <limits>

namespace commands {
namespace {

constexpr std::int64_t number_max = std::numeric_limits<std::int64_t>::max();

}  // namespace

void pop_members(CommandContext& c, const engine::SortedSetValue& value, const Pop& pop,
                 Pairs pairs) {
  const bool from_lowest = pop.end == PopEnd::lowest;
  const std::size_t size = value.size();
  const std::size_t count = std::min(pop.count, size);
  value.visit(0, count, from_lowest ? engine::Order::ascending : engine::Order::descending,
              [&](const engine::ScoredMember& item) {
                if (pairs == Pairs::nested) c.reply.array(2);
                c.reply.bulk(item.member);
                c.reply.real(item.score);
              });
  c.db().remove_ranks(pop.key, from_lowest ? 0 : size - count, count);
  c.notify(notify_zset, from_lowest ? "zpopmin" : "zpopmax", pop.key);
  if (count == size) c.notify(notify_generic, "del", pop.key);
}

KeyedPop read_keyed_pop(ArgumentReader& args) {
  KeyedPop pop;
  const auto keys = static_cast<std::size_t>(
      args.next_integer_between(1, number_max, "ERR numkeys should be greater than 0"));
  if (args.left() <= keys) args.fail(error_text::syntax);
  pop.keys = args.take(keys);
  if (args.take_word("MAX")) {
    pop.end = PopEnd::highest;
  } else if (!args.take_word("MIN")) {
    args.fail(error_text::syntax);
  }
  if (args.has_more()) {
    if (args.left() < 2 || !args.take_word("COUNT")) args.fail(error_text::syntax);
    pop.count = static_cast<std::size_t>(
        args.next_integer_between(1, number_max, "ERR count should be greater than 0"));
  }
  return pop;
}

bool pop_first_of(CommandContext& c, const KeyedPop& pop) {
  for (const std::string_view key : pop.keys) {
    const FoundSortedSet found = inspect_sorted_set(c, key);
    if (!found) {
      reply_error(c.reply, found.error());
      return true;
    }
    if (*found == nullptr) continue;
    c.reply.array(2);
    c.reply.bulk(key);
    c.reply.array(std::min(pop.count, (*found)->size()));
    pop_members(c, **found, {key, pop.end, pop.count}, Pairs::nested);
    return true;
  }
  return false;
}

}  // namespace commands
