// Bytes and times in lines of the log.
#pragma once

#include <cstdint>
#include <string>

namespace server {

[[nodiscard]] std::string megabytes(std::uint64_t bytes);  // "12.3 MB"
[[nodiscard]] std::string seconds(std::int64_t us);        // "0.25 s"

}  // namespace server
