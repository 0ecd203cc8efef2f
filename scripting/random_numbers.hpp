// The sequence of drand48 (POSIX), which Redis' math.random follows: equal on all machines, seeded
// alike at each start, not restarted between scripts. (Observed on 7.0.15.)
#pragma once

#include <cstdint>

namespace scripting {

class RandomNumbers {
 public:
  void seed(std::int32_t seed) {
    state_ = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(seed)) << 16u) + 0x330Eu;
  }
  // 0 ≤ r < 1.
  double next() {
    state_ = (state_ * 0x5DEECE66DULL + 0xBu) & 0xFFFFFFFFFFFFULL;
    constexpr std::uint64_t range = 0x7FFFFFFF;
    return static_cast<double>((state_ >> 17u) % range) / static_cast<double>(range);
  }

 private:
  std::uint64_t state_ = 0x1234ABCD330EULL;
};

}  // namespace scripting
