// LATENCY: for each kind of event that may hold the server up, its latest 160 samples, at most one
// a second (the worst of it). Owned by the dispatcher.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace commands {

struct LatencySample {
  std::int64_t at_s = 0;  // wall clock
  std::int64_t ms = 0;
};

struct LatencyEvent {
  std::deque<LatencySample> samples;  // oldest first, never empty
  std::int64_t worst_ms = 0;          // of all time, not only of the samples kept
};

class LatencyMonitor {
 public:
  static constexpr std::size_t samples_max = 160;

  void note(std::string_view event, std::int64_t ms, std::int64_t now_s);
  // Null when nothing was noted.
  [[nodiscard]] const LatencyEvent* find(std::string_view event) const;
  [[nodiscard]] const std::map<std::string, LatencyEvent, std::less<>>& events() const {
    return events_;
  }
  // Whether there was such an event.
  bool forget(std::string_view event);
  void forget_all() { events_.clear(); }

 private:
  std::map<std::string, LatencyEvent, std::less<>> events_;
};

}  // namespace commands
