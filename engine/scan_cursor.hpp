// Cursors of SCAN over a table of 2^k buckets that may double or halve between two calls.
#pragma once

#include <cstdint>

namespace engine {

[[nodiscard]] constexpr std::uint64_t with_bits_reversed(std::uint64_t bits) {
  bits = __builtin_bswap64(bits);
  bits = ((bits >> 4U) & 0x0F0F0F0F0F0F0F0FU) | ((bits & 0x0F0F0F0F0F0F0F0FU) << 4U);
  bits = ((bits >> 2U) & 0x3333333333333333U) | ((bits & 0x3333333333333333U) << 2U);
  return ((bits >> 1U) & 0x5555555555555555U) | ((bits & 0x5555555555555555U) << 1U);
}

// Counts up in the reversed bits below `mask` (2^k - 1): buckets that a doubling splits, or a
// halving merges, stay neighbours in this order, so that the scan goes on with what was not visited
// yet.
[[nodiscard]] constexpr std::uint64_t next_cursor(std::uint64_t cursor, std::uint64_t mask) {
  return with_bits_reversed(with_bits_reversed(cursor | ~mask) + 1);
}

}  // namespace engine
