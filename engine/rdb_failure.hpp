// Why an RDB file cannot be read, and where.
#pragma once

#include <cstdint>
#include <expected>
#include <string>

namespace engine::rdb {

struct Failure {
  std::string reason;        // one line for people
  std::uint64_t offset = 0;  // in the file: of what was being read
  std::string key;           // its bytes; empty when none was known
};

using Outcome = std::expected<void, Failure>;

}  // namespace engine::rdb
