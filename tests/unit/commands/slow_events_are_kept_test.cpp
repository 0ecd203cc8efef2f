#include "commands/latency_monitor.hpp"
#include "commands/slow_log.hpp"

#include <gmock/gmock.h>

#include <string_view>
#include <vector>

namespace {

using ::testing::ElementsAre;

std::vector<std::string> kept(const std::vector<std::string_view>& args) {
  commands::SlowLog log;
  log.note(args, {}, 1);
  return log.calls().front().args;
}

TEST(ASlowLog, KeepsTheLatestFirstUpToItsLimit) {
  commands::SlowLog log;
  const std::string_view args[] = {"PING"};
  for (int i = 0; i < 5; ++i) log.note(args, {}, 3);
  ASSERT_EQ(log.calls().size(), 3U);
  EXPECT_EQ(log.calls()[0].id, 4U);
  EXPECT_EQ(log.calls()[2].id, 2U);
  log.clear();
  log.note(args, {}, 3);
  EXPECT_EQ(log.calls()[0].id, 5U);
  log.note(args, {}, 0);
  EXPECT_TRUE(log.calls().empty());
}

TEST(ASlowLog, ShortensArgumentsAsRedis) {
  const std::string exact(128, 'x');
  const std::string longer(129, 'x');
  EXPECT_THAT(kept({"SET", exact, longer}),
              ElementsAre("SET", exact, exact + "... (1 more bytes)"));
  EXPECT_EQ(kept(std::vector<std::string_view>(32, "a")).back(), "a");
  const auto many = kept(std::vector<std::string_view>(33, "a"));
  EXPECT_EQ(many.size(), 32U);
  EXPECT_EQ(many.back(), "... (2 more arguments)");
}

TEST(ALatencyMonitor, KeepsTheWorstOfASecondAndOfAllTime) {
  commands::LatencyMonitor monitor;
  EXPECT_EQ(monitor.find("command"), nullptr);
  monitor.note("command", 5, 100);
  monitor.note("command", 9, 100);
  monitor.note("command", 2, 100);
  monitor.note("command", 3, 101);
  const commands::LatencyEvent* event = monitor.find("command");
  ASSERT_NE(event, nullptr);
  ASSERT_EQ(event->samples.size(), 2U);
  EXPECT_EQ(event->samples[0].ms, 9);
  EXPECT_EQ(event->samples[1].ms, 3);
  EXPECT_EQ(event->worst_ms, 9);
  for (int i = 0; i < 500; ++i) monitor.note("command", 1, 200 + i);
  EXPECT_EQ(event->samples.size(), commands::LatencyMonitor::samples_max);
  EXPECT_EQ(event->worst_ms, 9);
  EXPECT_FALSE(monitor.forget("other"));
  EXPECT_TRUE(monitor.forget("command"));
  EXPECT_TRUE(monitor.events().empty());
}

}  // namespace
