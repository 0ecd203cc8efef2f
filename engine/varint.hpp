// Unsigned integers in as few bytes as they need: seven bits a byte, lowest first, the high bit
// says that more follow. Used by packed fields and by frames.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace engine::varint {

inline void write(std::string& out, std::uint64_t number) {
  while (number >= 0x80U) {
    out.push_back(static_cast<char>((number & 0x7FU) | 0x80U));
    number >>= 7U;
  }
  out.push_back(static_cast<char>(number));
}

// Takes a number off the front of `bytes`. False when they end first or it is over 64 bits.
[[nodiscard]] inline bool read(std::string_view& bytes, std::uint64_t& number) {
  number = 0;
  for (unsigned shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    number |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80U) return shift < 63 || byte <= 1;
  }
  return false;
}

// Signed numbers near zero become small ones.
[[nodiscard]] inline std::uint64_t zigzag(std::int64_t number) {
  return (static_cast<std::uint64_t>(number) << 1U) ^ static_cast<std::uint64_t>(number >> 63);
}
[[nodiscard]] inline std::int64_t unzigzag(std::uint64_t number) {
  return static_cast<std::int64_t>(number >> 1U) ^ -static_cast<std::int64_t>(number & 1U);
}

}  // namespace engine::varint
