// The bytes of an RDB file from front to back, through a window: files may be larger than memory.
// Checksums what it passes. The first failure is kept: from then on every read gives zeros, so
// loops whose number of turns comes from the file ask failed() each time.
//
// length  00 + 6 bits | 01 + 14 bits | 80 and u32 | 81 and u64 (all big-endian)
//         or 11 + 6 bits: a string of a special kind follows
// string  length, bytes
//         | C0 i8 | C1 i16 | C2 i32 (little-endian): the decimal text of that integer
//         | C3, length compressed, length plain, LZF bytes
#pragma once

#include "engine/file_system.hpp"
#include "engine/rdb_failure.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace engine::rdb {

class Input {
 public:
  // `file` outlives it.
  explicit Input(File& file);

  [[nodiscard]] std::uint8_t read_byte();
  // Unsigned, little-endian, at most eight bytes.
  [[nodiscard]] std::uint64_t read_little(std::size_t bytes);
  [[nodiscard]] std::uint64_t read_length();
  // Replaces `text`. A string takes no more memory than bytes that are there can stand for.
  void read_string(std::string& text);
  void read_bytes(std::uint64_t count, std::string& bytes);
  // A score as 8 bytes of IEEE 754, and as files before version 8 have it. Never NaN.
  [[nodiscard]] double read_double();
  [[nodiscard]] double read_text_double();
  void skip(std::uint64_t count);
  void skip_string();

  // Of the bytes read so far (CRC-64 as Redis has it).
  [[nodiscard]] std::uint64_t checksum();
  // Of the next byte.
  [[nodiscard]] std::uint64_t offset() const { return window_offset_ + at_; }
  [[nodiscard]] std::uint64_t left() const { return file_bytes_ - offset(); }

  // Only the first counts. `offset`: where what is wrong starts.
  void fail(std::string reason, std::uint64_t offset);
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] const Failure& failure() const { return failure_; }

 private:
  struct Length {
    std::uint64_t number = 0;
    bool is_special = false;  // of a string: `number` says which kind
  };
  [[nodiscard]] Length read_any_length();
  void read_special_string(std::uint64_t kind, std::string& text);
  void read_compressed(std::string& text);
  // A view of the next bytes, which dies with the next call; fewer when the read failed. At most
  // window_bytes.
  [[nodiscard]] std::string_view take(std::size_t count);
  // False, and failed, when the file ends before.
  bool has(std::uint64_t count);
  bool refill(std::size_t count);
  void checksum_window();

  File& file_;
  std::uint64_t file_bytes_ = 0;
  std::string window_;
  std::uint64_t window_offset_ = 0;
  std::size_t at_ = 0;           // in the window: of the next byte
  std::size_t checksummed_ = 0;  // bytes of the window
  std::uint64_t remainder_ = 0;  // of what was checksummed
  std::string compressed_;
  bool failed_ = false;
  Failure failure_;
};

}  // namespace engine::rdb
