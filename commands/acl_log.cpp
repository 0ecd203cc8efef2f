#include "commands/acl_log.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <cstddef>

namespace commands::acl {
namespace {

// How far back a like entry is looked for, in entries and in time.
constexpr std::size_t searched_max = 10;
constexpr std::int64_t like_within_us = 60'000'000;

bool are_alike(const LogEntry& a, const LogEntry& b) {
  return a.reason == b.reason && a.context == b.context && a.object == b.object &&
         a.user == b.user && a.at_us - b.at_us <= like_within_us;
}

}  // namespace

void Log::add(LogEntry entry, std::uint64_t entries_max) {
  const auto searched = static_cast<std::ptrdiff_t>(std::min(entries_.size(), searched_max));
  const auto end = entries_.begin() + searched;
  const auto like = std::find_if(entries_.begin(), end,
                                 [&](const LogEntry& known) { return are_alike(entry, known); });
  const bool is_new = like == end;
  if (!is_new) {
    entry.count += like->count;
    entries_.erase(like);
  }
  entries_.push_front(std::move(entry));
  // A limit that was lowered counts from the next new entry on, as in Redis 7.0.
  while (is_new && entries_.size() > entries_max) entries_.pop_back();
}

std::string_view name_of(Reason reason) {
  switch (reason) {
    case Reason::command:
      return "command";
    case Reason::key:
      return "key";
    case Reason::channel:
      return "channel";
    case Reason::auth:
      return "auth";
    case Reason::none:
      break;
  }
  ASSERT(false && "an entry without a reason");
}

std::string_view name_of(Context context) {
  switch (context) {
    case Context::toplevel:
      return "toplevel";
    case Context::multi:
      return "multi";
    case Context::script:
      return "lua";
  }
  ASSERT(false && "a context without a name");
}

}  // namespace commands::acl
