// Versions as clients read them: the Redis release whose behaviour this server has, and its own.
#pragma once

#include <string_view>

namespace commands {

inline constexpr std::string_view redis_version = "7.0.15";
// The project's version, from the build.
extern const std::string_view mortise_version;

}  // namespace commands
