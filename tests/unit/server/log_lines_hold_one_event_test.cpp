#include "server/log.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>

namespace server {
namespace {

constexpr std::int64_t wall_us = 1'796'061'822'515'000;  // 2026-11-30 18:03:42.515 UTC

class LogLines : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("TZ", "UTC", 1);
    ::tzset();
  }
};

TEST_F(LogLines, LookLikeRedis) {
  EXPECT_EQ(format_event({LogLevel::notice, wall_us, 12, "Ready"}, LogFormat::redis),
            "12:M 30 Nov 2026 18:03:42.515 * Ready");
  EXPECT_EQ(format_event({LogLevel::warning, wall_us, 12, "x"}, LogFormat::redis),
            "12:M 30 Nov 2026 18:03:42.515 # x");
}

TEST_F(LogLines, OrLikeLogfmt) {
  EXPECT_EQ(format_event({LogLevel::debug, wall_us, 12, "a \"b\""}, LogFormat::logfmt),
            "time=2026-11-30T18:03:42.515Z level=debug pid=12 msg=\"a \\\"b\\\"\"");
}

TEST_F(LogLines, StayOnOneLine) {
  EXPECT_EQ(format_event({LogLevel::notice, wall_us, 1, "a\r\nb\x01"}, LogFormat::redis),
            "1:M 30 Nov 2026 18:03:42.515 * a\\r\\nb\\x01");
}

}  // namespace
}  // namespace server
