// Timeouts of calls, as clients give them: milliseconds from now, on the monotonic clock.
#pragma once

#include "base/clock.hpp"

#include <cstdint>
#include <limits>

namespace commands {

// The monotonic instant, in microseconds, `ms` (≥ 0) from now; the far future where that overflows.
[[nodiscard]] inline std::int64_t instant_after(const base::Clock& clock, std::int64_t ms) {
  const std::int64_t now_us = clock.monotonic_us();
  const std::int64_t most_ms = (std::numeric_limits<std::int64_t>::max() - now_us) / 1000;
  return ms > most_ms ? std::numeric_limits<std::int64_t>::max() : now_us + ms * 1000;
}

}  // namespace commands
