// Ranges of a sorted set, by rank, by score or by the bytes of the members: from the words of a
// call to ranks.
#pragma once

#include "engine/sorted_set_value.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace commands {

namespace error_text {
inline constexpr std::string_view not_a_score_range = "ERR min or max is not a float";
inline constexpr std::string_view not_a_lex_range = "ERR min or max not valid string range item";
}  // namespace error_text

// Of a value that is not empty (none in a database is): `count` members from rank `first` on, 0
// being the lowest.
struct RankRange {
  std::size_t first = 0;
  std::size_t count = 0;
};

enum class Inclusion : std::uint8_t { inclusive, exclusive };

struct ScoreBound {
  double score = 0;
  Inclusion inclusion = Inclusion::inclusive;
};
struct ScoreRange {
  ScoreBound low;
  ScoreBound high;
};

enum class LexPoint : std::uint8_t { lowest, member, highest };  // "-", "[a" or "(a", "+"
struct LexBound {
  LexPoint point = LexPoint::member;
  Inclusion inclusion = Inclusion::inclusive;
  std::string_view member;
};
struct LexRange {
  LexBound low;
  LexBound high;
};

[[nodiscard]] std::optional<ScoreRange> parse_score_range(std::string_view low,
                                                          std::string_view high);
[[nodiscard]] std::optional<LexRange> parse_lex_range(std::string_view low, std::string_view high);

[[nodiscard]] RankRange ranks_within(const engine::SortedSetValue& value, const ScoreRange& range);
// What this is when scores differ, Redis leaves open.
[[nodiscard]] RankRange ranks_within(const engine::SortedSetValue& value, const LexRange& range);
// Both ends belong to it; negative ones count from the end, -1 the highest.
[[nodiscard]] RankRange ranks_between(std::size_t size, std::int64_t start, std::int64_t stop);

}  // namespace commands
