#include "server/rate_meter.hpp"

#include <gtest/gtest.h>

namespace {

using server::RateMeter;

constexpr std::int64_t second_us = 1'000'000;

RateMeter::Counts commands(std::uint64_t count) {
  return {count, count * 10, count * 100};
}

TEST(ARateMeter, KnowsNothingWithoutSamples) {
  const RateMeter meter;
  EXPECT_TRUE(meter.wants_sample(0));
  EXPECT_EQ(meter.per_second(second_us, commands(5)), RateMeter::Counts{});
}

TEST(ARateMeter, CountsWhatCameInTheLastSecondAndAHalf) {
  RateMeter meter;
  std::uint64_t count = 0;
  std::int64_t now_us = 0;
  for (int tenth = 0; tenth < 100; ++tenth, now_us += second_us / 10, count += 20) {
    ASSERT_TRUE(meter.wants_sample(now_us));
    meter.sample(now_us, commands(count));
    EXPECT_FALSE(meter.wants_sample(now_us + 1));
  }
  EXPECT_EQ(meter.per_second(now_us, commands(count)), commands(200));
}

TEST(ARateMeter, ComparesWithTheLastSampleAfterAPause) {
  RateMeter meter;
  meter.sample(0, commands(0));
  EXPECT_EQ(meter.per_second(100 * second_us, commands(1000)), commands(10));
}

TEST(ARateMeter, ForgetsCountsThatBeginAnew) {
  RateMeter meter;
  meter.sample(0, commands(1000));
  meter.reset();
  EXPECT_TRUE(meter.wants_sample(1));
  EXPECT_EQ(meter.per_second(second_us, commands(3)), RateMeter::Counts{});
}

}  // namespace
