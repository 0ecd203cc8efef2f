#include "base/clock.hpp"

#include <gtest/gtest.h>

namespace base {
namespace {

TEST(ManualClock, SettingTheWallClockMovesNoLease) {
  ManualClock clock(1'000);
  clock.step_wall_ms(3'600'000);
  EXPECT_EQ(clock.lease_ms(), 1'000);
  EXPECT_EQ(clock.wall_us(), 3'601'000'000);
  clock.advance_ms(5);
  EXPECT_EQ(clock.lease_ms(), 1'005);
}

TEST(SystemClock, LeaseTimeStartsAtTheWallClockAndFollowsBoottime) {
  const SystemClock clock;
  EXPECT_NEAR(static_cast<double>(clock.lease_ms()), static_cast<double>(clock.wall_us()) / 1000,
              5'000);
  const std::int64_t deadline_ms = clock.lease_ms() + 10'000;
  EXPECT_NEAR(static_cast<double>(clock.boottime_us_at(deadline_ms) - clock.boottime_us()),
              10'000'000, 1'000'000);
}

TEST(SystemClock, KnowsTheBootOfTheMachine) {
  EXPECT_EQ(SystemClock().boot_id().size(), 36u);
}

}  // namespace
}  // namespace base
