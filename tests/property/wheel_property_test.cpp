// The wheel against a sorted multimap, over random deadlines, changes and jumps of the clock.
#include "engine/expiry_wheel.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <random>
#include <vector>

namespace {

using engine::ExpiryNode;
using engine::ExpiryWheel;

class WheelAndModel {
 public:
  explicit WheelAndModel(std::uint64_t seed) : random_(seed), nodes_(300) {
    for (auto& node : nodes_) node = std::make_unique<ExpiryNode>();
  }

  void step() {
    ExpiryNode& node = *nodes_[random_() % nodes_.size()];
    if (random_() % 3 != 0) {
      if (node.is_linked()) unlink(node);
      const std::int64_t deadline = now_ms_ + distance() - 3;
      wheel_.link(node, deadline);
      model_.emplace(deadline, &node);
    } else if (node.is_linked()) {
      unlink(node);
    }
    if (random_() % 4 == 0) advance(random_() % 8 == 0 ? distance() : distance() % 300);
  }

 private:
  // Any order of magnitude is as likely as any other.
  std::int64_t distance() { return static_cast<std::int64_t>(random_() >> (20 + random_() % 43)); }

  void unlink(ExpiryNode& node) {
    auto [from, to] = model_.equal_range(node.deadline_ms);
    while (from->second != &node) ++from;
    model_.erase(from);
    wheel_.unlink(node);
  }

  void advance(std::int64_t ms) {
    now_ms_ += ms;
    ASSERT_EQ(wheel_.size(), model_.size());
    wheel_.advance(now_ms_);
    bool more = true;
    while (more) {
      while (ExpiryNode* node = wheel_.first_due(now_ms_)) {
        ASSERT_LE(node->deadline_ms, now_ms_);
        unlink(*node);
      }
      wheel_.validate();
      more = wheel_.cascade(random_() % 50 + 1) || wheel_.first_due(now_ms_) != nullptr;
    }
    if (random_() % 2 == 0) wheel_.deal_ahead(random_() % 50 + 1);
    wheel_.validate();
    ASSERT_TRUE(model_.empty() || model_.begin()->first > now_ms_) << "something is overdue";
    const auto next = wheel_.next_deadline_ms();
    ASSERT_EQ(next.has_value(), !model_.empty());
    if (!next) return;
    ASSERT_GT(*next, now_ms_) << "a timer armed for it would spin";
    ASSERT_LE(*next, model_.begin()->first);
  }

  std::mt19937_64 random_;
  std::vector<std::unique_ptr<ExpiryNode>> nodes_;
  std::int64_t now_ms_ = 1'700'000'000'000;
  ExpiryWheel wheel_{now_ms_};
  std::multimap<std::int64_t, ExpiryNode*> model_;
};

TEST(WheelProperty, fires_what_a_sorted_map_fires) {
  std::uint64_t first = std::random_device{}();
  if (const char* given = std::getenv("PROPERTY_SEED")) first = std::strtoull(given, nullptr, 10);
  std::cout << "PROPERTY_SEED=" << first << '\n';
  for (std::uint64_t seed = first; seed < first + 20; ++seed) {
    SCOPED_TRACE("PROPERTY_SEED=" + std::to_string(seed));
    WheelAndModel pair(seed);
    for (int step = 0; step < 2000; ++step) {
      pair.step();
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

}  // namespace
