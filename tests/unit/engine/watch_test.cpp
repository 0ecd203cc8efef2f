#include "keyspace_fixture.hpp"

namespace {

struct Watcher : engine::KeyWatcher {
  void watched_key_changed() override { ++changes; }
  int changes = 0;
};

class WatchTest : public KeyspaceTest {
 protected:
  void watch(std::string_view key, int index = 0) {
    frame([&] { keyspace.watch(watcher, index, key); });
  }
  ~WatchTest() override { keyspace.unwatch(watcher); }
  Watcher watcher;
};

TEST_F(WatchTest, tells_of_every_kind_of_change) {
  set("key", "v");
  watch("key");
  set("key", "w");
  EXPECT_EQ(watcher.changes, 1);
  frame([&] { return db().append("key", "x"); });
  frame([&] { return db().set_deadline("key", in_ms(1000)); });
  frame([&] { return db().rename("key", "elsewhere"); });
  frame([&] { return db().rename("elsewhere", "key"); });
  frame([&] { return db().remove("key"); });
  EXPECT_EQ(watcher.changes, 6);
  set("another", "v");
  frame([&] { return db(1).set_string("key", "v"); });
  EXPECT_EQ(watcher.changes, 6);
}

TEST_F(WatchTest, a_watched_name_without_a_key_tells_of_its_creation) {
  watch("key");
  hset("key", {{"f", "v"}});
  EXPECT_EQ(watcher.changes, 1);
}

TEST_F(WatchTest, expiry_is_a_change) {
  set("key", "v", in_ms(10));
  watch("key");
  clock.advance_ms(10);
  EXPECT_TRUE(frame([&] { return keyspace.watches_overdue_key(watcher); }));
  expire();
  EXPECT_EQ(watcher.changes, 1);
}

TEST_F(WatchTest, a_key_overdue_when_watched_counts_as_absent) {
  set("key", "v", in_ms(10));
  clock.advance_ms(10);
  watch("key");
  EXPECT_FALSE(frame([&] { return keyspace.watches_overdue_key(watcher); }));
  expire();
  EXPECT_EQ(watcher.changes, 0);
  set("key", "new");
  EXPECT_EQ(watcher.changes, 1);
}

TEST_F(WatchTest, unwatch_forgets) {
  set("key", "v");
  watch("key");
  watch("key");
  keyspace.unwatch(watcher);
  set("key", "w");
  EXPECT_EQ(watcher.changes, 0);
  keyspace.unwatch(watcher);
}

TEST_F(WatchTest, flush_touches_keys_that_were_there) {
  watch("key");
  frame([&] { keyspace.flush(0); });
  EXPECT_EQ(watcher.changes, 0);
  set("key", "v");
  EXPECT_EQ(watcher.changes, 1);
  frame([&] { keyspace.flush(1); });
  EXPECT_EQ(watcher.changes, 1);
  frame([&] { keyspace.flush_all(); });
  EXPECT_EQ(watcher.changes, 2);
}

TEST_F(WatchTest, swap_touches_keys_of_either_database) {
  watch("key");
  frame([&] { keyspace.swap(0, 1); });
  EXPECT_EQ(watcher.changes, 0);
  frame([&] { return db(1).set_string("key", "v"); });
  frame([&] { keyspace.swap(0, 1); });
  EXPECT_EQ(watcher.changes, 1);
}

}  // namespace
