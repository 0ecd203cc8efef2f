// The settings that commands look at, as plain values. server/config owns the one object, fills it
// from file and arguments and changes it on CONFIG SET.
#pragma once

#include <cstdint>
#include <string>

namespace commands {

// enable-debug-command: DEBUG is refused, allowed, or allowed to local connections only.
enum class DebugAccess : std::uint8_t { no, yes, local };

struct Settings {
  std::string requirepass;
  std::uint32_t notify_classes = 0;  // bits of NotifyClass (notifications.hpp); 0: off
  DebugAccess debug_access = DebugAccess::no;
  std::int64_t script_time_limit_ms = 5000;  // busy-reply-threshold
  std::int64_t script_bytes_max = 512 << 20;
  std::uint64_t memory_bytes_max = 0;                     // maxmemory
  std::int64_t bulk_bytes_max = 512 << 20;                // proto-max-bulk-len
  std::uint64_t packed_hash_fields_max = 128;             // hash-max-listpack-entries
  std::uint64_t packed_hash_value_bytes_max = 64;         // hash-max-listpack-value
  std::uint64_t intset_members_max = 512;                 // set-max-intset-entries
  std::uint64_t packed_sorted_set_members_max = 128;      // zset-max-listpack-entries
  std::uint64_t packed_sorted_set_member_bytes_max = 64;  // zset-max-listpack-value
};

}  // namespace commands
