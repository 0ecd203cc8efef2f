// Taking members off an end: ZPOPMIN, ZPOPMAX, ZMPOP.
#include "commands/argument_reader.hpp"
#include "commands/error_replies.hpp"
#include "commands/sorted_set_commands.hpp"
#include "commands/sorted_set_pop.hpp"

#include <limits>
#include <optional>

namespace commands::sorted_set {
namespace {

constexpr std::int64_t count_max = std::numeric_limits<std::int64_t>::max();

// ZPOPMIN key [count].
void pop_one_key(CommandContext& c, PopEnd end) {
  ArgumentReader args(c.args, 2);
  std::optional<std::int64_t> count;
  if (args.has_more()) {
    // Redis 7.0: a third argument too many is found first.
    if (args.left() > 1) return c.reply.error(error_text::syntax);
    count = args.next_integer_between(0, count_max, "ERR value is out of range, must be positive");
  }
  if (!args.done()) return args.reply_error(c.reply);
  const FoundSortedSet found = inspect_sorted_set(c, c.args[1]);
  if (!found) return reply_error(c.reply, found.error());
  if (*found == nullptr || count == 0) return c.reply.array(0);
  const Pop pop{c.args[1], end, static_cast<std::size_t>(count.value_or(1))};
  // With a count RESP3 nests pairs; the one member alone is a pair in either version.
  const bool nested = count && c.reply.version() == protocol::RespVersion::resp3;
  const std::size_t popped = std::min(pop.count, (*found)->size());
  c.reply.array(nested ? popped : 2 * popped);
  pop_members(c, **found, pop, nested ? Pairs::nested : Pairs::flat);
}

}  // namespace

void zpopmin(CommandContext& c) {
  pop_one_key(c, PopEnd::lowest);
}
void zpopmax(CommandContext& c) {
  pop_one_key(c, PopEnd::highest);
}

void zmpop(CommandContext& c) {
  ArgumentReader args(c.args, 1);
  const KeyedPop pop = read_keyed_pop(args);
  if (!args.done()) return args.reply_error(c.reply);
  if (!pop_first_of(c, pop)) c.reply.null_array();
}

}  // namespace commands::sorted_set
