// How long the calls of one command took: counts in slots that are exact below 32 ns and 3 % wide
// above it (32 slots per doubling), up to a minute. Eight kilobytes, recording is one increment.
#pragma once

#include "base/function_ref.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace commands {

class LatencyHistogram {
 public:
  // `weight`: for how many calls this one stands.
  void record(std::uint64_t ns, std::uint64_t weight = 1) {
    counts_[slot_of(std::min(ns, ns_max))] += weight;
    total_ += weight;
  }
  [[nodiscard]] std::uint64_t total() const { return total_; }
  // The longest duration, in nanoseconds, of the slot in which this percentile (0 … 100) lies; 0
  // when nothing was recorded.
  [[nodiscard]] std::uint64_t ns_at_percentile(double percentile) const;
  // For each power of two of nanoseconds from 1024 on: how many calls took less, until that is all.
  void for_each_doubling(
      base::FunctionRef<void(std::uint64_t ns, std::uint64_t calls_below)> visit) const;

 private:
  static constexpr unsigned slot_bits = 5;
  static constexpr unsigned doublings = 31;
  static constexpr std::size_t slots_per_doubling = std::size_t{1} << slot_bits;
  static constexpr std::uint64_t ns_max = (std::uint64_t{1} << (slot_bits + doublings)) - 1;

  [[nodiscard]] static std::size_t slot_of(std::uint64_t ns) {
    if (ns < slots_per_doubling) return ns;
    const auto shift = static_cast<unsigned>(std::bit_width(ns)) - 1 - slot_bits;
    return (std::size_t{shift} << slot_bits) + (ns >> shift);
  }
  [[nodiscard]] static std::uint64_t last_ns_of(std::size_t slot);

  std::array<std::uint64_t, slots_per_doubling*(doublings + 1)> counts_{};
  std::uint64_t total_ = 0;
};

}  // namespace commands
