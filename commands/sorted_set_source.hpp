// What unions, intersections and differences of sorted sets are made of, and how scores meet in
// them. The order in which scores are added is Redis': smaller sources first.
#pragma once

#include "commands/sorted_set_reading.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace commands {

// A key that holds a sorted set, a set (every score is 1) or nothing.
struct ScoreSource {
  const engine::Entry* entry = nullptr;
  double weight = 1;

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::optional<double> score(std::string_view member) const;
  // A member's view dies with the visit.
  void for_each(base::FunctionRef<void(const engine::ScoredMember&)> visit) const;
};

// wrong_type for a key of any other type.
[[nodiscard]] engine::Result<ScoreSource> read_score_source(const CommandContext& c,
                                                            std::string_view key);

enum class Aggregate : std::uint8_t { sum, min, max };

// Results are in the order of sorted sets; they live as long as this object does.
class ScoreCombination {
 public:
  using Items = std::vector<engine::ScoredMember>;
  [[nodiscard]] Items merged(std::span<const ScoreSource> sources, Aggregate aggregate);
  [[nodiscard]] Items intersected(std::span<const ScoreSource> sources, Aggregate aggregate);
  // The members of the first that are in none of the others, with their scores.
  [[nodiscard]] Items subtracted(std::span<const ScoreSource> sources);

 private:
  std::string_view kept(std::string_view member) { return members_.emplace_back(member); }

  std::deque<std::string> members_;
};

// How many members are in all of them; stops at `most`.
[[nodiscard]] std::size_t count_common(std::span<const ScoreSource> sources, std::size_t most);

}  // namespace commands
