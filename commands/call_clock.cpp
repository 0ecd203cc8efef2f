#include "commands/call_clock.hpp"

#include <cmath>
#include <ctime>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace commands {
namespace {

// How long the first look at the counter takes; good for three digits.
constexpr std::uint64_t first_look_ns = 200'000;
// From here on the rate is better than the oscillator.
constexpr std::uint64_t exact_after_ns = 10'000'000'000;

bool counter_is_invariant() {
#if defined(__x86_64__)
  constexpr unsigned power_leaf = 0x80000007;
  constexpr unsigned invariant_bit = 1u << 8u;
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  if (__get_cpuid_max(0x80000000, nullptr) < power_leaf) return false;
  return __get_cpuid(power_leaf, &a, &b, &c, &d) != 0 && (d & invariant_bit) != 0;
#else
  return false;
#endif
}

}  // namespace

std::uint64_t CallClock::monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(now.tv_nsec);
}

CallClock::CallClock() : uses_counter_(counter_is_invariant()) {
  if (!uses_counter_) return;
  first_ticks_ = ticks();
  first_ns_ = monotonic_ns();
  while (monotonic_ns() - first_ns_ < first_look_ns) {
  }
  calibrate();
}

void CallClock::calibrate() {
  if (!uses_counter_ || is_exact_) return;
  const std::uint64_t ticks_passed = ticks() - first_ticks_;
  const std::uint64_t ns_passed = monotonic_ns() - first_ns_;
  if (ticks_passed == 0 || ns_passed < first_look_ns) return;
  const double rate = static_cast<double>(ns_passed) / static_cast<double>(ticks_passed);
  ns_per_tick_ = static_cast<std::uint64_t>(
      std::llround(rate * static_cast<double>(std::uint64_t{1} << fraction_bits)));
  is_exact_ = ns_passed >= exact_after_ns;
}

std::uint64_t CallClock::ticks_per_us() const {
  if (!uses_counter_ || ns_per_tick_ == 0) return 0;
  return (std::uint64_t{1000} << fraction_bits) / ns_per_tick_;
}

}  // namespace commands
