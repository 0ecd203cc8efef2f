#include "commands/command_table.hpp"
#include "commands/latency_histogram.hpp"
#include "tests/support/client_fixture.hpp"

#include <gmock/gmock.h>

namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class CallFigures : public tests::ClientFixture {};

TEST_F(CallFigures, CountCallsOfCommandsAndOfTheirSubcommands) {
  auto& peer = connect();
  peer.run("SET k v");
  peer.run("CLIENT GETNAME");
  peer.run("CLIENT ID");
  peer.run("CLIENT ID");
  const std::string text = peer.run("INFO commandstats");
  EXPECT_THAT(text, HasSubstr("cmdstat_set:calls=1,"));
  EXPECT_THAT(text, HasSubstr("cmdstat_client|getname:calls=1,"));
  EXPECT_THAT(text, HasSubstr("cmdstat_client|id:calls=2,"));
  EXPECT_THAT(text, Not(HasSubstr("cmdstat_client:")));
  // As in Redis the asking call is not done yet.
  EXPECT_THAT(text, Not(HasSubstr("cmdstat_info:")));
}

TEST_F(CallFigures, TellRefusalsFromFailures) {
  auto& peer = connect();
  peer.run("SET k v");
  peer.run("SET k");
  peer.run("INCR k");
  const std::string text = peer.run("INFO commandstats");
  EXPECT_THAT(text, HasSubstr("rejected_calls=1,failed_calls=0"));
  EXPECT_THAT(text, HasSubstr("rejected_calls=0,failed_calls=1"));
}

TEST_F(CallFigures, CountErrorsOfScriptsOnceWhereTheyArise) {
  auto& peer = connect();
  peer.run("SET k v");
  peer.run({"EVAL", "return redis.pcall('incr', 'k')", "0"});
  peer.run({"EVAL", "redis.pcall('incr', 'k') return 1", "0"});
  peer.run({"EVAL", "return redis.call('get')", "0"});
  peer.run({"EVAL", "redis.pcall('nosuch') return 1", "0"});
  peer.run({"EVAL", "return {err='MINE x'}", "0"});
  const std::string text = peer.run("INFO commandstats errorstats");
  EXPECT_THAT(text, HasSubstr("errorstat_ERR:count=4"));
  EXPECT_THAT(text, HasSubstr("errorstat_MINE:count=1"));
  EXPECT_THAT(text, testing::ContainsRegex("cmdstat_eval:calls=5,.*failed_calls=3"));
  EXPECT_THAT(text, testing::ContainsRegex("cmdstat_get:calls=0,.*rejected_calls=1"));
  EXPECT_THAT(text, testing::ContainsRegex("cmdstat_incr:calls=2,.*failed_calls=2"));
}

TEST_F(CallFigures, StartAnewAtResetstat) {
  auto& peer = connect();
  peer.run("SET k");
  peer.run("CONFIG RESETSTAT");
  const std::string text = peer.run("INFO commandstats errorstats latencystats");
  EXPECT_THAT(text, Not(HasSubstr("cmdstat_set")));
  EXPECT_THAT(text, Not(HasSubstr("errorstat_")));
  EXPECT_THAT(text, HasSubstr("cmdstat_config|resetstat:calls=1,"));
}

TEST_F(CallFigures, ShowThePercentilesThatAreAskedFor) {
  settings.latency_percentiles = {"50", "99.9"};
  auto& peer = connect();
  peer.run("SET k v");
  EXPECT_THAT(peer.run("INFO latencystats"),
              testing::ContainsRegex("latency_percentiles_usec_set:p50=[0-9.]+,p99.9=[0-9.]+"));
  settings.tracks_latency = false;
  EXPECT_THAT(peer.run("INFO latencystats"), Not(HasSubstr("percentiles")));
}

TEST_F(CallFigures, CountEveryCallOfScriptsThoughFewAreTimed) {
  auto& peer = connect();
  peer.run({"EVAL", "for i = 1, 1000 do redis.call('get', 'k') end return 1", "0"});
  EXPECT_THAT(peer.run("INFO commandstats"), HasSubstr("cmdstat_get:calls=1000,"));
  const auto* get =
      dispatcher.observers()
          .statistics
          .row(commands::command_table()[static_cast<std::size_t>(commands::find_command("GET"))])
          .latencies.get();
  ASSERT_NE(get, nullptr);
  // 64 on their own, then each of 117 for eight.
  EXPECT_EQ(get->total(), 1000U);
}

TEST(ALatencyHistogram, FindsPercentilesWithinThreePercent) {
  commands::LatencyHistogram latencies;
  EXPECT_EQ(latencies.ns_at_percentile(50), 0U);
  for (std::uint64_t us = 1; us <= 1000; ++us) latencies.record(us * 1000);
  EXPECT_EQ(latencies.total(), 1000U);
  for (const double percentile : {1.0, 25.0, 50.0, 99.0, 99.9, 100.0}) {
    const double exact = percentile * 10'000;
    const auto found = static_cast<double>(latencies.ns_at_percentile(percentile));
    EXPECT_GE(found, exact) << percentile;
    EXPECT_LE(found, exact * 1.04) << percentile;
  }
}

TEST(ALatencyHistogram, CountsWhatIsShorterThanEachDoubling) {
  commands::LatencyHistogram latencies;
  for (const std::uint64_t ns : {0U, 31U, 32U, 1023U, 1024U, 2047U, 5000U}) latencies.record(ns);
  latencies.record(std::uint64_t{1} << 40U);  // longer than it can tell: counted with the longest
  std::vector<std::pair<std::uint64_t, std::uint64_t>> seen;
  latencies.for_each_doubling(
      [&](std::uint64_t ns, std::uint64_t below) { seen.emplace_back(ns, below); });
  ASSERT_GE(seen.size(), 4U);
  EXPECT_EQ(seen[0], std::pair(std::uint64_t{1024}, std::uint64_t{4}));
  EXPECT_EQ(seen[1], std::pair(std::uint64_t{2048}, std::uint64_t{6}));
  EXPECT_EQ(seen[3], std::pair(std::uint64_t{8192}, std::uint64_t{7}));
  EXPECT_EQ(seen.back().second, 8U);
}

}  // namespace
