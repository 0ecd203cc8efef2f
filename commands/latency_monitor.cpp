#include "commands/latency_monitor.hpp"

#include <algorithm>

namespace commands {

void LatencyMonitor::note(std::string_view event, std::int64_t ms, std::int64_t now_s) {
  auto found = events_.find(event);
  if (found == events_.end()) found = events_.emplace(event, LatencyEvent{}).first;
  LatencyEvent& known = found->second;
  known.worst_ms = std::max(known.worst_ms, ms);
  if (!known.samples.empty() && known.samples.back().at_s == now_s) {
    known.samples.back().ms = std::max(known.samples.back().ms, ms);
    return;
  }
  if (known.samples.size() == samples_max) known.samples.pop_front();
  known.samples.push_back({now_s, ms});
}

const LatencyEvent* LatencyMonitor::find(std::string_view event) const {
  const auto found = events_.find(event);
  return found == events_.end() ? nullptr : &found->second;
}

bool LatencyMonitor::forget(std::string_view event) {
  const auto found = events_.find(event);
  if (found == events_.end()) return false;
  events_.erase(found);
  return true;
}

}  // namespace commands
