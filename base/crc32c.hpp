// CRC-32C (Castagnoli): the checksum of dump payloads and journal records.
#pragma once

#include <cstdint>
#include <string_view>

namespace base {

// `crc` is that of the bytes before, to go on from there.
[[nodiscard]] std::uint32_t crc32c(std::string_view bytes, std::uint32_t crc = 0);

}  // namespace base
