// No room on the disk: the reserve takes what still comes, and a new one ends the trouble.
#include "tests/support/disk/journal_world.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using engine::LogHealth;

class FullDiskTest : public testing::Test {
 protected:
  static constexpr std::uint64_t reserve_bytes = 4096;

  FullDiskTest() {
    EXPECT_TRUE(world.start());
    world.append("before");
    world.collect();
  }
  void check_time() {
    world.clock.advance_ms(1100);
    world.log->check_time(world.clock.monotonic_us());
    world.collect();
  }

  test::MemoryFileSystem files;
  test::JournalWorld world{files, {.zeros_bytes = 64, .reserve_bytes = reserve_bytes}};
};

TEST_F(FullDiskTest, the_reserve_takes_what_finds_no_room) {
  files.fail_at(0, std::errc::no_space_on_device);
  EXPECT_EQ(world.append(std::string(100, 'r')), 2U);
  EXPECT_EQ(world.log->health(), LogHealth::full);
  EXPECT_NE(world.log->trouble().find("No space"), std::string::npos);
  world.collect();
  EXPECT_EQ(world.log->committed_position(), 2U);
  ASSERT_TRUE(world.start());
  EXPECT_EQ(world.state.texts, (std::vector<std::string>{"before", std::string(100, 'r')}));
}

TEST_F(FullDiskTest, all_is_well_when_there_is_room_for_a_new_reserve) {
  files.fail_at(0, std::errc::no_space_on_device);
  world.append("in the reserve");
  world.collect();
  files.fail_from(0, std::errc::no_space_on_device);
  check_time();
  EXPECT_EQ(world.log->health(), LogHealth::full) << "still no room";
  files.heal();
  check_time();
  EXPECT_EQ(world.log->health(), LogHealth::good);
  EXPECT_EQ(world.append("after"), 3U);
  world.collect();
  ASSERT_TRUE(world.start());
  EXPECT_EQ(world.state.texts, (std::vector<std::string>{"before", "in the reserve", "after"}));
}

// The new reserve may fit when the segment that is to follow does not.
TEST(FullDisk, all_is_well_in_the_end_whichever_call_fails_first) {
  bool was_reached = true;
  for (std::size_t call = 0; was_reached; ++call) {
    test::MemoryFileSystem files;
    test::JournalWorld world(files, {.zeros_bytes = 64, .reserve_bytes = 4096});
    ASSERT_TRUE(world.start());
    files.fail_at(0, std::errc::no_space_on_device);
    world.append("in the reserve");
    world.collect();
    ASSERT_EQ(world.log->health(), LogHealth::full);
    const std::size_t failures = files.failures();
    files.fail_at(call, std::errc::no_space_on_device);
    for (int seconds = 0; seconds < 3; ++seconds) {
      world.clock.advance_ms(1100);
      world.log->check_time(world.clock.monotonic_us());
      world.collect();
    }
    EXPECT_EQ(world.log->health(), LogHealth::good) << "behind a failure of call " << call;
    was_reached = files.failures() > failures;
  }
}

TEST_F(FullDiskTest, nothing_is_reserved_before_the_log_is_started) {
  engine::FileCommitLog log(world.worker, world.clock, {.reserve_bytes = reserve_bytes});
  EXPECT_EQ(log.next_check_us(), std::nullopt);
  log.check_time(world.clock.monotonic_us());
  log.collect();
  log.end_turn();
  EXPECT_EQ(log.health(), LogHealth::good);
}

TEST_F(FullDiskTest, a_used_up_reserve_is_a_failure) {
  files.fail_at(0, std::errc::no_space_on_device);
  world.append("in the reserve");
  world.collect();
  world.append(std::string(reserve_bytes, 'x'));
  EXPECT_EQ(world.log->health(), LogHealth::failed);
  EXPECT_EQ(world.log->committed_position(), 2U);
}

}  // namespace
