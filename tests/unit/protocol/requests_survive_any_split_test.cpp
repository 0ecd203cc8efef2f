#include "tests/unit/protocol/parsing.hpp"

#include <gtest/gtest.h>

#include <string>

namespace protocol {
namespace {

TEST(RequestSplits, GiveTheSameRequests) {
  const std::string whole =
      "*3\r\n$3\r\nSET\r\n$4\r\nlock\r\n$4\r\na\r\nb\r\n*0\r\nPING\r\n\r\n*-1\r\n"
      "*1\r\n$4\r\nPING\r\n*2\r\n$4\r\nECHO\r\n$0\r\n\r\nset k \"a b\" 'c'\nGET k\r\n"
      "*1\r\n$12\r\n*1\r\n$4\r\nPING\r\n*1\r\n$4\r\nQUIT\r\n*x\r\n";
  const Parsed expected = parse(whole);
  ASSERT_EQ(expected.requests.size(), 11U);
  for (std::size_t piece = 1; piece <= whole.size(); ++piece) {
    EXPECT_EQ(parse(whole, piece), expected) << "pieces of " << piece;
  }
}

TEST(RequestSplits, EveryTwoPartsGiveTheSameRequest) {
  const std::string bytes = "*2\r\n$4\r\nECHO\r\n$5\r\nhello\r\n";
  for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
    RequestParser parser;
    const std::string first = bytes.substr(0, cut);
    ASSERT_EQ(parser.next(first), RequestParser::Outcome::incomplete) << cut;
    EXPECT_LE(parser.missing_bytes(), bytes.size() - cut) << cut;
    ASSERT_EQ(parser.next(bytes), RequestParser::Outcome::request) << cut;
    ASSERT_EQ(parser.args().size(), 2U);
    EXPECT_EQ(parser.args()[1], "hello");
    EXPECT_EQ(parser.consumed(), bytes.size());
  }
}

TEST(RequestSplits, BigArgumentAsksForWhatIsMissing) {
  RequestParser parser;
  const std::string head = "*2\r\n$4\r\nECHO\r\n$1000000\r\nabc";
  ASSERT_EQ(parser.next(head), RequestParser::Outcome::incomplete);
  EXPECT_EQ(parser.missing_bytes(), 1000000U - 3 + 2);
}

TEST(Requests, ArgumentsAreViewsIntoTheInput) {
  RequestParser parser;
  const std::string bytes = "*1\r\n$4\r\nPING\r\n";
  ASSERT_EQ(parser.next(bytes), RequestParser::Outcome::request);
  EXPECT_EQ(parser.args()[0].data(), bytes.data() + 8);
}

// Redis 7.0 looks neither at the byte behind a CR nor at the two behind an argument.
TEST(Requests, SeparatorsAreSkippedUnseen) {
  const Parsed parsed = parse("*1\rx$4\rxPINGxx*1\r\n$4\r\nPING\r\n");
  EXPECT_EQ(parsed.complaint, "");
  EXPECT_EQ(parsed.requests.size(), 2U);
}

TEST(Requests, EmptyOnesHaveNoArguments) {
  for (const char* bytes : {"*0\r\n", "*-1\r\n", "*-7\r\n", "\r\n", "\n", "  \r\n"}) {
    const Parsed parsed = parse(bytes);
    ASSERT_EQ(parsed.requests.size(), 1U) << bytes;
    EXPECT_TRUE(parsed.requests[0].empty()) << bytes;
  }
}

TEST(Requests, ThousandsOfArgumentsInSmallPieces) {
  std::string bytes = "*5001\r\n$4\r\nMGET\r\n";
  for (int i = 0; i < 5000; ++i) bytes += "$3\r\nkey\r\n";
  const Parsed parsed = parse(bytes, 100);
  ASSERT_EQ(parsed.requests.size(), 1U);
  EXPECT_EQ(parsed.requests[0].size(), 5001U);
  EXPECT_EQ(parsed.requests[0].back(), "key");
}

}  // namespace
}  // namespace protocol
