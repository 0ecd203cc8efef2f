#include "base/integers.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace base {
namespace {

TEST(ParseInt64, TakesWhatRedisTakes) {
  EXPECT_EQ(parse_int64("0"), 0);
  EXPECT_EQ(parse_int64("-1"), -1);
  EXPECT_EQ(parse_int64("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(parse_int64("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
}

TEST(ParseInt64, RefusesEverythingElse) {
  for (const char* text :
       {"", "-", "+1", " 1", "1 ", "01", "-0", "-01", "1.0", "0x1", "1e3", "abc",
        "9223372036854775808", "-9223372036854775809", "99999999999999999999999"}) {
    EXPECT_EQ(parse_int64(text), std::nullopt) << text;
  }
}

TEST(IntegerText, WritesEveryLength) {
  EXPECT_EQ(IntegerText(0).view(), "0");
  EXPECT_EQ(IntegerText(std::numeric_limits<std::int64_t>::min()).view(), "-9223372036854775808");
}

}  // namespace
}  // namespace base
