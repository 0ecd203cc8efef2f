// The one sequence of fencing numbers: only rises, stays below 2^53.
#pragma once

#include "base/assert.hpp"

#include <algorithm>
#include <cstdint>

namespace engine {

class TokenSequence {
 public:
  // The first number handed out is greater than `floor`.
  explicit TokenSequence(std::uint64_t floor) : floor_(floor) {}

  std::uint64_t next() {
    last_ = std::max(last_, floor_) + 1;
    ASSERT(last_ < (std::uint64_t{1} << 53U));
    return last_;
  }
  // The last number handed out; 0 before the first.
  [[nodiscard]] std::uint64_t last() const { return last_; }
  // Replay: `token` was handed out.
  void saw(std::uint64_t token) { last_ = std::max(last_, token); }
  // Numbers up to `end` may have been handed out: go on above it.
  void raise_floor(std::uint64_t end) { floor_ = std::max(floor_, end); }

 private:
  std::uint64_t floor_;
  std::uint64_t last_ = 0;
};

}  // namespace engine
