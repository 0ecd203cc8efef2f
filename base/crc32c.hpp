// CRC-32C (Castagnoli, RFC 3720): the checksum of what goes to disk.
#pragma once

#include <cstdint>
#include <string_view>

namespace base {

// Of `bytes` behind those that gave `before`.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes, std::uint32_t before = 0);

}  // namespace base
