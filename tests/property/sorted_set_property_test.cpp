// Random changes of sorted sets and of a naive model of them, packed and indexed; every answer, the
// order, ranks and ranges are compared, and the recorded frames must rebuild the same state.
#include "engine/keyspace.hpp"
#include "engine/sorted_set_value.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace {

using engine::Keyspace;
using engine::KeyspaceLimits;
using engine::ScoreCondition;
using engine::ScoredMember;
using engine::SortedSetValue;

using Scores = std::map<std::string, double>;
using Items = std::vector<std::pair<double, std::string>>;

Items ordered(const Scores& scores) {
  Items items;
  for (const auto& [member, score] : scores) items.emplace_back(score, member);
  std::ranges::sort(items);
  return items;
}

Items contents(const SortedSetValue& value) {
  Items items;
  value.visit(0, value.size(), engine::Order::ascending, [&](const ScoredMember& item) {
    items.emplace_back(item.score, std::string(item.member));
  });
  return items;
}

std::string dump(Keyspace& keyspace) {
  std::map<std::string, std::string> lines;
  keyspace.begin_frame(1);
  keyspace.database(0).for_each([&](const engine::Entry& entry) {
    std::ostringstream line;
    line << entry.token() << ' ' << static_cast<int>(entry.encoding());
    for (const auto& [score, member] : contents(engine::sorted_set_of(entry))) {
      line << ' ' << (std::signbit(score) ? "-" : "+") << std::abs(score) << '=' << member;
    }
    lines[std::string(entry.key())] = line.str();
  });
  keyspace.end_frame();
  std::string text;
  for (const auto& [key, line] : lines) text += key + ": " + line + "\n";
  return text;
}

class Pair {
 public:
  Pair(std::uint64_t seed, std::size_t packed_max) : random_(seed) {
    limits_.packed_sorted_set_members_max = packed_max;
    limits_.packed_sorted_set_member_bytes_max = 12;
    keyspace_.set_limits(limits_);
    keyspace_.set_frames_wanted(true);
  }

  void step() {
    const std::string key = "key" + std::to_string(below(4));
    keyspace_.begin_frame(1);
    change(key);
    check(key);
    keyspace_.end_frame();
    frames_ += keyspace_.take_batch().bytes;
  }

  void finish() {
    keyspace_.validate();
    Keyspace replica(0, 7);
    replica.set_limits(limits_);
    ASSERT_TRUE(replica.replay(frames_));
    replica.validate();
    EXPECT_EQ(dump(keyspace_), dump(replica));
    keyspace_.begin_frame(1);
    keyspace_.flush_all();
    keyspace_.end_frame();
    while (keyspace_.free_some(1000)) {
    }
    EXPECT_EQ(keyspace_.pending_bytes(), 0U);
  }

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }
  std::string member() {
    const std::string name = "m" + std::to_string(below(40));
    return below(300) == 0 ? name + std::string(12, 'x') : name;
  }
  double score() {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    switch (below(12)) {
      case 0:
        return infinity;
      case 1:
        return -infinity;
      case 2:
        return 0.1 * static_cast<double>(below(5));
      default:
        return static_cast<double>(below(9)) - 4;
    }
  }

  void change(const std::string& key) {
    switch (below(14)) {
      case 0:
        return remove_ranks(key);
      case 1:
        return put(key);
      case 2:
        return copy(key);
      case 3:
      case 4:
        return remove(key);
      case 5:
      case 6:
        return increment(key);
      default:
        return set(key);
    }
  }

  void set(const std::string& key) {
    const ScoreCondition condition{.new_only = below(6) == 0,
                                   .existing_only = below(6) == 0,
                                   .greater_only = below(6) == 0,
                                   .less_only = below(6) == 0};
    std::vector<std::string> names(below(3) == 0 ? below(30) + 1 : 1);
    std::ranges::generate(names, [&] { return member(); });
    std::vector<ScoredMember> items;
    items.reserve(names.size());
    for (const std::string& name : names) items.push_back({name, score()});
    std::size_t added = 0;
    std::size_t updated = 0;
    Scores scores = model_[key];
    for (const auto& [name, wanted] : items) {
      const auto old = scores.find(std::string(name));
      if (old == scores.end()) {
        if (condition.existing_only) continue;
        scores[std::string(name)] = wanted;
        ++added;
        continue;
      }
      if (condition.new_only || (condition.greater_only && wanted <= old->second)) continue;
      if (condition.less_only && wanted >= old->second) continue;
      if (wanted != old->second) ++updated;
      old->second = wanted;
    }
    model_[key] = scores;
    const auto done = keyspace_.database(0).set_scores(key, items, condition);
    ASSERT_TRUE(done.has_value());
    EXPECT_EQ(done->added, added);
    EXPECT_EQ(done->updated, updated);
  }

  void increment(const std::string& key) {
    const std::string name = member();
    const double delta = score();
    const auto old = model_[key].find(name);
    const double sum = old == model_[key].end() ? delta : old->second + delta;
    const auto done = keyspace_.database(0).increment_score(key, {name, delta}, {});
    ASSERT_EQ(done.has_value(), !std::isnan(sum));
    if (!done) return;
    EXPECT_EQ(done->score, sum);
    model_[key][name] = sum;
  }

  void remove(const std::string& key) {
    std::vector<std::string> names(below(5) + 1);
    std::ranges::generate(names, [&] { return member(); });
    const std::vector<std::string_view> views(names.begin(), names.end());
    std::size_t removed = 0;
    for (const std::string& name : names) removed += model_[key].erase(name);
    const auto done = keyspace_.database(0).remove_scored(key, views);
    ASSERT_TRUE(done.has_value());
    EXPECT_EQ(*done, removed);
  }

  void remove_ranks(const std::string& key) {
    const Items items = ordered(model_[key]);
    if (items.empty()) return;
    const std::size_t first = below(items.size());
    const std::size_t count =
        below(4) == 0 ? items.size() - first : std::min(below(3), items.size() - first);
    for (std::size_t at = first; at < first + count; ++at) model_[key].erase(items[at].second);
    keyspace_.database(0).remove_ranks(key, first, count);
  }

  // A part of a value in place of the whole, as ZRANGESTORE does.
  void put(const std::string& key) {
    const engine::Entry* entry = keyspace_.database(0).peek(key);
    if (entry == nullptr) return;
    const SortedSetValue& value = engine::sorted_set_of(*entry);
    const std::size_t count = below(value.size()) + 1;
    std::vector<ScoredMember> items;
    value.visit(0, count, engine::Order::descending,
                [&](const ScoredMember& item) { items.push_back(item); });
    Scores scores;
    for (const ScoredMember& item : items) scores[std::string(item.member)] = item.score;
    ASSERT_TRUE(keyspace_.database(0).put_sorted_set(key, items).has_value());
    model_[key] = scores;
  }

  void copy(const std::string& key) {
    engine::Database& database = keyspace_.database(0);
    const std::string to = "key" + std::to_string(below(4));
    if (database.peek(key) == nullptr || to == key) return;
    ASSERT_TRUE(database.copy(key, database, to).has_value());
    model_[to] = model_[key];
  }

  void check(const std::string& key) {
    const Items expected = ordered(model_[key]);
    const engine::Entry* entry = keyspace_.database(0).peek(key);
    ASSERT_EQ(entry == nullptr, expected.empty());
    if (entry == nullptr) return;
    const SortedSetValue& value = engine::sorted_set_of(*entry);
    ASSERT_EQ(contents(value), expected);
    const std::size_t at = below(expected.size());
    EXPECT_EQ(value.at(at).member, expected[at].second);
    EXPECT_EQ(value.rank(expected[at].second), at);
    EXPECT_EQ(value.score(expected[at].second), expected[at].first);
    EXPECT_EQ(value.score("absent"), std::nullopt);
    const double bound = score();
    const auto before = static_cast<std::size_t>(
        std::ranges::count_if(expected, [&](const auto& item) { return item.first < bound; }));
    EXPECT_EQ(value.count_before([&](const ScoredMember& item) { return item.score < bound; }),
              before);
    check_window(value, expected);
    if (below(50) == 0) value.validate();
  }

  void check_window(const SortedSetValue& value, Items expected) {
    const bool ascending = below(2) == 0;
    if (!ascending) std::ranges::reverse(expected);
    const std::size_t skip = below(expected.size() + 2);
    const std::size_t count = below(expected.size() + 2);
    Items seen;
    value.visit(
        skip, count, ascending ? engine::Order::ascending : engine::Order::descending,
        [&](const ScoredMember& item) { seen.emplace_back(item.score, std::string(item.member)); });
    const auto first =
        expected.begin() + static_cast<std::ptrdiff_t>(std::min(skip, expected.size()));
    const auto left = static_cast<std::size_t>(expected.end() - first);
    EXPECT_EQ(seen, Items(first, first + static_cast<std::ptrdiff_t>(std::min(count, left))));
  }

  std::mt19937_64 random_;
  KeyspaceLimits limits_;
  Keyspace keyspace_{0, 42};
  std::map<std::string, Scores> model_;
  std::string frames_;
};

TEST(SortedSetProperty, behaves_as_the_naive_model_and_replays_to_the_same_state) {
  const char* given = std::getenv("PROPERTY_SEED");
  const std::uint64_t first =
      given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
  std::cout << "PROPERTY_SEED=" << first << '\n';
  for (std::uint64_t seed = first; seed < first + 12; ++seed) {
    constexpr std::size_t packed_max[] = {0, 8, 128};
    Pair pair(seed, packed_max[seed % 3]);
    for (int step = 0; step < 2000 && !HasFailure(); ++step) pair.step();
    pair.finish();
    ASSERT_FALSE(HasFailure()) << "PROPERTY_SEED=" << seed;
  }
}

}  // namespace
