// Points in time as clients write them → deadlines in lease time.
#pragma once

#include "commands/command_context.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace commands {

enum class TimeUnit : std::uint8_t { seconds, milliseconds };
enum class TimeBase : std::uint8_t { now, epoch };  // a ttl, or wall time since 1970

struct TimeForm {
  TimeUnit unit;
  TimeBase base;
  friend bool operator==(TimeForm, TimeForm) = default;
};
inline constexpr TimeForm in_seconds{TimeUnit::seconds, TimeBase::now};
inline constexpr TimeForm in_milliseconds{TimeUnit::milliseconds, TimeBase::now};
inline constexpr TimeForm at_seconds{TimeUnit::seconds, TimeBase::epoch};
inline constexpr TimeForm at_milliseconds{TimeUnit::milliseconds, TimeBase::epoch};

// Nullopt when it is out of range. A result is never engine::no_deadline.
[[nodiscard]] std::optional<std::int64_t> deadline_of(const CommandContext& c, std::int64_t amount,
                                                      TimeForm form);

// Milliseconds since 1970, saturating.
[[nodiscard]] std::int64_t wall_time_of(const CommandContext& c, std::int64_t deadline_ms);

}  // namespace commands
