// Wall time minus lease time. Absolute deadlines of clients are converted by it. It is read anew
// only when the wall clock was set by more than the warning threshold, so that its slewing moves no
// lease; each such step is logged and counted.
#pragma once

#include "base/clock.hpp"
#include "commands/server_control.hpp"

#include <cstdint>

namespace commands {

inline constexpr std::int64_t clock_step_warning_ms = 500;

class WallOffset {
 public:
  // Both must outlive the object.
  WallOffset(const base::Clock& clock, EventLog& log);

  [[nodiscard]] std::int64_t minus_lease_ms();
  // After lease time was set: no step of the wall clock.
  void read_again() { offset_ms_ = read_ms(); }
  // How often the wall clock was seen to step since the start.
  [[nodiscard]] std::uint64_t steps() const { return steps_; }

 private:
  [[nodiscard]] std::int64_t read_ms() const;

  const base::Clock& clock_;
  EventLog& log_;
  std::int64_t offset_ms_;
  std::uint64_t steps_ = 0;
};

}  // namespace commands
