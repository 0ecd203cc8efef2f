#include "commands/database_index.hpp"

#include <limits>

namespace commands {

int read_database_index(ArgumentReader& args) {
  using Limits = std::numeric_limits<std::int32_t>;
  const std::int64_t index = args.next_integer();
  // Redis 7.0 has another text for what is no 32-bit number.
  if (index < Limits::min() || index > Limits::max()) {
    args.fail("ERR value is out of range, value must between -2147483648 and 2147483647");
  }
  if (!is_database(index)) args.fail(database_out_of_range);
  return args.failed() ? 0 : static_cast<int>(index);
}

}  // namespace commands
