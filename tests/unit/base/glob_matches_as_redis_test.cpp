#include "base/glob.hpp"

#include <gtest/gtest.h>

namespace base {
namespace {

TEST(Glob, StarsAndQuestionMarksStandForAnything) {
  EXPECT_TRUE(glob_matches("*", "x"));
  EXPECT_TRUE(glob_matches("x*", "x"));
  EXPECT_TRUE(glob_matches("lock:*", "lock:order:1"));
  EXPECT_TRUE(glob_matches("*:order:*", "lock:order:1"));
  EXPECT_TRUE(glob_matches("a?c", "abc"));
  EXPECT_FALSE(glob_matches("a?c", "ac"));
  EXPECT_FALSE(glob_matches("lock:*", "latch:1"));
  EXPECT_FALSE(glob_matches("", "a"));
}

TEST(Glob, TheEmptyTextMatchesTheEmptyPatternAlone) {
  EXPECT_TRUE(glob_matches("", ""));
  EXPECT_FALSE(glob_matches("*", ""));
}

TEST(Glob, ClassesMayBeRangesAndNegated) {
  EXPECT_TRUE(glob_matches("h[ae]llo", "hello"));
  EXPECT_TRUE(glob_matches("h[a-e]llo", "hcllo"));
  EXPECT_TRUE(glob_matches("h[e-a]llo", "hcllo"));
  EXPECT_FALSE(glob_matches("h[^e]llo", "hello"));
  EXPECT_TRUE(glob_matches("h[^e]llo", "hallo"));
  EXPECT_TRUE(glob_matches("[\\]]", "]"));
  EXPECT_TRUE(glob_matches("[abc", "b"));
}

TEST(Glob, ABackslashTakesTheNextByteLiterally) {
  EXPECT_TRUE(glob_matches("a\\*b", "a*b"));
  EXPECT_FALSE(glob_matches("a\\*b", "axb"));
  EXPECT_TRUE(glob_matches("a\\", "a\\"));
}

TEST(Glob, LetterCaseCanBeIgnored) {
  EXPECT_FALSE(glob_matches("MAX*", "maxmemory"));
  EXPECT_TRUE(glob_matches("MAX*", "maxmemory", LetterCase::ignored));
  EXPECT_TRUE(glob_matches("[A-C]x", "bX", LetterCase::ignored));
}

// A pattern of many stars must not take exponential time on a text that almost matches.
TEST(Glob, ManyStarsStayCheap) {
  std::string pattern;
  for (int i = 0; i < 60; ++i) pattern += "a*";
  EXPECT_FALSE(glob_matches(pattern + "b", std::string(20000, 'a')));
}

}  // namespace
}  // namespace base
