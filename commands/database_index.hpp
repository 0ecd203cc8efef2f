// Numbers of databases as arguments (COPY, MOVE, SWAPDB).
#pragma once

#include "commands/argument_reader.hpp"
#include "engine/keyspace.hpp"

#include <cstdint>
#include <string_view>

namespace commands {

inline constexpr std::string_view database_out_of_range = "ERR DB index is out of range";

[[nodiscard]] inline bool is_database(std::int64_t index) {
  return index >= 0 && index < engine::database_count;
}
// Latches an error when it is not the number of a database.
[[nodiscard]] int read_database_index(ArgumentReader& args);

}  // namespace commands
