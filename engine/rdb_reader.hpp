// Reads an RDB file, the dump of a Redis, from its first byte to its checksum.
//
// file    "REDIS", version in 4 digits, part*, FF, u64 checksum (little-endian; 0: none)
// part    FE, l database | FB, l keys, l expiring keys | FA, s name, s value
//         | F5, s code of a function library | F7, module data
//         | [FC, i64 ms | FD, i32 s] [F8, l idle | F9, u8 frequency], type, s key, value
// Expiry is by the wall clock. l and s: rdb_input.hpp; types and values: rdb_values.hpp; module
// data, streams: rdb_foreign.hpp.
#pragma once

#include "engine/rdb_failure.hpp"
#include "engine/rdb_input.hpp"
#include "engine/rdb_listener.hpp"
#include "engine/rdb_values.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace engine::rdb {

// 5 has a checksum first; 9, 10, 11 and 12 are Redis 5 and 6, 7.0, 7.2, 7.4. What 12 adds (fields
// that expire) is refused where it is used.
inline constexpr std::uint64_t version_min = 5;
inline constexpr std::uint64_t version_max = 12;

class Reader {
 public:
  // Both outlive it.
  Reader(File& file, Listener& listener);

  // Once. After a failure the listener has seen what stands before it.
  Outcome run();

 private:
  void read_head();
  // False: that was the end mark.
  bool read_part();
  // False: the mark is none of those before keys, but the type of a key.
  bool read_detail(std::uint8_t mark);
  void read_auxiliary();
  void read_key(std::uint8_t type_byte);
  void refuse_type(std::uint8_t type_byte);
  void check_end();
  void judge(const Verdict& verdict, std::uint64_t offset);

  Input input_;
  Listener& listener_;
  ValueReader values_;
  std::uint64_t database_ = 0;
  std::optional<std::int64_t> expires_wall_ms_;  // of the next key
  std::string key_;
  std::string text_;
  std::string value_;
};

}  // namespace engine::rdb
