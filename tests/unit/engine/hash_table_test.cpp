#include "engine/hash_table.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <set>

namespace {

struct Node {
  std::uint64_t value = 0;
  Node* next = nullptr;
};

struct Traits {
  using Node = ::Node;
  static Node* next(const Node& node) { return node.next; }
  static void set_next(Node& node, Node* next) { node.next = next; }
  // Multiplied by an odd number: spread, and without collisions in all 64 bits.
  [[nodiscard]] static std::uint64_t hash(const Node& node) {
    return node.value * 0x9E3779B97F4A7C15U;
  }
};

using Table = engine::HashTable<Traits>;

class HashTableTest : public ::testing::Test {
 protected:
  void grow_to(std::size_t size) {
    while (nodes.size() < size) {
      nodes.push_back(std::make_unique<Node>());
      nodes.back()->value = nodes.size();
      table.insert(*nodes.back(), Traits::hash(*nodes.back()));
    }
  }
  void shrink_to(std::size_t size) {
    while (nodes.size() > size) {
      table.erase(*nodes.back(), Traits::hash(*nodes.back()));
      nodes.pop_back();
    }
  }
  std::vector<std::unique_ptr<Node>> nodes;
  Table table;
};

TEST_F(HashTableTest, finds_everything_at_every_size) {
  for (const std::size_t size : {1U, 8U, 13U, 100U, 5000U, 20'000U}) {
    grow_to(size);
    table.validate();
    EXPECT_EQ(table.size(), size);
    for (const auto& node : nodes) {
      EXPECT_EQ(table.find(Traits::hash(*node), [&](const Node& at) { return &at == node.get(); }),
                node.get());
    }
  }
  EXPECT_EQ(table.find(12345, [](const Node&) { return false; }), nullptr);
}

TEST_F(HashTableTest, gives_memory_back) {
  const auto empty = table.allocated_bytes();
  grow_to(50'000);
  EXPECT_LT(table.allocated_bytes(), 50'000U * 6);
  shrink_to(10);
  table.validate();
  EXPECT_LT(table.allocated_bytes(), empty + 1000);
  grow_to(100);
  table.validate();
}

TEST_F(HashTableTest, replaces_a_node_in_place) {
  grow_to(100);
  for (auto& node : nodes) {
    auto moved = std::make_unique<Node>(*node);
    table.replace(*node, *moved, Traits::hash(*node));
    node = std::move(moved);
  }
  table.validate();
  shrink_to(0);
}

TEST_F(HashTableTest, scan_visits_each_once_while_nothing_changes) {
  for (const std::size_t size : {0U, 1U, 7U, 100U, 4097U, 10'000U}) {
    grow_to(size);
    std::multiset<std::uint64_t> seen;
    std::uint64_t cursor = 0;
    do {
      cursor = table.scan(cursor, 10, [&](const Node& node) { seen.insert(node.value); });
    } while (cursor != 0);
    EXPECT_EQ(seen.size(), size);
    EXPECT_EQ(std::set<std::uint64_t>(seen.begin(), seen.end()).size(), size);
  }
}

TEST_F(HashTableTest, scan_steps_are_bounded) {
  grow_to(100'000);
  std::uint64_t cursor = 0;
  do {
    std::size_t seen = 0;
    cursor = table.scan(cursor, 10, [&](const Node&) { ++seen; });
    EXPECT_LT(seen, 40U);
  } while (cursor != 0);
}

TEST_F(HashTableTest, take_any_empties_the_table) {
  grow_to(10'000);
  std::set<const Node*> taken;
  while (const Node* node = table.take_any()) taken.insert(node);
  EXPECT_EQ(taken.size(), 10'000U);
  EXPECT_EQ(table.size(), 0U);
}

TEST_F(HashTableTest, random_reaches_every_node) {
  grow_to(50);
  std::uint64_t state = 1;
  const auto random = [&] { return state = state * 6364136223846793005U + 1442695040888963407U; };
  std::set<const Node*> drawn;
  for (int draw = 0; draw < 5000; ++draw) {
    drawn.insert(table.random([&] { return random() >> 16U; }));
  }
  EXPECT_EQ(drawn.size(), 50U);
}

}  // namespace
