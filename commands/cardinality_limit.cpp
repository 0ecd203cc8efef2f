#include "commands/cardinality_limit.hpp"

#include "commands/error_replies.hpp"

#include <cstdint>
#include <limits>

namespace commands {

std::size_t read_cardinality_limit(ArgumentReader& args) {
  constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
  std::int64_t limit = 0;
  while (args.has_more()) {
    if (args.left() < 2 || !args.take_word("LIMIT")) {
      args.fail(error_text::syntax);
    } else {
      limit = args.next_integer_between(0, highest, "ERR LIMIT can't be negative");
    }
  }
  return limit == 0 ? std::numeric_limits<std::size_t>::max() : static_cast<std::size_t>(limit);
}

}  // namespace commands
