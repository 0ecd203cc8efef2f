// Random operations on a list and on a std::deque; the whole of both is compared now and then, and
// the recorded frames must rebuild the same list. The seed is printed; PROPERTY_SEED repeats one.
#include "engine/keyspace.hpp"
#include "engine/list_keys.hpp"
#include "engine/list_value.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <random>
#include <string>
#include <vector>

namespace {

using engine::Side;
using Model = std::deque<std::string>;

class ListRun {
 public:
  explicit ListRun(std::uint64_t seed) : random_(seed) { keyspace_.set_frames_wanted(true); }

  void step() {
    keyspace_.begin_frame(1000);
    change();
    keyspace_.end_frame();
    if (below(200) == 0) compare(keyspace_);
    if (below(2000) == 0) compare_with_copy();
  }
  void finish() {
    compare(keyspace_);
    const engine::Batch batch = keyspace_.take_batch();
    engine::Keyspace replica(0, 3);
    ASSERT_TRUE(replica.replay(batch.bytes));
    compare(replica);
  }

 private:
  std::size_t below(std::size_t bound) { return random_() % bound; }
  engine::Database& db() { return keyspace_.database(0); }
  Side side() { return below(2) == 0 ? Side::left : Side::right; }

  std::string element() {
    const std::size_t kind = below(100);
    if (kind == 0) return std::string(below(9000), 'b');
    if (kind < 10) return std::string(below(1500), 'm');
    return "e" + std::to_string(below(20));
  }

  void change() {
    const bool grows = growing_ ? below(3) != 0 : below(3) == 0;
    if (below(3000) == 0) growing_ = !growing_;
    if (model_.empty() || (grows && below(2) == 0)) return push();
    if (grows) return below(2) == 0 ? insert() : move();
    switch (below(12)) {
      case 0:
        return set();
      case 1:
        return erase();
      case 2:
        return remove();
      default:
        return pop();
    }
  }

  void push() {
    const Side where = side();
    std::vector<std::string> texts(1 + below(4));
    for (std::string& text : texts) text = element();
    const std::vector<std::string_view> views(texts.begin(), texts.end());
    ASSERT_TRUE(engine::ListKeys(db()).push("l", where, views).has_value());
    for (const std::string& text : texts) {
      where == Side::left ? model_.push_front(text) : model_.push_back(text);
    }
  }
  void pop() {
    const Side where = side();
    const std::size_t count = 1 + below(std::min<std::size_t>(model_.size(), 5));
    engine::ListKeys(db()).pop("l", where, count);
    for (std::size_t i = 0; i < count; ++i) {
      where == Side::left ? model_.pop_front() : model_.pop_back();
    }
  }
  void set() {
    const std::size_t index = below(model_.size());
    const std::string text = element();
    ASSERT_TRUE(engine::ListKeys(db()).set("l", index, text).has_value());
    model_[index] = text;
  }
  void insert() {
    const std::size_t index = below(model_.size() + 1);
    const std::string text = element();
    ASSERT_TRUE(engine::ListKeys(db()).insert("l", index, text).has_value());
    model_.insert(model_.begin() + static_cast<std::ptrdiff_t>(index), text);
  }
  void erase() {
    const std::size_t index = below(model_.size());
    const std::size_t count = 1 + below(std::min<std::size_t>(model_.size() - index, 300));
    engine::ListKeys(db()).erase("l", index, count);
    const auto first = model_.begin() + static_cast<std::ptrdiff_t>(index);
    model_.erase(first, first + static_cast<std::ptrdiff_t>(count));
  }
  void remove() {
    const std::string text = element();
    const auto count = static_cast<std::int64_t>(below(7)) - 3;
    const std::size_t removed = engine::ListKeys(db()).remove("l", text, count);
    std::size_t gone = 0;
    const std::size_t most =
        count == 0 ? model_.size() : static_cast<std::size_t>(count < 0 ? -count : count);
    if (count < 0) std::ranges::reverse(model_);
    std::erase_if(model_, [&](const std::string& other) {
      if (other != text || gone == most) return false;
      ++gone;
      return true;
    });
    if (count < 0) std::ranges::reverse(model_);
    ASSERT_EQ(removed, gone);
  }
  void move() {
    const Side from = side();
    const Side to = side();
    const std::string moved = engine::ListKeys(db()).move("l", from, "l", to).value();
    const std::string expected = from == Side::left ? model_.front() : model_.back();
    from == Side::left ? model_.pop_front() : model_.pop_back();
    to == Side::left ? model_.push_front(expected) : model_.push_back(expected);
    ASSERT_EQ(moved, expected);
  }

  void compare(engine::Keyspace& keyspace) {
    keyspace.validate();
    const engine::Entry* entry = keyspace.database(0).peek("l");
    ASSERT_EQ(entry == nullptr, model_.empty());
    if (entry == nullptr) return;
    const engine::ListValue& list = engine::list_of(*entry);
    list.validate();
    Model forward;
    Model backward;
    list.visit_forward(0, [&](std::string_view text) {
      forward.emplace_back(text);
      return true;
    });
    list.visit_backward(list.size() - 1, [&](std::string_view text) {
      backward.emplace_front(text);
      return true;
    });
    ASSERT_TRUE(forward == model_);
    ASSERT_TRUE(backward == model_);
    const std::size_t index = below(model_.size());
    ASSERT_EQ(list.at(index), model_[index]);
  }
  void compare_with_copy() {
    if (model_.empty()) return;
    keyspace_.begin_frame(1000);
    ASSERT_TRUE(db().copy("l", db(), "copy").has_value());
    std::string ours;
    std::string theirs;
    engine::list_of(*db().peek("l")).write_items(ours);
    engine::list_of(*db().peek("copy")).write_items(theirs);
    engine::list_of(*db().peek("copy")).validate();
    db().remove("copy");
    keyspace_.end_frame();
    ASSERT_EQ(ours, theirs);
  }

  engine::Keyspace keyspace_{1, 42};
  Model model_;
  std::mt19937_64 random_;
  bool growing_ = true;
};

TEST(ListProperty, a_list_is_a_sequence) {
  const char* given = std::getenv("PROPERTY_SEED");
  const std::uint64_t seed =
      given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
  SCOPED_TRACE("PROPERTY_SEED=" + std::to_string(seed));
  ListRun run(seed);
  for (int i = 0; i < 30'000; ++i) {
    run.step();
    if (::testing::Test::HasFatalFailure()) return;
  }
  run.finish();
}

}  // namespace
