// What the settings and the disk allow the store to take, and when a small value changes its
// encoding.
#pragma once

#include <cstddef>
#include <cstdint>

namespace engine {

// What a call may still do while the journal cannot take everything. Like maxmemory it is decided
// by effect, and not in the middle of a call that has changed something.
enum class Intake : std::uint8_t {
  everything,
  no_growth,  // the disk is full: nothing that makes or grows a key; releases and renewals are
              // taken
  releases,   // nothing becomes durable: only what gives back
};

struct KeyspaceLimits {
  Intake intake = Intake::everything;
  std::size_t bytes_max = 0;  // maxmemory; 0: none
  std::size_t string_bytes_max = 512u << 20u;
  std::size_t packed_hash_fields_max = 128;             // hash-max-listpack-entries
  std::size_t packed_hash_value_bytes_max = 64;         // hash-max-listpack-value
  std::size_t intset_members_max = 512;                 // set-max-intset-entries
  std::size_t packed_sorted_set_members_max = 128;      // zset-max-listpack-entries
  std::size_t packed_sorted_set_member_bytes_max = 64;  // zset-max-listpack-value
};

}  // namespace engine
