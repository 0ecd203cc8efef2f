#include "commands/sorted_set_range.hpp"

#include "commands/score_text.hpp"

#include <algorithm>

namespace commands {
namespace {

std::optional<ScoreBound> parse_bound(std::string_view text) {
  ScoreBound bound;
  if (text.starts_with('(')) {
    bound.inclusion = Inclusion::exclusive;
    text.remove_prefix(1);
  }
  const auto score = parse_score_bound(text);
  if (!score) return std::nullopt;
  bound.score = *score;
  return bound;
}

std::optional<LexBound> parse_lex_bound(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const char first = text.front();
  text.remove_prefix(1);
  // Redis takes these two for C strings.
  const bool is_alone = text.empty() || text.front() == '\0';
  if (first == '-' && is_alone) return LexBound{LexPoint::lowest, Inclusion::inclusive, {}};
  if (first == '+' && is_alone) return LexBound{LexPoint::highest, Inclusion::inclusive, {}};
  if (first == '[') return LexBound{LexPoint::member, Inclusion::inclusive, text};
  if (first == '(') return LexBound{LexPoint::member, Inclusion::exclusive, text};
  return std::nullopt;
}

bool is_below(double score, const ScoreBound& low) {
  return low.inclusion == Inclusion::inclusive ? score < low.score : score <= low.score;
}
bool is_above(double score, const ScoreBound& high) {
  return high.inclusion == Inclusion::inclusive ? score > high.score : score >= high.score;
}

bool is_below(std::string_view member, const LexBound& low) {
  if (low.point != LexPoint::member) return low.point == LexPoint::highest;
  return low.inclusion == Inclusion::inclusive ? member < low.member : member <= low.member;
}
bool is_above(std::string_view member, const LexBound& high) {
  if (high.point != LexPoint::member) return high.point == LexPoint::lowest;
  return high.inclusion == Inclusion::inclusive ? member > high.member : member >= high.member;
}

RankRange between(std::size_t first, std::size_t end) {
  return {first, end > first ? end - first : 0};
}

}  // namespace

std::optional<ScoreRange> parse_score_range(std::string_view low, std::string_view high) {
  const auto first = parse_bound(low);
  const auto last = parse_bound(high);
  if (!first || !last) return std::nullopt;
  return ScoreRange{*first, *last};
}

std::optional<LexRange> parse_lex_range(std::string_view low, std::string_view high) {
  const auto first = parse_lex_bound(low);
  const auto last = parse_lex_bound(high);
  if (!first || !last) return std::nullopt;
  return LexRange{*first, *last};
}

RankRange ranks_within(const engine::SortedSetValue& value, const ScoreRange& range) {
  const std::size_t first = value.count_before(
      [&](const engine::ScoredMember& item) { return is_below(item.score, range.low); });
  const std::size_t end = value.count_before(
      [&](const engine::ScoredMember& item) { return !is_above(item.score, range.high); });
  return between(first, end);
}

RankRange ranks_within(const engine::SortedSetValue& value, const LexRange& range) {
  if (is_below(value.at(value.size() - 1).member, range.low)) return {};
  const std::size_t first = value.count_before(
      [&](const engine::ScoredMember& item) { return is_below(item.member, range.low); });
  const std::size_t end = value.count_before(
      [&](const engine::ScoredMember& item) { return !is_above(item.member, range.high); });
  return between(first, end);
}

RankRange ranks_between(std::size_t size, std::int64_t start, std::int64_t stop) {
  const auto members = static_cast<std::int64_t>(size);
  if (start < 0) start = std::max<std::int64_t>(start + members, 0);
  if (stop < 0) stop += members;
  stop = std::min(stop, members - 1);
  if (start > stop) return {};
  return {static_cast<std::size_t>(start), static_cast<std::size_t>(stop - start + 1)};
}

}  // namespace commands
