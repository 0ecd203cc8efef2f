#include "engine/expiry_wheel.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace {

using engine::ExpiryNode;
using engine::ExpiryWheel;

constexpr std::int64_t start_ms = 1'700'000'000'000;

class ExpiryWheelTest : public ::testing::Test {
 protected:
  ~ExpiryWheelTest() override { wheel.validate(); }

  ExpiryNode& link(std::int64_t deadline_ms) {
    nodes.push_back(std::make_unique<ExpiryNode>());
    wheel.link(*nodes.back(), deadline_ms);
    return *nodes.back();
  }
  std::vector<std::int64_t> due_at(std::int64_t now_ms) {
    std::vector<std::int64_t> deadlines;
    wheel.advance(now_ms);
    bool more = true;
    while (more) {
      while (ExpiryNode* node = wheel.first_due(now_ms)) {
        deadlines.push_back(node->deadline_ms);
        wheel.unlink(*node);
      }
      more = wheel.cascade(3) || wheel.first_due(now_ms) != nullptr;
    }
    return deadlines;
  }

  std::vector<std::unique_ptr<ExpiryNode>> nodes;
  ExpiryWheel wheel{start_ms};
};

TEST_F(ExpiryWheelTest, fires_at_the_millisecond) {
  link(start_ms + 10);
  EXPECT_TRUE(due_at(start_ms + 9).empty());
  EXPECT_EQ(due_at(start_ms + 10).size(), 1U);
  EXPECT_EQ(wheel.size(), 0U);
  EXPECT_EQ(wheel.next_deadline_ms(), std::nullopt);
}

TEST_F(ExpiryWheelTest, fires_over_every_distance) {
  for (unsigned bit = 0; bit < 62; ++bit) {
    const std::int64_t deadline = start_ms + (std::int64_t{1} << bit);
    link(deadline);
    wheel.validate();
  }
  for (unsigned bit = 0; bit < 62; ++bit) {
    const std::int64_t deadline = start_ms + (std::int64_t{1} << bit);
    EXPECT_LE(*wheel.next_deadline_ms(), deadline);
    EXPECT_TRUE(due_at(deadline - 1).empty()) << bit;
    EXPECT_EQ(due_at(deadline), std::vector<std::int64_t>{deadline}) << bit;
    wheel.validate();
  }
}

TEST_F(ExpiryWheelTest, the_past_is_due_at_once) {
  link(start_ms - 1);
  link(-5);
  link(start_ms);
  EXPECT_EQ(wheel.next_deadline_ms(), start_ms);
  EXPECT_EQ(due_at(start_ms).size(), 3U);
}

TEST_F(ExpiryWheelTest, unlinked_nodes_leave_no_trace) {
  ExpiryNode& first = link(start_ms + 100);
  link(start_ms + 5000);
  EXPECT_EQ(wheel.next_deadline_ms(), start_ms + 100);
  wheel.unlink(first);
  EXPECT_FALSE(first.is_linked());
  EXPECT_EQ(wheel.next_deadline_ms(), start_ms + 5000);
}

TEST_F(ExpiryWheelTest, next_deadline_looks_past_an_unlinked_neighbour_in_its_slot) {
  // All three lie in one slot of level 1 or 2.
  const std::int64_t base = (start_ms / 65'536 + 2) * 65'536;
  ExpiryNode& first = link(base + 10);
  link(base + 20);
  link(base + 30);
  wheel.unlink(first);
  EXPECT_EQ(wheel.next_deadline_ms(), base + 20);
}

TEST_F(ExpiryWheelTest, a_clock_that_goes_back_fires_nothing) {
  link(start_ms + 10);
  wheel.advance(start_ms + 5);
  EXPECT_TRUE(due_at(start_ms - 1'000'000).empty());
  link(start_ms + 3);
  EXPECT_TRUE(due_at(start_ms + 2).empty());
  EXPECT_EQ(due_at(start_ms + 10).size(), 2U);
}

TEST_F(ExpiryWheelTest, a_long_jump_fires_everything_passed) {
  for (int step = 1; step <= 1000; ++step) link(start_ms + step * 977);
  link(start_ms + 10'000'000);
  EXPECT_EQ(due_at(start_ms + 977'000).size(), 1000U);
  EXPECT_EQ(wheel.next_deadline_ms(), start_ms + 10'000'000);
}

TEST_F(ExpiryWheelTest, entering_a_crowded_slot_is_dealt_out_in_pieces) {
  const std::int64_t base = (start_ms / 65'536 + 2) * 65'536;
  for (int step = 0; step < 1000; ++step) link(base + 300 + step % 7);
  wheel.advance(base);
  EXPECT_EQ(wheel.first_due(base), nullptr);
  EXPECT_TRUE(wheel.cascade(10));
  wheel.validate();
  EXPECT_EQ(wheel.next_deadline_ms(), base) << "there is work to do now";
  while (wheel.cascade(10)) wheel.validate();
  EXPECT_EQ(wheel.next_deadline_ms(), base + 300);
  EXPECT_EQ(due_at(base + 306).size(), 1000U);
}

TEST_F(ExpiryWheelTest, a_slot_dealt_out_ahead_fires_at_the_millisecond_without_more_dealing) {
  const std::int64_t window_ms = (start_ms / 256 + 1) * 256;
  for (std::int64_t ms = 0; ms < 256; ++ms) link(window_ms + ms);
  ExpiryNode& unlinked = link(window_ms + 7);
  EXPECT_TRUE(wheel.deal_ahead(100));
  EXPECT_FALSE(wheel.deal_ahead(1000));
  wheel.validate();
  EXPECT_EQ(wheel.next_deadline_ms(), window_ms);
  wheel.unlink(unlinked);
  for (std::int64_t ms = 0; ms < 256; ++ms) {
    wheel.advance(window_ms + ms);
    EXPECT_FALSE(wheel.cascade(1));
    ExpiryNode* due = wheel.first_due(window_ms + ms);
    ASSERT_NE(due, nullptr);
    EXPECT_EQ(due->deadline_ms, window_ms + ms);
    wheel.unlink(*due);
    EXPECT_EQ(wheel.first_due(window_ms + ms), nullptr);
  }
  EXPECT_EQ(wheel.size(), 0U);
}

TEST_F(ExpiryWheelTest, time_may_jump_over_what_was_dealt_out_ahead) {
  const std::int64_t window_ms = (start_ms / 256 + 1) * 256;
  for (std::int64_t ms = 0; ms < 256; ++ms) link(window_ms + ms);
  wheel.deal_ahead(1000);
  EXPECT_EQ(due_at(window_ms + 100).size(), 101U);
  link(window_ms + 300);
  wheel.deal_ahead(1000);
  EXPECT_EQ(due_at(window_ms + 100'000).size(), 156U);
}

TEST_F(ExpiryWheelTest, nodes_can_be_unlinked_while_their_slot_is_dealt_out) {
  const std::int64_t base = (start_ms / 65'536 + 2) * 65'536;
  for (int step = 0; step < 100; ++step) link(base + 300);
  wheel.advance(base);
  wheel.cascade(50);
  for (auto& node : nodes) {
    wheel.unlink(*node);
    wheel.validate();
  }
  EXPECT_EQ(wheel.next_deadline_ms(), std::nullopt);
}

TEST_F(ExpiryWheelTest, a_node_can_move_in_memory) {
  ExpiryNode& node = link(start_ms + 10);
  link(start_ms + 10);
  auto moved = std::make_unique<ExpiryNode>(node);
  ExpiryWheel::replace(*moved);
  nodes.front() = std::move(moved);
  wheel.validate();
  EXPECT_EQ(due_at(start_ms + 10).size(), 2U);
}

}  // namespace
