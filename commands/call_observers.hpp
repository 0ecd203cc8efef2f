// Everything that looks at calls: figures, the log of slow ones, latencies, MONITOR and CLIENT
// TRACKING. The dispatcher owns one and feeds it; the commands that show it ask it.
#pragma once

#include "commands/call_clock.hpp"
#include "commands/call_statistics.hpp"
#include "commands/latency_monitor.hpp"
#include "commands/monitor_feed.hpp"
#include "commands/slow_log.hpp"
#include "commands/tracking_table.hpp"

namespace commands {

struct CallObservers {
  CallObservers(ClientRegistry& clients, engine::Keyspace& keyspace, ClientState* const& caller)
      : tracking(clients, keyspace, caller) {}

  // Whether calls are of interest beyond their figures.
  [[nodiscard]] bool follow_calls() const { return tracking.is_active() || monitors.is_heard(); }

  CallClock clock;
  CallStatistics statistics;
  SlowLog slow_log;
  LatencyMonitor latencies;
  MonitorFeed monitors;
  TrackingTable tracking;
};

}  // namespace commands
