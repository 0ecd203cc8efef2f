#include "base/crc32c.hpp"

#include <array>

namespace base {
namespace {

constexpr std::uint32_t reversed_polynomial = 0x82F63B78U;

consteval std::array<std::uint32_t, 256> build_table() {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t byte = 0; byte < table.size(); ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1U) ^ ((crc & 1U) * reversed_polynomial);
    table[byte] = crc;
  }
  return table;
}
constexpr auto table = build_table();

}  // namespace

std::uint32_t crc32c(std::string_view bytes, std::uint32_t crc) {
  crc = ~crc;
  for (const char byte : bytes) {
    crc = (crc >> 8U) ^ table[(crc ^ static_cast<unsigned char>(byte)) & 0xFFU];
  }
  return ~crc;
}

}  // namespace base
