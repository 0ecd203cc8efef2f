// What a Keyspace counts.
#pragma once

#include <cstdint>

namespace engine {

struct KeyspaceCounters {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t expired = 0;
  std::uint64_t changes = 0;  // mutations since the start, expiry included
};

}  // namespace engine
