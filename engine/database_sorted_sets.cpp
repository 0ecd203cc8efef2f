// Sorted sets of a Database.
#include "base/assert.hpp"
#include "engine/database.hpp"
#include "engine/keyspace_state.hpp"
#include "engine/sorted_set_value.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace engine {
namespace {

// Goes through the members of one call in order and keeps what changes: a member that is named
// twice is seen as the first naming left it.
class ScoreDecision {
 public:
  ScoreDecision(const Entry* entry, ScoreCondition condition)
      : value_(entry == nullptr ? nullptr : &sorted_set_of(*entry)), condition_(condition) {}

  // True unless the condition refused it.
  bool set(const ScoredMember& item, std::optional<double> old) {
    if (!old) {
      if (condition_.existing_only) return false;
      ++change_.added;
      keep(item);
      return true;
    }
    if (condition_.new_only) return false;
    if (condition_.less_only && item.score >= *old) return false;
    if (condition_.greater_only && item.score <= *old) return false;
    if (item.score == *old) return true;
    ++change_.updated;
    keep(item);
    return true;
  }
  [[nodiscard]] std::optional<double> score(std::string_view member) const {
    const auto kept = places_.find(member);
    if (kept != places_.end()) return effects_[kept->second].score;
    return value_ == nullptr ? std::nullopt : value_->score(member);
  }
  // More members will be decided: remember where each is kept.
  void expect_several() { several_ = true; }

  [[nodiscard]] std::span<const ScoredMember> effects() const { return effects_; }
  [[nodiscard]] ScoreChange& change() { return change_; }

 private:
  void keep(const ScoredMember& item) {
    if (!several_) return effects_.push_back(item);
    const auto [place, is_new] = places_.try_emplace(item.member, effects_.size());
    if (is_new) return effects_.push_back(item);
    effects_[place->second].score = item.score;
  }

  const SortedSetValue* value_;
  ScoreCondition condition_;
  bool several_ = false;
  std::vector<ScoredMember> effects_;
  std::unordered_map<std::string_view, std::size_t> places_;
  ScoreChange change_;
};

}  // namespace

Result<void> Database::change_scores(std::string_view key, const Place& place,
                                     std::span<const ScoredMember> scores, std::size_t added) {
  if (scores.empty()) return {};
  const bool is_new = place.entry == nullptr;
  Mutation mutation =
      this->mutation(is_new ? MutationKind::put_sorted_set : MutationKind::set_scores, key, place);
  mutation.scored = scores;
  if (added > 0) return grow(mutation);
  keyspace_.change(mutation);
  return {};
}

Result<ScoreChange> Database::set_scores(std::string_view key, std::span<const ScoredMember> scores,
                                         ScoreCondition condition) {
  const auto place = place_of(key, Type::sorted_set);
  if (!place) return std::unexpected(place.error());
  ScoreDecision decision(place->entry, condition);
  if (scores.size() > 1) decision.expect_several();
  for (const ScoredMember& item : scores) decision.set(item, decision.score(item.member));
  const auto done = change_scores(key, *place, decision.effects(), decision.change().added);
  if (!done) return std::unexpected(done.error());
  return decision.change();
}

Result<ScoreChange> Database::increment_score(std::string_view key, const ScoredMember& delta,
                                              ScoreCondition condition) {
  const auto place = place_of(key, Type::sorted_set);
  if (!place) return std::unexpected(place.error());
  ScoreDecision decision(place->entry, condition);
  const std::optional<double> old = decision.score(delta.member);
  if (old && condition.new_only) return ScoreChange{};
  const double sum = old.value_or(0) + delta.score;
  if (std::isnan(sum)) return std::unexpected(Error::score_not_a_number);
  const ScoredMember item{delta.member, old ? sum : delta.score};
  if (!decision.set(item, old)) return ScoreChange{};
  decision.change().score = item.score;
  const auto done = change_scores(key, *place, decision.effects(), decision.change().added);
  if (!done) return std::unexpected(done.error());
  return decision.change();
}

Result<std::size_t> Database::remove_scored(std::string_view key,
                                            std::span<const std::string_view> members) {
  const auto place = place_of(key, Type::sorted_set);
  if (!place) return std::unexpected(place.error());
  if (place->entry == nullptr) return 0;
  const SortedSetValue& value = sorted_set_of(*place->entry);
  auto& state = *keyspace_.state_;
  state.names.clear();
  for (const std::string_view member : members) {
    if (value.score(member)) state.names.push_back(member);
  }
  if (state.names.empty()) return 0;
  const std::size_t old_size = value.size();
  Mutation mutation = this->mutation(MutationKind::remove_scored, key, *place);
  mutation.names = state.names;
  keyspace_.change(mutation);
  return state.applied == nullptr ? old_size : old_size - sorted_set_of(*state.applied).size();
}

void Database::remove_ranks(std::string_view key, std::size_t first, std::size_t count) {
  const Place place = this->place(key);
  ASSERT(place.entry != nullptr);
  const SortedSetValue& value = sorted_set_of(*place.entry);
  if (count == 0) return;
  if (count == value.size()) {
    keyspace_.change(this->mutation(MutationKind::remove, key, place));
    return;
  }
  auto& names = keyspace_.state_->names;
  names.clear();
  value.visit(first, count, Order::ascending,
              [&](const ScoredMember& item) { names.push_back(item.member); });
  Mutation mutation = this->mutation(MutationKind::remove_scored, key, place);
  mutation.names = names;
  keyspace_.change(mutation);
}

Result<void> Database::put_sorted_set(std::string_view key, std::span<const ScoredMember> scores) {
  const Place place = this->place(key);
  Mutation mutation = this->mutation(MutationKind::put_sorted_set, key, place);
  mutation.scored = scores;
  // Packed on the way to its size it would lose the sign of a -0.
  const KeyspaceLimits& limits = keyspace_.limits();
  const bool is_large = scores.size() > limits.packed_sorted_set_members_max ||
                        std::ranges::any_of(scores, [&](const ScoredMember& item) {
                          return item.member.size() > limits.packed_sorted_set_member_bytes_max;
                        });
  if (is_large) mutation.encoding = Encoding::skiplist;
  return grow(mutation);
}

}  // namespace engine
