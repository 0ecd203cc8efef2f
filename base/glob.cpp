#include "base/glob.hpp"

#include <cstddef>
#include <optional>
#include <utility>

namespace base {
namespace {

char folded(char letter, LetterCase letter_case) {
  const bool upper = letter >= 'A' && letter <= 'Z';
  return letter_case == LetterCase::ignored && upper ? static_cast<char>(letter + 32) : letter;
}

bool in_range(char letter, char low, char high) {
  const auto value = static_cast<unsigned char>(letter);
  auto first = static_cast<unsigned char>(low);
  auto last = static_cast<unsigned char>(high);
  if (first > last) std::swap(first, last);
  return first <= value && value <= last;
}

// Reads "[…]" whose '[' stands at `at`; moves `at` behind it. A class that is not closed ends with
// the pattern, as in Redis.
bool class_matches(std::string_view pattern, std::size_t& at, char letter, LetterCase letter_case) {
  ++at;
  const bool negated = at < pattern.size() && pattern[at] == '^';
  if (negated) ++at;
  bool found = false;
  for (; at < pattern.size() && pattern[at] != ']'; ++at) {
    if (pattern[at] == '\\' && at + 1 < pattern.size()) {
      ++at;
      found |= folded(pattern[at], letter_case) == folded(letter, letter_case);
    } else if (at + 2 < pattern.size() && pattern[at + 1] == '-') {
      found |= in_range(folded(letter, letter_case), folded(pattern[at], letter_case),
                        folded(pattern[at + 2], letter_case));
      at += 2;
    } else {
      found |= folded(pattern[at], letter_case) == folded(letter, letter_case);
    }
  }
  if (at < pattern.size()) ++at;
  return found != negated;
}

// Matches one letter against the unit of the pattern at `at`, and moves `at` behind that unit.
bool unit_matches(std::string_view pattern, std::size_t& at, char letter, LetterCase letter_case) {
  switch (pattern[at]) {
    case '?':
      ++at;
      return true;
    case '[':
      return class_matches(pattern, at, letter, letter_case);
    case '\\':
      if (at + 1 < pattern.size()) ++at;
      [[fallthrough]];
    default:
      return folded(pattern[at++], letter_case) == folded(letter, letter_case);
  }
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view text, LetterCase letter_case) {
  if (text.empty()) return pattern.empty();
  std::size_t in_pattern = 0;
  std::size_t in_text = 0;
  std::optional<std::size_t> after_star;
  std::size_t star_text = 0;
  while (in_text < text.size()) {
    if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
      after_star = ++in_pattern;
      star_text = in_text;
      continue;
    }
    if (in_pattern < pattern.size() &&
        unit_matches(pattern, in_pattern, text[in_text], letter_case)) {
      ++in_text;
      continue;
    }
    if (!after_star) return false;
    in_pattern = *after_star;
    in_text = ++star_text;
  }
  while (in_pattern < pattern.size() && pattern[in_pattern] == '*') ++in_pattern;
  return in_pattern == pattern.size();
}

}  // namespace base
