#include "keyspace_fixture.hpp"

namespace {

using engine::Error;

class MemoryTest : public KeyspaceTest {
 protected:
  void limit_now(std::size_t extra = 0) {
    engine::KeyspaceLimits limits;
    limits.bytes_max = keyspace.used_bytes() - 1 + extra;
    keyspace.set_limits(limits);
  }
};

TEST_F(MemoryTest, used_bytes_come_and_go_with_keys) {
  const auto before = keyspace.used_bytes();
  for (int key = 0; key < 1000; ++key) set("k" + std::to_string(key), std::string(100, 'v'));
  EXPECT_GT(keyspace.used_bytes(), before + 140'000);
  EXPECT_LT(keyspace.used_bytes(), before + 200'000);
  for (int key = 0; key < 1000; ++key)
    frame([&] { return db().remove("k" + std::to_string(key)); });
  EXPECT_LE(keyspace.used_bytes(), before + 1000);
}

TEST_F(MemoryTest, a_lock_is_small) {
  set("warm", "up", in_ms(1000));
  const auto before = keyspace.used_bytes();
  for (int lock = 0; lock < 10'000; ++lock) {
    const std::string key = "lock:order:" + std::to_string(100'000'000'000 + lock);
    hset(key, {{"8743c9c0-0795-4907-87fd-6c719a6b4586:17", "1"}});
    frame([&] { return db().set_deadline(key, in_ms(30'000)); });
  }
  EXPECT_LE((keyspace.used_bytes() - before) / 10'000, 112U);
}

TEST_F(MemoryTest, at_the_limit_growth_is_refused) {
  set("s", "1");
  set("zero", "0");
  hset("h", {{"owner", "1"}});
  limit_now();
  const engine::FieldValue same{"owner", "2"};
  const engine::FieldValue longer{"owner", "12"};
  const engine::FieldValue more{"other", "1"};
  const auto oom = std::unexpected(Error::out_of_memory);
  EXPECT_EQ(frame([&] { return db().set_string("new", "v"); }), oom);
  EXPECT_EQ(frame([&] { return db().set_string("s", "12"); }), oom);
  EXPECT_EQ(frame([&] { return db().append("s", "2"); }), oom);
  EXPECT_EQ(frame([&] { return db().set_range("s", 5, "2"); }), oom);
  EXPECT_EQ(frame([&] { return db().increment("n", 1); }), oom);
  EXPECT_EQ(frame([&] { return db().increment("n", -1); }), oom);
  EXPECT_EQ(frame([&] { return db().increment("s", 9); }), oom);
  EXPECT_EQ(frame([&] { return db().replace_value("s", "12"); }), oom);
  EXPECT_EQ(frame([&] { return db().hash_set("h", {&more, 1}); }), oom);
  EXPECT_EQ(frame([&] { return db().hash_set("h", {&longer, 1}); }), oom);
  EXPECT_EQ(frame([&] { return db().hash_increment("h", "other", -1); }), oom);
  EXPECT_EQ(frame([&] { return db().hash_increment("h", "owner", 10); }), oom);
  EXPECT_EQ(frame([&] { return db().copy("s", db(), "t"); }), oom);

  EXPECT_TRUE(frame([&] { return db().set_string("s", "2"); }).has_value());
  EXPECT_EQ(frame([&] { return db().increment("s", 1); }), 3);
  EXPECT_EQ(frame([&] { return db().increment("zero", -1); }), -1);
  EXPECT_TRUE(frame([&] { return db().hash_set("h", {&same, 1}); }).has_value());
  EXPECT_EQ(frame([&] { return db().hash_increment("h", "owner", -1); }), 1);
  EXPECT_TRUE(frame([&] { return db().set_deadline("h", in_ms(10)); }).value());
  EXPECT_TRUE(frame([&] { return db().rename("s", "r"); }).has_value());
  EXPECT_EQ(hdel("h", {"owner"}), 1U);
  EXPECT_TRUE(frame([&] { return db().remove("r"); }));
}

TEST_F(MemoryTest, a_frame_that_has_written_may_go_on) {
  set("s", "1");
  set("filler", std::string(1000, 'x'));
  limit_now();
  frame([&] {
    EXPECT_FALSE(db().set_string("a", "v").has_value());
    EXPECT_TRUE(db().remove("s"));
    EXPECT_TRUE(db().set_string("a", "v").has_value());
    EXPECT_TRUE(db().set_string("b", "v").has_value());
  });
  EXPECT_FALSE(frame([&] { return db().set_string("c", "v"); }).has_value());
}

TEST_F(MemoryTest, removing_an_overdue_key_is_no_write_of_the_frame) {
  set("overdue", "v", in_ms(1));
  set("filler", std::string(1000, 'x'));
  keyspace.set_limits({.bytes_max = 1});
  clock.advance_ms(1);
  EXPECT_FALSE(frame([&] { return db().set_string("overdue", "v"); }).has_value());
}

TEST_F(MemoryTest, memory_of_an_entry_counts_what_hangs_on_it) {
  set("s", "v");
  EXPECT_LT(look("s")->memory_bytes(), 64U);
  set("s", std::string(10'000, 'v'));
  EXPECT_GT(look("s")->memory_bytes(), 10'000U);
  EXPECT_LT(look("s")->memory_bytes(), 10'200U);
  for (int field = 0; field < 1000; ++field) hset("h", {{std::to_string(field), "v"}});
  EXPECT_GT(look("h")->memory_bytes(), 20'000U);
}

TEST_F(MemoryTest, large_values_are_freed_later_in_slices) {
  for (int field = 0; field < 5000; ++field) hset("h", {{std::to_string(field), "v"}});
  set("s", std::string(4'000'000, 'v'));
  const auto used = keyspace.used_bytes();
  frame([&] { return db().remove("h"); });
  frame([&] { return db().remove("s"); });
  EXPECT_LT(keyspace.used_bytes(), used - 4'000'000) << "what is removed no longer counts";
  EXPECT_GT(keyspace.pending_bytes(), 4'000'000U);
  int slices = 1;
  while (keyspace.free_some(0)) ++slices;
  EXPECT_GT(slices, 40);
  EXPECT_EQ(keyspace.pending_bytes(), 0U);
  EXPECT_FALSE(keyspace.free_some(0));
}

TEST_F(MemoryTest, flushed_databases_are_freed_later_in_slices) {
  for (int key = 0; key < 3000; ++key) {
    set("k" + std::to_string(key), std::string(key % 7 == 0 ? 1000 : 10, 'v'), in_ms(1000));
  }
  for (int field = 0; field < 5000; ++field) hset("h", {{std::to_string(field), "v"}});
  frame([&] { keyspace.flush_all(); });
  EXPECT_GT(keyspace.pending_bytes(), 300'000U);
  set("while freeing", "v", in_ms(1000));
  int slices = 1;
  while (keyspace.free_some(0)) ++slices;
  EXPECT_GT(slices, 20);
  EXPECT_EQ(get("while freeing"), "v");
}

TEST_F(MemoryTest, pending_values_may_outlive_the_keyspace_s_last_slice) {
  for (int field = 0; field < 5000; ++field) hset("h", {{std::to_string(field), "v"}});
  frame([&] { return db().remove("h"); });
  set("k", std::string(1000, 'v'));
  frame([&] { keyspace.flush_all(); });
}

}  // namespace
