#include "keyspace_fixture.hpp"

namespace {

class ExpiryTest : public KeyspaceTest {};

TEST_F(ExpiryTest, a_key_is_gone_from_the_first_instant_of_its_deadline) {
  set("key", "v", in_ms(10));
  clock.advance_ms(9);
  EXPECT_EQ(get("key"), "v");
  clock.advance_ms(1);
  EXPECT_EQ(get("key"), std::nullopt);
  EXPECT_EQ(frame([&] { return db().find("key"); }), nullptr);
  EXPECT_EQ(keyspace.counters().expired, 1U);
  EXPECT_FALSE(expire());
}

TEST_F(ExpiryTest, the_first_to_name_an_overdue_key_removes_it) {
  const auto is_gone_after = [&](auto&& access) {
    set("key", "v", in_ms(10));
    clock.advance_ms(10);
    events.clear();
    EXPECT_EQ(db().size(), 1U) << "overdue, not yet named";
    frame([&] {
      EXPECT_FALSE(db().holds("key"));
      EXPECT_EQ(db().size(), 1U) << "asking whether it is there is no access";
      access();
      return true;
    });
    EXPECT_EQ(db().size(), 0U);
    EXPECT_EQ(events.size(), 1U);
    EXPECT_EQ(events.back(), "expired 0 key");
  };
  is_gone_after([&] { EXPECT_EQ(db().find("key"), nullptr); });
  is_gone_after([&] { EXPECT_EQ(db().peek("key"), nullptr); });
  is_gone_after([&] { EXPECT_FALSE(db().remove("key")); });
}

TEST_F(ExpiryTest, readers_do_not_see_overdue_keys) {
  set("stays", "v");
  for (int key = 0; key < 50; ++key) set("k" + std::to_string(key), "v", in_ms(5));
  clock.advance_ms(5);
  keyspace.begin_frame(clock.lease_ms());
  int visited = 0;
  db().for_each([&](const engine::Entry&) { ++visited; });
  EXPECT_EQ(visited, 1);
  visited = 0;
  EXPECT_EQ(db().scan(0, 1000, [&](const engine::Entry&) { ++visited; }), 0U);
  EXPECT_EQ(visited, 1);
  EXPECT_EQ(db().random()->key(), "stays");
  EXPECT_FALSE(keyspace.frame_has_changes()) << "reading changes nothing";
  keyspace.end_frame();
}

TEST_F(ExpiryTest, random_of_nothing_but_overdue_keys_is_null) {
  EXPECT_EQ(frame([&] { return db().random(); }), nullptr);
  set("k", "v", in_ms(5));
  clock.advance_ms(5);
  EXPECT_EQ(frame([&] { return db().random(); }), nullptr);
}

TEST_F(ExpiryTest, a_change_first_removes_an_overdue_key) {
  set("key", "old", in_ms(5));
  const auto token = look("key")->token();
  clock.advance_ms(5);
  events.clear();
  set("key", "old");
  EXPECT_EQ(events, (std::vector<std::string>{"expired 0 key", "created 0 key"}));
  EXPECT_GT(look("key")->token(), token);
  EXPECT_FALSE(look("key")->has_deadline());
  set("hash", "old", in_ms(5));
  clock.advance_ms(5);
  EXPECT_EQ(hset("hash", {{"f", "v"}}), 1U) << "the string is no longer there";
}

TEST_F(ExpiryTest, removing_an_overdue_key_finds_nothing) {
  set("key", "v", in_ms(5));
  clock.advance_ms(5);
  EXPECT_FALSE(frame([&] { return db().remove("key"); }));
  EXPECT_FALSE(frame([&] { return db().set_deadline("key", in_ms(5)); }).value());
  EXPECT_EQ(events.back(), "expired 0 key");
}

TEST_F(ExpiryTest, deadlines_can_be_moved_and_cleared) {
  set("key", "v", in_ms(10));
  EXPECT_TRUE(frame([&] { return db().set_deadline("key", in_ms(1000)); }).value());
  clock.advance_ms(10);
  EXPECT_FALSE(expire());
  EXPECT_EQ(get("key"), "v");
  EXPECT_TRUE(frame([&] { return db().set_deadline("key", engine::no_deadline); }).value());
  clock.advance_ms(1'000'000);
  expire();
  EXPECT_EQ(get("key"), "v");
  EXPECT_EQ(keyspace.next_deadline_ms(), std::nullopt);
  EXPECT_FALSE(frame([&] { return db().set_deadline("none", in_ms(1)); }).value());
}

TEST_F(ExpiryTest, next_deadline_is_exact_for_few_keys) {
  EXPECT_EQ(keyspace.next_deadline_ms(), std::nullopt);
  const auto deadline = in_ms(30'000);
  set("lock", "v", deadline);
  EXPECT_EQ(keyspace.next_deadline_ms(), deadline);
  set("sooner", "v", in_ms(29'999));
  EXPECT_EQ(keyspace.next_deadline_ms(), in_ms(29'999));
  frame([&] { return db().remove("sooner"); });
  EXPECT_EQ(keyspace.next_deadline_ms(), deadline) << "no timer for a key that is gone";
  frame([&] { return db(3).set_string("other database", "v", in_ms(7)); });
  EXPECT_EQ(keyspace.next_deadline_ms(), in_ms(7));
}

TEST_F(ExpiryTest, one_timer_per_deadline_whatever_the_distance) {
  for (const std::int64_t ttl_ms :
       {1LL, 255LL, 256LL, 65'536LL, 90'000'000LL, 1LL << 33, 1LL << 41}) {
    set("key", "v", in_ms(ttl_ms));
    const auto next = keyspace.next_deadline_ms();
    ASSERT_EQ(next, in_ms(ttl_ms)) << ttl_ms;
    clock.advance_ms(ttl_ms);
    expire();
    EXPECT_EQ(db().size(), 0U) << ttl_ms;
  }
}

TEST_F(ExpiryTest, a_clock_that_went_back_expires_nothing) {
  set("key", "v", in_ms(100));
  expire();
  keyspace.expire_due(clock.lease_ms() - 1000, budget_us);
  EXPECT_EQ(db().size(), 1U);
  clock.advance_ms(100);
  expire();
  EXPECT_EQ(db().size(), 0U);
}

TEST_F(ExpiryTest, a_burst_is_worked_off_in_slices) {
  for (int key = 0; key < 2000; ++key) set("k" + std::to_string(key), "v", in_ms(1000));
  clock.advance_ms(1000);
  int slices = 1;
  while (keyspace.expire_due(clock.lease_ms(), 0)) {
    EXPECT_LE(*keyspace.next_deadline_ms(), clock.lease_ms());
    ++slices;
  }
  EXPECT_GT(slices, 10);
  EXPECT_EQ(db().size(), 0U);
  EXPECT_EQ(keyspace.counters().expired, 2000U);
}

TEST_F(ExpiryTest, expires_in_every_database) {
  for (int index = 0; index < engine::database_count; ++index) {
    frame([&] { return db(index).set_string("key", "v", in_ms(index + 1)); });
  }
  clock.advance_ms(8);
  expire();
  EXPECT_EQ(keyspace.counters().expired, 8U);
  EXPECT_EQ(db(7).size(), 0U);
  EXPECT_EQ(db(8).size(), 1U);
}

TEST_F(ExpiryTest, a_deadline_in_the_past_is_due_at_once) {
  set("key", "v", in_ms(-5));
  EXPECT_EQ(get("key"), std::nullopt);
  expire();
  EXPECT_EQ(db().size(), 0U);
}

TEST_F(ExpiryTest, the_furthest_deadlines_are_kept) {
  set("key", "v", engine::no_deadline - 1);
  EXPECT_TRUE(look("key")->has_deadline());
  clock.advance_ms(1LL << 42);
  expire();
  EXPECT_EQ(get("key"), "v");
}

TEST_F(ExpiryTest, idle_time_counts_from_the_last_find) {
  set("key", "v");
  clock.advance_ms(5000);
  EXPECT_EQ(look("key")->idle_seconds(clock.lease_ms()), 5U);
  frame([&] { return db().find("key"); });
  EXPECT_EQ(look("key")->idle_seconds(clock.lease_ms()), 0U);
  keyspace.set_access_noted(false);
  clock.advance_ms(3000);
  frame([&] { return db().find("key"); });
  EXPECT_EQ(look("key")->idle_seconds(clock.lease_ms()), 3U);
}

}  // namespace
