#include "keyspace_fixture.hpp"

#include <algorithm>

namespace {

class KeysTest : public KeyspaceTest {
 protected:
  // A hash too large for its entry.
  void fill(std::string_view key, int fields) {
    for (int field = 0; field < fields; ++field) hset(key, {{std::to_string(field), "value"}});
  }
  std::size_t fields(std::string_view key, int index = 0) {
    return engine::HashView(*look(key, index)).size();
  }
};

TEST_F(KeysTest, rename_takes_value_and_deadline_along) {
  set("from", "v", in_ms(100));
  set("to", "old", in_ms(5000));
  EXPECT_TRUE(frame([&] { return db().rename("from", "to"); }).has_value());
  EXPECT_EQ(look("from"), nullptr);
  EXPECT_EQ(get("to"), "v");
  EXPECT_EQ(look("to")->deadline_ms(), in_ms(100));
  EXPECT_EQ(db().with_deadline(), 1U);
  EXPECT_EQ(events.back(), "created 0 to");
}

TEST_F(KeysTest, rename_over_an_overdue_key) {
  set("to", "old", in_ms(1));
  fill("from", 300);
  clock.advance_ms(1);
  frame([&] { return db().rename("from", "to"); });
  EXPECT_EQ(fields("to"), 300U);
  EXPECT_EQ(db().size(), 1U);
}

TEST_F(KeysTest, rename_to_itself_changes_nothing) {
  set("a", "v");
  const auto token = look("a")->token();
  keyspace.begin_frame(clock.lease_ms());
  EXPECT_TRUE(db().rename("a", "a").has_value());
  EXPECT_FALSE(keyspace.frame_has_changes());
  keyspace.end_frame();
  EXPECT_EQ(look("a")->token(), token);
}

TEST_F(KeysTest, rename_moves_every_form_of_value) {
  set("small", "v");
  set("large", std::string(5000, 'v'));
  set("int", "17");
  fill("packed", 100);
  fill("table", 1000);
  for (const std::string key : {"small", "large", "int", "packed", "table"}) {
    const auto encoding = look(key)->encoding();
    frame([&] { return db().rename(key, key + ".new"); });
    EXPECT_EQ(look(key), nullptr);
    EXPECT_EQ(look(key + ".new")->encoding(), encoding);
    keyspace.validate();
  }
  EXPECT_EQ(get("large.new"), std::string(5000, 'v'));
  EXPECT_EQ(fields("table.new"), 1000U);
}

TEST_F(KeysTest, copies_are_independent) {
  set("s", std::string(5000, 'v'), in_ms(100));
  fill("h", 1000);
  frame([&] { return db().copy("s", db(2), "t"); });
  frame([&] { return db().copy("h", db(), "g"); });
  frame([&] { return db().append("s", "more"); });
  hset("h", {{"another", "v"}});
  EXPECT_EQ(get("t", 2), std::string(5000, 'v'));
  EXPECT_EQ(look("t", 2)->deadline_ms(), in_ms(100));
  EXPECT_EQ(fields("g"), 1000U);
  EXPECT_EQ(fields("h"), 1001U);
  frame([&] { return db().copy("s", db(), "g"); });
  EXPECT_EQ(get("g"), std::string(5000, 'v') + "more");
}

TEST_F(KeysTest, move_between_databases) {
  fill("h", 1000);
  frame([&] { return db().set_deadline("h", in_ms(100)); });
  frame([&] { return db().move("h", db(1)); });
  EXPECT_EQ(look("h"), nullptr);
  EXPECT_EQ(fields("h", 1), 1000U);
  EXPECT_EQ(db().with_deadline(), 0U);
  EXPECT_EQ(db(1).with_deadline(), 1U);
  clock.advance_ms(100);
  expire();
  EXPECT_EQ(events.back(), "expired 1 h");
}

TEST_F(KeysTest, swap_exchanges_everything) {
  set("a", "0", in_ms(100));
  frame([&] { return db(1).set_string("b", "1"); });
  frame([&] { keyspace.swap(0, 1); });
  EXPECT_EQ(get("a"), std::nullopt);
  EXPECT_EQ(get("b"), "1");
  EXPECT_EQ(get("a", 1), "0");
  EXPECT_EQ(db(1).index(), 1);
  clock.advance_ms(100);
  expire();
  EXPECT_EQ(events.back(), "expired 1 a");
}

TEST_F(KeysTest, flush_empties_one_or_all) {
  set("a", "v", in_ms(100));
  frame([&] { return db(1).set_string("b", "1"); });
  frame([&] { keyspace.flush(0); });
  EXPECT_EQ(db().size(), 0U);
  EXPECT_EQ(db(1).size(), 1U);
  EXPECT_EQ(keyspace.next_deadline_ms(), std::nullopt);
  frame([&] { keyspace.flush_all(); });
  EXPECT_EQ(db(1).size(), 0U);
  set("a", "again");
  EXPECT_EQ(get("a"), "again");
}

TEST_F(KeysTest, hits_and_misses_are_counted_by_find_alone) {
  set("a", "v");
  frame([&] { return db().find("a"); });
  frame([&] { return db().find("b"); });
  look("a");
  EXPECT_EQ(keyspace.counters().hits, 1U);
  EXPECT_EQ(keyspace.counters().misses, 1U);
  EXPECT_EQ(keyspace.counters().changes, 1U);
  keyspace.reset_counters();
  EXPECT_EQ(keyspace.counters().hits, 0U);
}

TEST_F(KeysTest, scan_finds_every_key_that_stays) {
  for (int key = 0; key < 500; ++key) set("stays" + std::to_string(key), "v");
  std::vector<bool> seen(500);
  std::uint64_t cursor = 0;
  int step = 0;
  do {
    cursor = frame([&] {
      return db().scan(cursor, 10, [&](const engine::Entry& entry) {
        if (entry.key().starts_with("stays")) {
          seen[std::stoul(std::string(entry.key().substr(5)))] = true;
        }
      });
    });
    // The table grows tenfold during the first half and shrinks again.
    for (int more = 0; more < 100; ++more) {
      const std::string key = "other" + std::to_string(step % 40 * 100 + more);
      if (step / 40 % 2 == 0) {
        set(key, "v");
      } else {
        frame([&] { return db().remove(key); });
      }
    }
    ++step;
  } while (cursor != 0);
  EXPECT_EQ(std::ranges::count(seen, true), 500);
}

}  // namespace
