#include "protocol/quoting.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace protocol {
namespace {

using Words = std::vector<std::string>;

TEST(InlineWords, AreSeparatedByBlanks) {
  EXPECT_EQ(split_words("  ping \t a  "), (Words{"ping", "a"}));
  EXPECT_EQ(split_words(""), Words{});
  EXPECT_EQ(split_words("echo \v x"), (Words{"echo", "x"}));
}

TEST(InlineWords, DoubleQuotesKnowEscapes) {
  EXPECT_EQ(split_words(R"("\x41\n\r\t\b\a\q\\\"")"), (Words{"A\n\r\t\b\aq\\\""}));
  EXPECT_EQ(split_words(R"("\xgg")"), (Words{"xgg"}));
  EXPECT_EQ(split_words(R"("\x4")"), (Words{"x4"}));
}

TEST(InlineWords, SingleQuotesEscapeOnlyThemselves) {
  EXPECT_EQ(split_words(R"('a\'b' 'c\n"d"')"), (Words{"a'b", R"(c\n"d")"}));
}

TEST(InlineWords, MayBeEmptyOrContinueIntoQuotes) {
  EXPECT_EQ(split_words(R"("" a"b c")"), (Words{"", "ab c"}));
}

TEST(InlineWords, UnbalancedQuotesAreRefused) {
  for (const char* line : {"\"", "'", "\"a", "a\"", "\"a\"b", "'a'b", "\"\\\""}) {
    EXPECT_EQ(split_words(line), std::nullopt) << line;
  }
}

TEST(QuotedText, IsReadBack) {
  std::string text;
  for (int value = 0; value < 256; ++value) text += static_cast<char>(value);
  EXPECT_EQ(split_words(quote_word(text)), Words{text});
}

}  // namespace
}  // namespace protocol
