// The one sequence of fencing numbers: only rises, stays below 2^53.
//
// Where a journal is kept, numbers are reserved in blocks ahead of their use: the reservation is
// journalled (and synced) in the frame that hands out the first number of a block at the latest,
// so that no start of the server ever hands one out again.
#pragma once

#include "base/assert.hpp"

#include <algorithm>
#include <cstdint>

namespace engine {

class TokenSequence {
 public:
  // Small: each start skips the rest of one, and the sequence should not run ahead of the wall
  // clock in microseconds, which is all that is left when the directory is lost.
  static constexpr std::uint64_t block = std::uint64_t{1} << 16U;

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

  // Numbers up to here may have been handed out, now or in a former life.
  [[nodiscard]] std::uint64_t reserved() const { return reserved_; }
  void reserve(std::uint64_t end) { reserved_ = std::max(reserved_, end); }
  // Half of the block is used: time to reserve the next, up to next_reservation().
  [[nodiscard]] bool wants_block() const {
    return std::max(last_, floor_) + block_ / 2 > reserved_;
  }
  [[nodiscard]] std::uint64_t next_reservation() const {
    return std::max({last_, floor_, reserved_}) + block_;
  }
  void set_block(std::uint64_t numbers) { block_ = numbers; }
  // After replay: go on above all that was ever reserved, and above `floor`.
  void go_on_above(std::uint64_t floor) {
    floor_ = std::max({floor_, floor, reserved_, last_});
    if (last_ != 0 || reserved_ != 0) last_ = floor_;
  }

 private:
  std::uint64_t floor_;
  std::uint64_t last_ = 0;
  std::uint64_t reserved_ = 0;
  std::uint64_t block_ = block;
};

}  // namespace engine
