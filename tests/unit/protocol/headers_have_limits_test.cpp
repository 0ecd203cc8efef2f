#include "tests/unit/protocol/parsing.hpp"

#include <gtest/gtest.h>

#include <string>

namespace protocol {
namespace {

TEST(HeaderLines, MayBeAsLongAsRedisAllows) {
  RequestParser parser;
  const std::string line(line_bytes_max, 'a');
  EXPECT_EQ(parser.next(line), RequestParser::Outcome::incomplete);
  EXPECT_EQ(parse(line + "\n").requests.size(), 1U);
}

TEST(HugeCounts, ReserveNothing) {
  RequestParser parser;
  EXPECT_EQ(parser.next("*2147483647\r\n"), RequestParser::Outcome::incomplete);
  EXPECT_LT(parser.memory_bytes(), 1024U);
}

TEST(ManyArguments, GiveTheirStorageBack) {
  std::string bytes = "*5000\r\n";
  for (int i = 0; i < 5000; ++i) bytes += "$1\r\na\r\n";
  RequestParser parser;
  ASSERT_EQ(parser.next(bytes), RequestParser::Outcome::request);
  ASSERT_EQ(parser.next("PING\r\n"), RequestParser::Outcome::request);
  EXPECT_LT(parser.memory_bytes(), 4096U);
}

}  // namespace
}  // namespace protocol
