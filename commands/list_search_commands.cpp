#include "commands/argument_reader.hpp"
#include "commands/error_replies.hpp"
#include "commands/key_reading.hpp"
#include "commands/list_commands.hpp"
#include "engine/list_value.hpp"

#include <limits>
#include <vector>

namespace commands::list {
namespace {

struct Search {
  std::uint64_t skipped = 0;  // matches before the first that is told
  bool backward = false;
  bool has_count = false;
  std::uint64_t matches_max = 1;
  std::uint64_t compared_max = std::numeric_limits<std::uint64_t>::max();
};

void read_rank(ArgumentReader& args, Search& search) {
  const std::int64_t rank = args.next_integer();
  if (args.failed()) return;
  if (rank == 0) {
    return args.fail(
        "ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... or "
        "use negative to start from the end of the list");
  }
  search.backward = rank < 0;
  search.skipped = static_cast<std::uint64_t>(rank < 0 ? -(rank + 1) : rank - 1);
  // What Redis makes of the one number that has no opposite.
  if (rank == std::numeric_limits<std::int64_t>::min()) search.skipped = 0;
}

// 0: no limit.
std::uint64_t read_limit(ArgumentReader& args, std::string_view error) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const std::int64_t limit = args.next_integer_between(0, most, error);
  if (limit == 0) return std::numeric_limits<std::uint64_t>::max();
  return static_cast<std::uint64_t>(limit);
}

Search read_search(ArgumentReader& args) {
  Search search;
  while (args.has_more()) {
    const bool has_value = args.left() > 1;
    if (has_value && args.take_word("RANK")) {
      read_rank(args, search);
    } else if (has_value && args.take_word("COUNT")) {
      search.has_count = true;
      search.matches_max = read_limit(args, "ERR COUNT can't be negative");
    } else if (has_value && args.take_word("MAXLEN")) {
      search.compared_max = read_limit(args, "ERR MAXLEN can't be negative");
    } else {
      args.fail(error_text::syntax);
    }
  }
  return search;
}

std::vector<std::size_t> find(const engine::ListValue& list, std::string_view element,
                              Search search) {
  std::vector<std::size_t> matches;
  std::size_t index = search.backward ? list.size() - 1 : 0;
  std::uint64_t compared = 0;
  const auto look = [&](std::string_view candidate) {
    ++compared;
    const bool equals = candidate == element;
    if (equals && search.skipped == 0) matches.push_back(index);
    if (equals && search.skipped > 0) --search.skipped;
    index += search.backward ? ~std::size_t{0} : 1;
    return matches.size() < search.matches_max && compared < search.compared_max;
  };
  if (search.backward) {
    list.visit_backward(index, look);
  } else {
    list.visit_forward(index, look);
  }
  return matches;
}

}  // namespace

void lpos(CommandContext& c) {
  ArgumentReader args(c.args, 3);
  const Search search = read_search(args);
  if (!args.done()) return args.reply_error(c.reply);
  const Found found = read_typed(c, c.args[1], engine::Type::list);
  if (!found) return reply_error(c.reply, found.error());
  std::vector<std::size_t> matches;
  if (*found != nullptr) matches = find(engine::list_of(**found), c.args[2], search);
  if (search.has_count) {
    c.reply.array(matches.size());
    for (const std::size_t index : matches) c.reply.integer(static_cast<std::int64_t>(index));
  } else if (matches.empty()) {
    c.reply.null();
  } else {
    c.reply.integer(static_cast<std::int64_t>(matches.front()));
  }
}

}  // namespace commands::list
