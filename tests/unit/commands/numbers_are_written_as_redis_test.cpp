#include "commands/long_double_text.hpp"
#include "tests/support/command_fixture.hpp"

namespace {

using NumbersAreWrittenAsRedis = tests::CommandFixture;

TEST_F(NumbersAreWrittenAsRedis, WithoutExponentAndTrailingZeros) {
  EXPECT_EQ(run("INCRBYFLOAT k 10.50"), "$4 10.5");
  EXPECT_EQ(run("INCRBYFLOAT k 0.1"), "$4 10.6");
  // 80 bits of floating point, 17 digits after the point: the noise is Redis' too.
  EXPECT_EQ(run("INCRBYFLOAT k 5.0e3"), "$22 5010.60000000000000009");
  EXPECT_EQ(run("INCRBYFLOAT whole 3.0e3"), "$4 3000");
  EXPECT_EQ(run("INCRBYFLOAT whole -3000"), "$1 0");
  EXPECT_EQ(run("HINCRBYFLOAT h f 3.14159"), "$7 3.14159");
}

TEST_F(NumbersAreWrittenAsRedis, WhatIsNotFiniteIsRefused) {
  EXPECT_EQ(run("INCRBYFLOAT k inf"), "-ERR increment would produce NaN or Infinity");
  EXPECT_EQ(run("INCRBYFLOAT k nan"), "-ERR value is not a valid float");
  EXPECT_EQ(run("HINCRBYFLOAT h f inf"), "-ERR value is NaN or Infinity");
  EXPECT_EQ(run("EXISTS k h"), ":0");
}

TEST(LongDoubleText, IsReadAsStrictlyAsRedisReadsIt) {
  EXPECT_FALSE(commands::parse_long_double(""));
  EXPECT_FALSE(commands::parse_long_double(" 1"));
  EXPECT_FALSE(commands::parse_long_double("1 "));
  EXPECT_FALSE(commands::parse_long_double("1x"));
  EXPECT_FALSE(commands::parse_long_double(std::string_view("1\0", 2)));
  EXPECT_FALSE(commands::parse_long_double("1e5000"));
  EXPECT_EQ(commands::parse_long_double("0x10"), 16.0L);
  EXPECT_EQ(commands::parse_long_double("-1.5e2"), -150.0L);
}

}  // namespace
