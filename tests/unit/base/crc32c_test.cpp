#include "base/crc32c.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

// Check values of RFC 3720, appendix B.4, and of the usual nine digits.
TEST(Crc32c, MatchesPublishedValues) {
  EXPECT_EQ(base::crc32c(""), 0U);
  EXPECT_EQ(base::crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(base::crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(base::crc32c(std::string(32, '\xFF')), 0x62A8AB43U);
}

TEST(Crc32c, GoesOnFromAnEarlierPiece) {
  EXPECT_EQ(base::crc32c("56789", base::crc32c("1234")), base::crc32c("123456789"));
}

}  // namespace
