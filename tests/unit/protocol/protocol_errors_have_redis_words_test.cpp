// Each text was answered by redis-server 7.0.15 to the same bytes.
#include "tests/unit/protocol/parsing.hpp"

#include <gtest/gtest.h>

#include <string>

namespace protocol {
namespace {

struct Case {
  std::string bytes;
  std::string complaint;
};

class ProtocolErrors : public testing::TestWithParam<Case> {};

TEST_P(ProtocolErrors, AreWordedAsByRedisInAnySplit) {
  const auto& [bytes, complaint] = GetParam();
  EXPECT_EQ(parse(bytes).complaint, "ERR Protocol error: " + complaint);
  for (const std::size_t piece : {1U, 2U, 3U, 5U, 1000U}) {
    if (bytes.size() > 1000 && piece < 1000) continue;  // copying pieces this long takes seconds
    EXPECT_EQ(parse(bytes, piece).complaint, "ERR Protocol error: " + complaint) << piece;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ProtocolErrors,
    testing::Values(
        Case{"*abc\r\n", "invalid multibulk length"}, Case{"*\r\n", "invalid multibulk length"},
        Case{"* 1\r\n", "invalid multibulk length"}, Case{"*01\r\n", "invalid multibulk length"},
        Case{"*+1\r\n", "invalid multibulk length"},
        Case{"*2147483648\r\n", "invalid multibulk length"},
        Case{"*99999999999999999999\r\n", "invalid multibulk length"},
        Case{"*1\r\nx\r\n", "expected '$', got 'x'"}, Case{"*1\r\n\r\n", "expected '$', got '\r'"},
        Case{"*1\r\n$abc\r\n", "invalid bulk length"}, Case{"*1\r\n$\r\n", "invalid bulk length"},
        Case{"*1\r\n$-1\r\n", "invalid bulk length"},
        Case{"*1\r\n$4 \r\nPING\r\n", "invalid bulk length"},
        Case{"*2\r\n$4\r\nECHO\r\n$-0\r\n", "invalid bulk length"},
        Case{"*1\r\n$536870913\r\n", "invalid bulk length"},
        Case{"\"abc\r\n", "unbalanced quotes in request"},
        Case{"ping \"a\"b\r\n", "unbalanced quotes in request"},
        Case{"ping 'a\r\n", "unbalanced quotes in request"},
        Case{std::string(65537, 'a'), "too big inline request"},
        Case{"*" + std::string(65537, '1'), "too big mbulk count string"},
        Case{"*1\r\n$" + std::string(65540, '1'), "too big bulk count string"}));

TEST(ProtocolErrors, ComeAfterTheRequestsBefore) {
  const Parsed parsed = parse("*1\r\n$4\r\nPING\r\n*x\r\n");
  EXPECT_EQ(parsed.requests.size(), 1U);
  EXPECT_EQ(parsed.complaint, "ERR Protocol error: invalid multibulk length");
}

TEST(Strangers, MaySendLittle) {
  const auto complaint = [](std::string_view bytes) {
    RequestParser parser;
    parser.set_authenticated(false);
    return parse(parser, bytes, bytes.size()).complaint;
  };
  EXPECT_EQ(complaint("*11\r\n"), "ERR Protocol error: unauthenticated multibulk length");
  EXPECT_EQ(complaint("*10\r\n$4\r\n"), "");
  EXPECT_EQ(complaint("*2\r\n$16385\r\n"), "ERR Protocol error: unauthenticated bulk length");
  EXPECT_EQ(complaint("*2\r\n$16384\r\n"), "");
}

TEST(BulkLimit, IsASetting) {
  RequestParser parser;
  parser.set_limits({.bulk_bytes_max = 5});
  EXPECT_EQ(parse(parser, "*1\r\n$6\r\n", 8).complaint, "ERR Protocol error: invalid bulk length");
}

}  // namespace
}  // namespace protocol
