#include "base/clock.hpp"

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

SystemClock::SystemClock() : lease_offset_us_(read_us(CLOCK_REALTIME) - read_us(CLOCK_BOOTTIME)) {}

std::int64_t SystemClock::boottime_us() {
  return read_us(CLOCK_BOOTTIME);
}

std::int64_t SystemClock::lease_ms() const {
  return (boottime_us() + lease_offset_us_) / 1000;
}

std::int64_t SystemClock::boottime_us_at(std::int64_t deadline_ms) const {
  return deadline_ms * 1000 - lease_offset_us_;
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
