#include "commands/wall_offset.hpp"

#include <cstdlib>
#include <string>

namespace commands {

WallOffset::WallOffset(const base::Clock& clock, EventLog& log)
    : clock_(clock), log_(log), offset_ms_(read_ms()) {}

std::int64_t WallOffset::read_ms() const {
  return clock_.wall_us() / 1000 - clock_.lease_ms();
}

std::int64_t WallOffset::minus_lease_ms() {
  const std::int64_t offset_ms = read_ms();
  const std::int64_t step_ms = offset_ms - offset_ms_;
  if (std::llabs(step_ms) <= clock_step_warning_ms) return offset_ms_;
  ++steps_;
  offset_ms_ = offset_ms;
  log_.event(LogLevel::warning, "the wall clock was set by " + std::to_string(step_ms) +
                                    " ms; leases go on unchanged, absolute deadlines are now "
                                    "converted by the new clock");
  return offset_ms_;
}

}  // namespace commands
