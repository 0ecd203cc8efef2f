// Against the vectors of RFC 3720, appendix B.4.
#include "base/crc32c.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

TEST(Crc32c, gives_the_values_of_the_rfc) {
  EXPECT_EQ(base::crc32c(""), 0U);
  EXPECT_EQ(base::crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(base::crc32c(std::string(32, '\0')), 0x8A9136AAU);
  EXPECT_EQ(base::crc32c(std::string(32, '\xFF')), 0x62A8AB43U);
  std::string rising;
  for (int byte = 0; byte < 32; ++byte) rising.push_back(static_cast<char>(byte));
  EXPECT_EQ(base::crc32c(rising), 0x46DD794EU);
}

TEST(Crc32c, goes_on_from_what_came_before) {
  const std::string text = "a lock that nobody released, and one that somebody did";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    const std::string_view all = text;
    EXPECT_EQ(base::crc32c(all.substr(cut), base::crc32c(all.substr(0, cut))), base::crc32c(all));
  }
}

}  // namespace
