// Random edits of sets against std::set: every answer, order and encoding, and from time to time
// the whole state; the recorded frames rebuild the same sets in the same encodings.
#include "base/integers.hpp"
#include "engine/keyspace.hpp"
#include "engine/set_value.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace {

using engine::Encoding;
using engine::Keyspace;
using engine::set_of;
using Members = std::set<std::string>;

constexpr std::size_t integers_max = 8;

struct NaiveSet {
  Members members;
  bool is_table = false;

  void add(const std::string& member) {
    members.insert(member);
    if (!base::parse_int64(member) || members.size() > integers_max) is_table = true;
  }
};

class Sets {
 public:
  explicit Sets(std::uint64_t seed) : random_(seed), keyspace_(0, seed) {
    limit(keyspace_);
    keyspace_.set_frames_wanted(true);
  }

  void step() {
    const std::string key = "key" + std::to_string(below(4));
    const std::string to = "key" + std::to_string(below(4));
    const auto texts = some_members();
    const std::vector<std::string_view> members(texts.begin(), texts.end());
    keyspace_.begin_frame(0);
    switch (below(12)) {
      case 0:
        put(key, texts, members);
        break;
      case 1:
        if (sets_.contains(key) && key != to) rename(key, to);
        break;
      case 2:
        if (sets_.contains(key) && key != to) {
          EXPECT_TRUE(db().copy(key, db(), to).has_value());
          sets_[to] = sets_[key];
        }
        break;
      case 3:
        EXPECT_EQ(db().remove(key), sets_.erase(key) == 1);
        break;
      case 4:
      case 5:
      case 6:
      case 7:
        remove(key, texts, members);
        break;
      default:
        add(key, texts, members);
    }
    keyspace_.end_frame();
    frames_ += keyspace_.take_batch().bytes;
  }

  void compare() {
    compare(keyspace_);
    Keyspace replica(0, random_());
    limit(replica);
    ASSERT_TRUE(replica.replay(frames_));
    compare(replica);
  }

 private:
  static void limit(Keyspace& keyspace) {
    engine::KeyspaceLimits limits;
    limits.intset_members_max = integers_max;
    keyspace.set_limits(limits);
  }

  engine::Database& db() { return keyspace_.database(0); }
  std::uint64_t below(std::uint64_t end) { return random_() % end; }

  std::string some_member() {
    switch (below(12)) {
      case 0:
        return std::string(below(40), 'x');
      case 1:
        return std::to_string(static_cast<std::int64_t>(random_()));
      case 2:
        return std::to_string(100'000 - static_cast<std::int64_t>(below(200'000)));
      case 3:
        return "0" + std::to_string(below(5));
      default:
        return std::to_string(below(12));
    }
  }

  // Mostly integers, so that all encodings are common.
  std::vector<std::string> some_members() {
    std::vector<std::string> members;
    for (std::uint64_t count = below(5) + 1; count > 0; --count) members.push_back(some_member());
    return members;
  }

  void add(const std::string& key, const std::vector<std::string>& texts,
           std::span<const std::string_view> members) {
    auto& set = sets_[key];
    const std::size_t before = set.members.size();
    for (const auto& text : texts) set.add(text);
    EXPECT_EQ(db().set_add(key, members), set.members.size() - before);
  }

  void remove(const std::string& key, const std::vector<std::string>& texts,
              std::span<const std::string_view> members) {
    std::size_t removed = 0;
    if (sets_.contains(key)) {
      auto& set = sets_[key];
      for (const auto& text : texts) removed += set.members.erase(text);
      if (set.members.empty()) sets_.erase(key);
    }
    EXPECT_EQ(db().set_remove(key, members), removed);
  }

  void put(const std::string& key, const std::vector<std::string>& texts,
           std::span<const std::string_view> members) {
    const bool as_table = below(2) == 0;
    NaiveSet set;
    set.is_table = as_table;
    for (const auto& text : texts) set.add(text);
    sets_[key] = set;
    const Encoding encoding = as_table ? Encoding::hashtable : Encoding::intset;
    EXPECT_TRUE(db().set_put(key, members, encoding).has_value());
  }

  void rename(const std::string& key, const std::string& to) {
    EXPECT_TRUE(db().rename(key, to).has_value());
    sets_[to] = sets_[key];
    sets_.erase(key);
  }

  void compare(Keyspace& keyspace) {
    keyspace.validate();
    keyspace.begin_frame(0);
    auto& database = keyspace.database(0);
    EXPECT_EQ(database.size(), sets_.size());
    for (const auto& [key, naive] : sets_) {
      const engine::Entry* entry = database.peek(key);
      ASSERT_NE(entry, nullptr) << key;
      EXPECT_EQ(entry->encoding(), naive.is_table ? Encoding::hashtable : Encoding::intset);
      const auto& set = set_of(*entry);
      EXPECT_EQ(set.size(), naive.members.size());
      Members seen;
      std::vector<std::int64_t> integers;
      set.for_each([&](std::string_view member) {
        EXPECT_TRUE(set.contains(member));
        seen.emplace(member);
        if (!naive.is_table) integers.push_back(*base::parse_int64(member));
      });
      EXPECT_EQ(seen, naive.members);
      EXPECT_TRUE(std::ranges::is_sorted(integers));
    }
    keyspace.end_frame();
  }

  std::mt19937_64 random_;
  Keyspace keyspace_;
  std::map<std::string, NaiveSet> sets_;
  std::string frames_;
};

TEST(SetProperty, equals_the_model_and_its_replay) {
  std::uint64_t first = std::random_device{}();
  if (const char* given = std::getenv("PROPERTY_SEED")) first = std::strtoull(given, nullptr, 10);
  std::cout << "PROPERTY_SEED=" << first << '\n';
  for (std::uint64_t seed = first; seed < first + 100; ++seed) {
    Sets sets(seed);
    for (int round = 0; round < 10; ++round) {
      for (int step = 0; step < 40; ++step) sets.step();
      sets.compare();
      ASSERT_FALSE(::testing::Test::HasFailure()) << "PROPERTY_SEED=" << seed;
    }
  }
}

// What stays in a set from cursor 0 to cursor 0 is visited, however it grows and shrinks meanwhile.
TEST(SetProperty, scan_visits_all_that_stays) {
  std::uint64_t first = std::random_device{}();
  if (const char* given = std::getenv("PROPERTY_SEED")) first = std::strtoull(given, nullptr, 10);
  std::cout << "PROPERTY_SEED=" << first << '\n';
  for (std::uint64_t seed = first; seed < first + 30; ++seed) {
    std::mt19937_64 random(seed);
    Keyspace keyspace(0, seed);
    keyspace.begin_frame(0);
    auto& db = keyspace.database(0);
    const auto change = [&](bool adds, const std::string& member) {
      const std::string_view names[] = {member};
      EXPECT_TRUE((adds ? db.set_add("s", names) : db.set_remove("s", names)).has_value());
    };
    const std::size_t staying = random() % 300 + 1;
    for (std::size_t at = 0; at < staying; ++at) change(true, "stays" + std::to_string(at));
    std::set<std::string> seen;
    std::uint64_t cursor = 0;
    std::size_t others = 0;
    std::size_t goal = random() % 4000;
    do {
      cursor = set_of(*db.peek("s")).scan(cursor, 1 + random() % 20, [&](std::string_view member) {
        if (member.starts_with("stays")) seen.emplace(member);
      });
      if (random() % 8 == 0) goal = random() % 4000;
      for (std::size_t steps = random() % 300; steps > 0 && others != goal; --steps) {
        const bool adds = others < goal;
        if (!adds) --others;
        change(adds, std::to_string(others));
        if (adds) ++others;
      }
    } while (cursor != 0);
    EXPECT_EQ(seen.size(), staying) << "PROPERTY_SEED=" << seed;
    keyspace.validate();
    keyspace.end_frame();
  }
}

}  // namespace
