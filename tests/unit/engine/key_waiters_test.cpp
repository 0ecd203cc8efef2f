#include "engine/key_waiters.hpp"

#include "keyspace_fixture.hpp"

#include <array>
#include <memory>

namespace {

using engine::Type;
using engine::Waiter;

class KeyWaitersTest : public KeyspaceTest {
 protected:
  engine::KeyWaiters& waiters() { return keyspace.waiters(); }
  void wait(Waiter& waiter, Type type, std::initializer_list<std::string_view> keys) {
    waiters().add(waiter, 0, type, {keys.begin(), keys.size()});
  }
  // Names that became ready, with who waits first.
  Waiter* take(std::string_view key) {
    const auto ready = waiters().take_ready();
    if (!ready) return nullptr;
    EXPECT_EQ(ready->key, key);
    return waiters().first(*ready);
  }
};

TEST_F(KeyWaitersTest, the_first_to_come_is_the_first) {
  auto first = std::make_unique<Waiter>();
  Waiter second;
  wait(*first, Type::hash, {"h"});
  wait(second, Type::hash, {"h", "g"});
  EXPECT_FALSE(waiters().has_ready());
  hset("h", {{"f", "v"}});
  EXPECT_TRUE(waiters().has_ready());
  const auto ready = waiters().take_ready();
  ASSERT_TRUE(ready);
  EXPECT_EQ(waiters().first(*ready), first.get());
  first.reset();
  EXPECT_EQ(waiters().first(*ready), &second);
  waiters().remove(second);
  EXPECT_EQ(waiters().first(*ready), nullptr);
  EXPECT_TRUE(waiters().is_empty());
}

TEST_F(KeyWaitersTest, only_the_type_waited_for_counts) {
  Waiter waiter;
  wait(waiter, Type::list, {"k"});
  hset("k", {{"f", "v"}});
  set("k", "v");
  EXPECT_FALSE(waiters().has_ready());
}

TEST_F(KeyWaitersTest, a_name_is_ready_once_in_the_order_of_creation) {
  Waiter waiter;
  wait(waiter, Type::hash, {"a", "b", "a"});
  hset("b", {{"f", "v"}});
  hset("a", {{"f", "v"}});
  frame([&] { return db().remove("b"); });
  hset("b", {{"f", "v"}});
  EXPECT_EQ(take("b"), &waiter);
  EXPECT_EQ(take("a"), &waiter);
  EXPECT_EQ(waiters().take_ready(), std::nullopt);
}

TEST_F(KeyWaitersTest, other_databases_do_not_count_until_they_are_swapped) {
  Waiter waiter;
  wait(waiter, Type::hash, {"h"});
  frame([&] { return db(1).hash_set("h", std::array<engine::FieldValue, 1>{{{"f", "v"}}}); });
  EXPECT_FALSE(waiters().has_ready());
  frame([&] {
    keyspace.swap(0, 1);
    return 0;
  });
  EXPECT_EQ(take("h"), &waiter);
}

TEST_F(KeyWaitersTest, a_waiter_that_goes_while_its_key_is_ready_leaves_nothing) {
  auto waiter = std::make_unique<Waiter>();
  wait(*waiter, Type::hash, {"h"});
  hset("h", {{"f", "v"}});
  waiter.reset();
  EXPECT_EQ(take("h"), nullptr);
  EXPECT_TRUE(waiters().is_empty());
}

}  // namespace
