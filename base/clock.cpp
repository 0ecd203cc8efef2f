#include "base/clock.hpp"

#include <algorithm>
#include <ctime>
#include <fstream>

namespace base {
namespace {

std::int64_t read_us(clockid_t id) {
  timespec now{};
  clock_gettime(id, &now);
  return std::int64_t{now.tv_sec} * 1'000'000 + now.tv_nsec / 1000;
}

}  // namespace

void LeaseClock::go_on(const Mark& mark, std::int64_t last_lease_ms, std::int64_t last_wall_us) {
  const std::int64_t boottime_us = this->boottime_us();
  if (mark.boot_id == boot_id()) {
    lease_offset_us_ = mark.lease_ms * 1000 - mark.boottime_us;
  } else {
    const std::int64_t down_us = std::max<std::int64_t>(wall_us() - last_wall_us, 0);
    lease_offset_us_ = last_lease_ms * 1000 + down_us - boottime_us;
  }
  lease_offset_us_ = std::max(lease_offset_us_, last_lease_ms * 1000 - boottime_us);
}

SystemClock::SystemClock() : LeaseClock(read_us(CLOCK_REALTIME), read_us(CLOCK_BOOTTIME)) {}

std::int64_t SystemClock::boottime_us() const {
  return read_us(CLOCK_BOOTTIME);
}

std::int64_t SystemClock::wall_us() const {
  return read_us(CLOCK_REALTIME);
}

std::int64_t SystemClock::monotonic_us() const {
  return read_us(CLOCK_MONOTONIC);
}

std::string SystemClock::boot_id() const {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(file, id);
  return id;
}

}  // namespace base
