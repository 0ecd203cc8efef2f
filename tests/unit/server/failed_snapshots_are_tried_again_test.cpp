// After a snapshot that failed: another one if there is a reason for it, and rest if there is none.
#include "server/config.hpp"
#include "server/core.hpp"
#include "server/journal.hpp"
#include "tests/unit/server/memory_machine.hpp"

#include <gtest/gtest.h>

namespace server {
namespace {

class FailedSnapshots : public testing::Test {
 protected:
  FailedSnapshots() {
    log.silence();
    journal.set_progress(&core);
    core.set_journal(journal);
    core.set_background(journal);
    EXPECT_TRUE(journal.open(core.keyspace(), [] { return true; }));
    run();
  }
  ~FailedSnapshots() override { journal.close(); }
  static Config& journalled(Config& config) {
    EXPECT_TRUE(config.assign("appendonly", "yes"));
    EXPECT_TRUE(config.assign("auto-aof-rewrite-percentage", "0"));
    EXPECT_TRUE(config.assign("journal-reserve-size", "0"));
    return config;
  }
  void run() {
    constexpr int rounds = 20;
    for (int round = 0; round < rounds; ++round) {
      core.check_time();
      journal.on_wake();
      core.end_turn();
    }
  }

  MemoryMachine machine;
  Config config;
  Log log;
  Journal journal{journalled(config).server(), log, machine};
  Core core{config, log, machine.clock(), journal.commit_log(), 1};
};

TEST_F(FailedSnapshots, LeaveNothingToWaitForWhenNobodyNeedsOne) {
  ASSERT_TRUE(journal.begin_save());
  machine.files.fail_at(3, std::errc::io_error);  // the draft
  run();
  ASSERT_TRUE(journal.figures().last_save_failed);
  ASSERT_EQ(journal.figures().health, engine::LogHealth::good);
  machine.clock().advance_ms(60'000);
  run();
  EXPECT_EQ(journal.figures().saves, 0U);
  EXPECT_EQ(core.next_check_us(), std::nullopt) << "the loop would never sleep";
}

}  // namespace
}  // namespace server
