// Time as an argument. Three kinds, never mixed:
//   lease time      milliseconds; what every deadline in the engine is written in. It never steps:
//                   it advances by CLOCK_BOOTTIME from a start value near the wall clock of the
//                   first start, so setting the machine's clock moves no lease.
//   wall time       microseconds since 1970; only for what clients name absolutely (PXAT, TIME).
//   monotonic time  microseconds since an arbitrary start; for measuring and for timeouts.
#pragma once

#include <cstdint>
#include <string>

namespace base {

class Clock {
 public:
  virtual ~Clock() = default;
  [[nodiscard]] virtual std::int64_t lease_ms() const = 0;
  [[nodiscard]] virtual std::int64_t wall_us() const = 0;
  [[nodiscard]] virtual std::int64_t monotonic_us() const = 0;
  // CLOCK_BOOTTIME, microseconds: counts while the machine sleeps; means nothing after a boot.
  [[nodiscard]] virtual std::int64_t boottime_us() const = 0;
  // Identifies this boot of the machine; lease time goes on by CLOCK_BOOTTIME within one boot.
  [[nodiscard]] virtual std::string boot_id() const = 0;
};

// A clock whose lease time can go on where a former process left it.
class LeaseClock : public Clock {
 public:
  [[nodiscard]] std::int64_t lease_ms() const final {
    return (boottime_us() + lease_offset_us_) / 1000;
  }
  // Lease time as it stood at an instant of some boot.
  struct Mark {
    std::int64_t lease_ms = 0;
    std::int64_t boottime_us = 0;
    std::string boot_id;
  };
  // Lease time goes on: from `mark` when this is the same boot of the machine, else from
  // `last_lease_ms`, which was read at `last_wall_us`. The time in between counts, unless the wall
  // clock says it was negative. Never below `last_lease_ms`.
  void go_on(const Mark& mark, std::int64_t last_lease_ms, std::int64_t last_wall_us);
  // The instant of CLOCK_BOOTTIME at which lease_ms() begins to read `deadline_ms`.
  [[nodiscard]] std::int64_t boottime_us_at(std::int64_t deadline_ms) const {
    return deadline_ms * 1000 - lease_offset_us_;
  }

 protected:
  // Lease time reads `wall_us` when CLOCK_BOOTTIME reads `boottime_us`: so early on it reads like
  // the wall clock.
  LeaseClock(std::int64_t wall_us, std::int64_t boottime_us)
      : lease_offset_us_(wall_us - boottime_us) {}

 private:
  std::int64_t lease_offset_us_;
};

class SystemClock final : public LeaseClock {
 public:
  // Lease time starts at the wall clock of this moment.
  SystemClock();
  [[nodiscard]] std::int64_t wall_us() const override;
  [[nodiscard]] std::int64_t monotonic_us() const override;
  [[nodiscard]] std::string boot_id() const override;
  [[nodiscard]] std::int64_t boottime_us() const override;
};

// For tests: moves only when told to. Wall time follows lease time unless it is
// stepped on its own.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(std::int64_t start_ms = 1'700'000'000'000) : lease_us_(start_ms * 1000) {}
  void advance_ms(std::int64_t ms) { lease_us_ += ms * 1000; }
  void step_wall_ms(std::int64_t ms) { wall_step_us_ += ms * 1000; }
  [[nodiscard]] std::int64_t lease_ms() const override { return lease_us_ / 1000; }
  [[nodiscard]] std::int64_t wall_us() const override { return lease_us_ + wall_step_us_; }
  [[nodiscard]] std::int64_t monotonic_us() const override { return lease_us_; }
  [[nodiscard]] std::int64_t boottime_us() const override { return lease_us_; }
  [[nodiscard]] std::string boot_id() const override { return "manual"; }

 private:
  std::int64_t lease_us_;
  std::int64_t wall_step_us_ = 0;
};

}  // namespace base
