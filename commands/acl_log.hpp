// The latest refusals and failed logins, newest first: ACL LOG. Like ones within a minute count as
// one entry.
#pragma once

#include "commands/acl_denial.hpp"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>

namespace commands::acl {

enum class Context : std::uint8_t { toplevel, multi, script };

struct LogEntry {
  Reason reason = Reason::none;
  Context context = Context::toplevel;
  std::string object;  // command, key, channel; of a failed login the command that tried
  std::string user;
  std::string client;      // as CLIENT INFO shows it, at the latest time
  std::int64_t at_us = 0;  // monotonic, the latest
  std::uint64_t count = 1;
};

class Log {
 public:
  // A new entry leaves `entries_max` at most.
  void add(LogEntry entry, std::uint64_t entries_max);
  void clear() { entries_.clear(); }
  [[nodiscard]] const std::deque<LogEntry>& entries() const { return entries_; }

 private:
  std::deque<LogEntry> entries_;
};

[[nodiscard]] std::string_view name_of(Reason reason);
[[nodiscard]] std::string_view name_of(Context context);

}  // namespace commands::acl
