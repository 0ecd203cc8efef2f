// All chance in a simulation comes from one seed.
#pragma once

#include <cstdint>
#include <iterator>
#include <random>

namespace simulation {

class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}

  // 0 … count - 1
  std::uint64_t below(std::uint64_t count) { return bits_() % count; }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
  }
  bool one_in(std::uint64_t count) { return below(count) == 0; }
  std::uint64_t bits() { return bits_(); }
  std::mt19937_64& engine() { return bits_; }

  template <typename Range>
  auto& one_of(Range& range) {
    return range[below(std::size(range))];
  }

 private:
  std::mt19937_64 bits_;
};

}  // namespace simulation
