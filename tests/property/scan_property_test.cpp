// SCAN's promise: what is in the table from cursor 0 to cursor 0 is visited, however the table
// grows and shrinks meanwhile.
#include "engine/keyspace.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace {

class ScannedKeyspace {
 public:
  explicit ScannedKeyspace(std::uint64_t seed) : random_(seed), keyspace_(0, seed) {
    keyspace_.begin_frame(0);
    staying_ = random_() % 300;
    for (std::size_t key = 0; key < staying_; ++key) {
      EXPECT_TRUE(database().set_string("stays" + std::to_string(key), "v").has_value());
    }
  }
  ~ScannedKeyspace() { keyspace_.end_frame(); }
  ScannedKeyspace(const ScannedKeyspace&) = delete;
  ScannedKeyspace& operator=(const ScannedKeyspace&) = delete;

  // The staying keys seen by one whole scan, during which the table changes at random.
  std::size_t seen_by_a_scan() {
    std::set<std::string> seen;
    std::uint64_t cursor = 0;
    do {
      cursor = database().scan(cursor, 1 + random_() % 20, [&](const engine::Entry& entry) {
        if (entry.key().starts_with("stays")) seen.emplace(entry.key());
      });
      if (random_() % 16 == 0) goal_ = random_() % 6000;
      approach_goal();
    } while (cursor != 0);
    return seen.size();
  }
  [[nodiscard]] std::size_t staying() const { return staying_; }

 private:
  engine::Database& database() { return keyspace_.database(0); }

  // Up to some hundred keys come or go between two calls.
  void approach_goal() {
    for (std::size_t steps = random_() % 400; steps > 0 && others_ != goal_; --steps) {
      if (others_ < goal_) {
        const std::string key = "other" + std::to_string(others_++);
        EXPECT_TRUE(database().set_string(key, "v").has_value());
      } else {
        EXPECT_TRUE(database().remove("other" + std::to_string(--others_)));
      }
    }
  }

  std::mt19937_64 random_;
  engine::Keyspace keyspace_;
  std::size_t staying_ = 0;
  std::size_t others_ = 0;
  std::size_t goal_ = 1000;
};

TEST(ScanProperty, visits_all_that_stays) {
  std::uint64_t first = std::random_device{}();
  if (const char* given = std::getenv("PROPERTY_SEED")) first = std::strtoull(given, nullptr, 10);
  std::cout << "PROPERTY_SEED=" << first << '\n';
  for (std::uint64_t seed = first; seed < first + 100; ++seed) {
    ScannedKeyspace keyspace(seed);
    for (int scan = 0; scan < 3; ++scan) {
      ASSERT_EQ(keyspace.seen_by_a_scan(), keyspace.staying()) << "PROPERTY_SEED=" << seed;
    }
  }
}

}  // namespace
