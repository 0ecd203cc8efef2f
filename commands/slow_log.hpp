// SLOWLOG: the latest calls that took long, newest first. Arguments are kept shortened, as Redis
// shows them. Owned by the dispatcher.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace commands {

struct SlowCall {
  std::uint64_t id = 0;   // from 0 on, never used twice
  std::int64_t at_s = 0;  // wall clock
  std::int64_t duration_us = 0;
  std::vector<std::string> args;
  std::string address;
  std::string client_name;
};

class SlowLog {
 public:
  // Keeps at most `calls_max` from now on.
  void note(std::span<const std::string_view> args, SlowCall call, std::size_t calls_max);
  void clear() { calls_.clear(); }
  [[nodiscard]] const std::deque<SlowCall>& calls() const { return calls_; }

 private:
  std::deque<SlowCall> calls_;
  std::uint64_t next_id_ = 0;
};

}  // namespace commands
