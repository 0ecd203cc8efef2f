// The settings that commands look at, as plain values. server/config owns the one object, fills it
// from file and arguments and changes it on CONFIG SET.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace commands {

// enable-debug-command: DEBUG is refused, allowed, or allowed to local connections only.
enum class DebugAccess : std::uint8_t { no, yes, local };

struct Settings {
  std::string requirepass;
  bool acl_channels_open = false;           // acl-pubsub-default: new users may use every channel
  std::uint64_t acl_log_entries_max = 128;  // acllog-max-len
  std::uint32_t notify_classes = 0;         // bits of NotifyClass (notifications.hpp); 0: off
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
  std::int64_t slow_call_us = 10'000;     // slowlog-log-slower-than; negative: none is
  std::size_t slow_calls_max = 128;       // slowlog-max-len
  std::int64_t latency_threshold_ms = 0;  // latency-monitor-threshold; 0: off
  bool tracks_latency = true;             // latency-tracking
  std::vector<std::string> latency_percentiles = {"50", "99", "99.9"};
  std::size_t tracked_keys_max = 1'000'000;  // tracking-table-max-keys; 0: no limit

  // From this many nanoseconds on a call is looked at for SLOWLOG and LATENCY.
  [[nodiscard]] std::uint64_t noted_call_ns() const {
    std::uint64_t ns = std::numeric_limits<std::uint64_t>::max();
    if (slow_call_us >= 0) ns = static_cast<std::uint64_t>(slow_call_us) * 1000;
    if (latency_threshold_ms <= 0) return ns;
    return std::min(ns, static_cast<std::uint64_t>(latency_threshold_ms) * 1'000'000);
  }
};

}  // namespace commands
