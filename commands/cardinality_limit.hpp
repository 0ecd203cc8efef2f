// LIMIT of SINTERCARD and ZINTERCARD: how far to count.
#pragma once

#include "commands/argument_reader.hpp"

#include <cstddef>

namespace commands {

// Reads the options that are left. Without LIMIT, and for 0, there is no end.
[[nodiscard]] std::size_t read_cardinality_limit(ArgumentReader& args);

}  // namespace commands
