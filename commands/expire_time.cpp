#include "commands/expire_time.hpp"

#include "engine/entry.hpp"

#include <algorithm>
#include <limits>

namespace commands {
namespace {

using Limits = std::numeric_limits<std::int64_t>;
constexpr std::int64_t latest_deadline = engine::no_deadline - 1;

std::int64_t lease_time_of(std::int64_t wall_ms, std::int64_t wall_minus_lease_ms) {
  std::int64_t lease_ms = 0;
  if (__builtin_sub_overflow(wall_ms, wall_minus_lease_ms, &lease_ms)) {
    return wall_ms < 0 ? Limits::min() : latest_deadline;
  }
  return lease_ms;
}

}  // namespace

std::optional<std::int64_t> deadline_of(const CommandContext& c, std::int64_t amount,
                                        TimeForm form) {
  if (form.unit == TimeUnit::seconds) {
    if (amount > Limits::max() / 1000 || amount < Limits::min() / 1000) return std::nullopt;
    amount *= 1000;
  }
  if (form.base == TimeBase::epoch) {
    return std::min(lease_time_of(amount, c.wall_minus_lease_ms()), latest_deadline);
  }
  const std::int64_t now_ms = c.now_ms();
  if (amount > Limits::max() - now_ms) return std::nullopt;
  return std::min(now_ms + amount, latest_deadline);
}

std::int64_t wall_time_of(const CommandContext& c, std::int64_t deadline_ms) {
  std::int64_t wall_ms = 0;
  if (__builtin_add_overflow(deadline_ms, c.wall_minus_lease_ms(), &wall_ms)) return Limits::max();
  return wall_ms;
}

}  // namespace commands
