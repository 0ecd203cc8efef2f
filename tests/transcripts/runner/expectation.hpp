// What a transcript demands of one reply. Four matchers: an exact element, `:(lo..hi)`, a text or
// quoted string that ends in `*` (prefix), and `~` before an aggregate (any order). ` as name`
// behind a line remembers what arrived.
#pragma once

#include "tests/transcripts/runner/resp_value.hpp"

#include <cstddef>
#include <expected>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace transcripts {

using Captures = std::map<std::string, std::string>;

struct Expectation {
  enum class Matcher { exact, prefix, range, unordered };

  Matcher matcher = Matcher::exact;
  RespValue value;  // for aggregates: type only
  long long low = 0;
  long long high = 0;
  std::string capture;  // empty: not remembered
  std::vector<Expectation> elements;

  // On success the captures of this element and its children are added to `captures`.
  bool matches(const RespValue& actual, Captures& captures) const;
};

// Reads one whole expectation from the start of `lines` and says how many lines it took.
struct ReadExpectation {
  Expectation expectation;
  std::size_t lines_used = 0;
};
std::expected<ReadExpectation, std::string> read_expectation(std::span<const std::string> lines);

}  // namespace transcripts
