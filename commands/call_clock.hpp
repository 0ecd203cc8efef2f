// Time stamps for measuring calls, a few nanoseconds each: the processor's counter where it runs
// evenly through sleep and speed changes (invariant TSC), CLOCK_MONOTONIC elsewhere. The counter's
// rate is learnt from CLOCK_MONOTONIC, the more exactly the longer the process runs.
#pragma once

#include <cstdint>
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace commands {

class CallClock {
 public:
  CallClock();

  [[nodiscard]] std::uint64_t ticks() const {
#if defined(__x86_64__)
    if (uses_counter_) [[likely]]
      return __rdtsc();
#endif
    return monotonic_ns();
  }
  // Nanoseconds between two stamps; 0 when a move to another core made time run backwards.
  [[nodiscard]] std::uint64_t ns_between(std::uint64_t start, std::uint64_t end) const {
    return end <= start ? 0 : ((end - start) * ns_per_tick_) >> fraction_bits;
  }
  // Learns the rate anew; costs nothing once it is known well. Now and then.
  void calibrate();
  // 0: the processor's counter is not used.
  [[nodiscard]] std::uint64_t ticks_per_us() const;

 private:
  // Durations up to some hours fit.
  static constexpr unsigned fraction_bits = 20;
  [[nodiscard]] static std::uint64_t monotonic_ns();

  bool uses_counter_ = false;
  bool is_exact_ = false;
  std::uint64_t ns_per_tick_ = std::uint64_t{1} << fraction_bits;  // fixed point
  std::uint64_t first_ticks_ = 0;
  std::uint64_t first_ns_ = 0;
};

}  // namespace commands
