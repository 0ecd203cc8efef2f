// RDB files put together by hand, byte by byte (grammar: rdb_reader.hpp, rdb_input.hpp).
#pragma once

#include "tests/support/disk/memory_file_system.hpp"

#include <bit>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>

namespace rdb_bytes {

inline std::string little(std::uint64_t number, int bytes) {
  std::string text;
  for (; bytes > 0; --bytes, number >>= 8U) text.push_back(static_cast<char>(number & 0xFFU));
  return text;
}
inline std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text.push_back(static_cast<char>(value));
  return text;
}
inline std::string length(std::uint64_t number) {
  if (number < 64) return bytes({static_cast<int>(number)});
  if (number < 16384) {
    return bytes({static_cast<int>(0x40U | number >> 8U), static_cast<int>(number & 0xFFU)});
  }
  std::string text = bytes({0x80});
  for (int shift = 24; shift >= 0; shift -= 8) text.push_back(static_cast<char>(number >> shift));
  return text;
}
inline std::string str(std::string_view text) {
  return length(text.size()).append(text);
}
inline std::string number(double score) {
  return little(std::bit_cast<std::uint64_t>(score), 8);
}
inline std::string key(int type, std::string_view name, std::string_view value) {
  return bytes({type}) + str(name) + std::string(value);
}
inline std::string file(std::string_view parts, std::string_view version = "0010") {
  return "REDIS" + std::string(version) + std::string(parts) + bytes({0xFF}) + little(0, 8);
}
// A listpack or ziplist around its items.
inline std::string listpack(std::uint64_t count, std::string_view items) {
  return little(4 + 2 + items.size() + 1, 4) + little(count, 2) + std::string(items) +
         bytes({0xFF});
}
inline std::string ziplist(std::uint64_t count, std::string_view items) {
  return little(4 + 4 + 2 + items.size() + 1, 4) + little(0, 4) + little(count, 2) +
         std::string(items) + bytes({0xFF});
}

inline std::unique_ptr<engine::File> opened(test::MemoryFileSystem& files, std::string content) {
  files.set_content("dump.rdb", std::move(content));
  return std::move(*files.open("dump.rdb", engine::OpenMode::read));
}

// As Redis computes it, bit by bit.
inline std::uint64_t crc64(std::string_view text) {
  constexpr std::uint64_t reflected_polynomial = 0x95AC9329AC4BC9B5U;
  std::uint64_t rest = 0;
  for (const char byte : text) {
    rest ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) {
      rest = rest >> 1U ^ ((rest & 1U) != 0 ? reflected_polynomial : 0);
    }
  }
  return rest;
}

}  // namespace rdb_bytes
