#include "commands/sorted_set_source.hpp"

#include "engine/set_value.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace commands {
namespace {

using Sources = std::vector<ScoreSource>;

constexpr double set_score = 1;

double or_zero(double score) {
  return std::isnan(score) ? 0 : score;
}

double aggregated(Aggregate aggregate, double score, double other) {
  switch (aggregate) {
    case Aggregate::sum:
      return or_zero(score + other);
    case Aggregate::min:
      return other < score ? other : score;
    case Aggregate::max:
      return other > score ? other : score;
  }
  return score;
}

Sources by_size(std::span<const ScoreSource> sources) {
  Sources sorted(sources.begin(), sources.end());
  std::ranges::stable_sort(sorted, {}, &ScoreSource::size);
  return sorted;
}

// Whether all but the first of `sorted` have the member; `with_score` is told their scores.
bool is_in_others(const Sources& sorted, std::string_view member,
                  base::FunctionRef<void(const ScoreSource&, double)> with_score) {
  for (std::size_t at = 1; at < sorted.size(); ++at) {
    const auto score = sorted[at].score(member);
    if (!score) return false;
    with_score(sorted[at], *score);
  }
  return true;
}

}  // namespace

std::size_t ScoreSource::size() const {
  return entry == nullptr ? 0 : entry->collection().size();
}

std::optional<double> ScoreSource::score(std::string_view member) const {
  if (entry == nullptr) return std::nullopt;
  if (entry->type() == engine::Type::set) {
    return engine::set_of(*entry).contains(member) ? std::optional(set_score) : std::nullopt;
  }
  return engine::sorted_set_of(*entry).score(member);
}

void ScoreSource::for_each(base::FunctionRef<void(const engine::ScoredMember&)> visit) const {
  if (entry == nullptr) return;
  if (entry->type() == engine::Type::set) {
    return engine::set_of(*entry).for_each(
        [&](std::string_view member) { visit({member, set_score}); });
  }
  const engine::SortedSetValue& value = engine::sorted_set_of(*entry);
  value.visit(0, value.size(), engine::Order::ascending, visit);
}

engine::Result<ScoreSource> read_score_source(const CommandContext& c, std::string_view key) {
  const engine::Entry* entry = read_key(c, key);
  const bool fits = entry == nullptr || entry->type() == engine::Type::sorted_set ||
                    entry->type() == engine::Type::set;
  if (!fits) return std::unexpected(engine::Error::wrong_type);
  return ScoreSource{entry};
}

ScoreCombination::Items ScoreCombination::merged(std::span<const ScoreSource> sources,
                                                 Aggregate aggregate) {
  std::unordered_map<std::string_view, double> scores;
  for (const ScoreSource& source : by_size(sources)) {
    source.for_each([&](const engine::ScoredMember& item) {
      const double score = or_zero(source.weight * item.score);
      const auto known = scores.find(item.member);
      if (known != scores.end()) known->second = aggregated(aggregate, known->second, score);
      if (known == scores.end()) scores.emplace(kept(item.member), score);
    });
  }
  Items items;
  items.reserve(scores.size());
  for (const auto& [member, score] : scores) items.push_back({member, score});
  std::ranges::sort(items, engine::comes_before);
  return items;
}

ScoreCombination::Items ScoreCombination::intersected(std::span<const ScoreSource> sources,
                                                      Aggregate aggregate) {
  const Sources sorted = by_size(sources);
  Items items;
  sorted.front().for_each([&](const engine::ScoredMember& item) {
    double score = or_zero(sorted.front().weight * item.score);
    const auto add = [&](const ScoreSource& source, double other) {
      score = aggregated(aggregate, score, source.weight * other);
    };
    if (is_in_others(sorted, item.member, add)) items.push_back({kept(item.member), score});
  });
  std::ranges::sort(items, engine::comes_before);
  return items;
}

ScoreCombination::Items ScoreCombination::subtracted(std::span<const ScoreSource> sources) {
  Items items;
  const auto others = sources.subspan(1);
  sources.front().for_each([&](const engine::ScoredMember& item) {
    const bool is_elsewhere = std::ranges::any_of(
        others, [&](const ScoreSource& other) { return other.score(item.member).has_value(); });
    if (!is_elsewhere) items.push_back({kept(item.member), item.score});
  });
  std::ranges::sort(items, engine::comes_before);
  return items;
}

std::size_t count_common(std::span<const ScoreSource> sources, std::size_t most) {
  const Sources sorted = by_size(sources);
  std::size_t count = 0;
  sorted.front().for_each([&](const engine::ScoredMember& item) {
    if (count >= most) return;
    if (is_in_others(sorted, item.member, [](const ScoreSource&, double) {})) ++count;
  });
  return count;
}

}  // namespace commands
