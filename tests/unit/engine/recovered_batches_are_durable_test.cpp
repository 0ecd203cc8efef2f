// What a start has read is on the disk before anything is written behind it, however the process
// before it left it there.
#include "tests/support/disk/journal_world.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace {

using Texts = std::vector<std::string>;

class RecoveredBatches : public testing::Test {
 protected:
  // The machine goes down: what is not on the disk is lost.
  void lose_power() {
    std::mt19937_64 random(7);
    for (int crash = 0; crash < 5; ++crash) files.crash(random);
  }

  test::MemoryFileSystem files;
  test::JournalWorld world{files};
};

TEST_F(RecoveredBatches, WrittenWithoutASyncSurviveTheNextCrashOfTheMachine) {
  ASSERT_TRUE(world.start());
  world.append("one", engine::SyncPolicy::no);
  world.append("two", engine::SyncPolicy::no);
  ASSERT_TRUE(world.start());
  EXPECT_EQ(world.state.texts, (Texts{"one", "two"}));
  lose_power();
  ASSERT_TRUE(world.start()) << world.failure.reason;
  EXPECT_EQ(world.state.texts, (Texts{"one", "two"}));
}

TEST_F(RecoveredBatches, AreWrittenAgainAfterASyncThatFailed) {
  ASSERT_TRUE(world.start());
  world.worker.held = true;
  world.append("one");
  files.fail_at(0, std::errc::io_error);
  world.worker.held = false;
  world.log->collect();
  ASSERT_TRUE(world.log->has_failed());
  ASSERT_TRUE(world.start());
  EXPECT_EQ(world.state.texts, Texts{"one"});
  lose_power();
  ASSERT_TRUE(world.start()) << world.failure.reason;
  EXPECT_EQ(world.state.texts, Texts{"one"});
}

// A start cuts off a torn tail; its sync fails, and the tail comes back behind batches that were
// written since.
TEST_F(RecoveredBatches, GoOnWhereATornTailWasCutOffInVain) {
  ASSERT_TRUE(world.start());
  world.append("one");
  world.collect();
  const std::string name = "journal-00000000000000000000";
  const std::string torn = files.content(name) + "torn";
  ASSERT_TRUE(world.start());
  world.append("two");
  world.collect();
  files.set_content(name, torn);
  ASSERT_TRUE(world.start()) << world.failure.reason;
  EXPECT_EQ(world.state.texts, (Texts{"one", "two"}));
  EXPECT_EQ(files.content(name), torn.substr(0, torn.find('\0', torn.rfind("one"))));
}

TEST_F(RecoveredBatches, ThatCannotBeMadeDurableStopTheStart) {
  ASSERT_TRUE(world.start());
  world.append("one", engine::SyncPolicy::no);
  files.fail_from(0, std::errc::no_space_on_device);
  EXPECT_FALSE(world.start());
  EXPECT_FALSE(world.failure.reason.empty());
}

}  // namespace
