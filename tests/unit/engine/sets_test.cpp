#include "engine/set_value.hpp"
#include "keyspace_fixture.hpp"

#include <limits>
#include <map>
#include <set>

namespace {

using engine::Encoding;
using engine::Error;
using engine::set_of;

class SetsTest : public KeyspaceTest {
 protected:
  std::size_t add(std::string_view key, const std::vector<std::string_view>& members) {
    return frame([&] { return db().set_add(key, members); }).value();
  }
  std::size_t remove(std::string_view key, const std::vector<std::string_view>& members) {
    return frame([&] { return db().set_remove(key, members); }).value();
  }
  std::string listed(std::string_view key) {
    std::string text;
    set_of(*look(key)).for_each([&](std::string_view member) { text.append(member).append(" "); });
    return text;
  }
  Encoding encoding(std::string_view key) { return look(key)->encoding(); }
  bool has(std::string_view key, std::string_view member) {
    return set_of(*look(key)).contains(member);
  }
};

TEST_F(SetsTest, integers_lie_in_order_at_any_width) {
  EXPECT_EQ(add("s", {"5", "-7", "5", "32767", "-32768"}), 4U);
  EXPECT_EQ(listed("s"), "-32768 -7 5 32767 ");
  EXPECT_EQ(add("s", {"32768", "-2147483648"}), 2U);
  EXPECT_EQ(listed("s"), "-2147483648 -32768 -7 5 32767 32768 ");
  EXPECT_EQ(add("s", {"9223372036854775807", "-9223372036854775808", "0"}), 3U);
  EXPECT_EQ(listed("s"),
            "-9223372036854775808 -2147483648 -32768 -7 0 5 32767 32768 9223372036854775807 ");
  EXPECT_EQ(remove("s", {"-7", "7", "9223372036854775807", "-7"}), 2U);
  EXPECT_EQ(listed("s"), "-9223372036854775808 -2147483648 -32768 0 5 32767 32768 ");
  EXPECT_EQ(encoding("s"), Encoding::intset);
  keyspace.validate();
}

TEST_F(SetsTest, only_canonical_integers_are_integers) {
  add("s", {"1"});
  for (const std::string_view text : {"", "+1", "01", "-0", " 1", "1 ", "9223372036854775808"}) {
    EXPECT_FALSE(has("s", text)) << text;
    EXPECT_EQ(remove("s", {text}), 0U) << text;
    add("other", {text});
    EXPECT_EQ(encoding("other"), Encoding::hashtable) << text;
    EXPECT_TRUE(has("other", text)) << text;
    EXPECT_EQ(remove("other", {text}), 1U) << text;
  }
}

TEST_F(SetsTest, becomes_a_table_for_good) {
  add("text", {"1", "2", "x"});
  EXPECT_EQ(encoding("text"), Encoding::hashtable);
  EXPECT_EQ(remove("text", {"x"}), 1U);
  EXPECT_EQ(encoding("text"), Encoding::hashtable);
  EXPECT_TRUE(has("text", "2"));

  for (int member = 0; member < 512; ++member) add("many", {std::to_string(member)});
  EXPECT_EQ(encoding("many"), Encoding::intset);
  EXPECT_EQ(add("many", {"511"}), 0U);
  EXPECT_EQ(encoding("many"), Encoding::intset);
  EXPECT_EQ(add("many", {"512"}), 1U);
  EXPECT_EQ(encoding("many"), Encoding::hashtable);
  for (int member = 1; member < 512; ++member) remove("many", {std::to_string(member)});
  EXPECT_EQ(encoding("many"), Encoding::hashtable);
  EXPECT_EQ(set_of(*look("many")).size(), 2U);
}

TEST_F(SetsTest, goes_with_its_last_member) {
  add("s", {"a", "b"});
  EXPECT_EQ(remove("s", {"a", "b", "a"}), 2U);
  EXPECT_EQ(look("s"), nullptr);
  add("i", {"1"});
  EXPECT_EQ(remove("i", {"2"}), 0U);
  EXPECT_EQ(remove("i", {"1"}), 1U);
  EXPECT_EQ(db().size(), 0U);
  EXPECT_EQ(remove("none", {"1"}), 0U);
}

TEST_F(SetsTest, members_named_by_views_into_the_set) {
  add("s", {"alpha", "beta", "gamma"});
  std::vector<std::string_view> views;
  set_of(*look("s")).for_each([&](std::string_view member) {
    views.push_back(member);
    views.push_back(member);
  });
  EXPECT_EQ(add("s", views), 0U);
  frame([&] { return db().set_put("s", views, Encoding::intset); }).value();
  EXPECT_EQ(set_of(*look("s")).size(), 3U);
  views.clear();
  set_of(*look("s")).for_each([&](std::string_view member) {
    views.push_back(member);
    views.push_back(member);
  });
  EXPECT_EQ(remove("s", views), 3U);
}

TEST_F(SetsTest, put_replaces_and_keep_keeps_the_incarnation) {
  set("s", "text", in_ms(1000));
  const std::vector<std::string_view> members = {"1", "2", "3"};
  frame([&] { return db().set_put("s", members, Encoding::hashtable); }).value();
  EXPECT_EQ(encoding("s"), Encoding::hashtable);
  EXPECT_FALSE(look("s")->has_deadline());
  const auto token = look("s")->token();
  frame([&] { return db().set_deadline("s", in_ms(500)); });
  const std::vector<std::string_view> kept = {"2"};
  frame([&] {
    db().set_keep("s", kept);
    return 0;
  });
  EXPECT_EQ(listed("s"), "2 ");
  EXPECT_EQ(encoding("s"), Encoding::intset);
  EXPECT_EQ(look("s")->token(), token);
  EXPECT_EQ(look("s")->deadline_ms(), in_ms(500));
}

TEST_F(SetsTest, refuses_strings) {
  set("s", "x");
  const std::string_view member = "a";
  EXPECT_EQ(frame([&] { return db().set_add("s", {&member, 1}); }),
            std::unexpected(Error::wrong_type));
  EXPECT_EQ(frame([&] { return db().set_remove("s", {&member, 1}); }),
            std::unexpected(Error::wrong_type));
}

TEST_F(SetsTest, growth_alone_is_refused_at_the_limit) {
  add("s", {"a", "b"});
  engine::KeyspaceLimits limits;
  limits.bytes_max = 1;
  keyspace.set_limits(limits);
  const std::vector<std::string_view> old = {"a"};
  const std::vector<std::string_view> fresh = {"a", "c"};
  EXPECT_EQ(frame([&] { return db().set_add("s", old); }), 0U);
  EXPECT_EQ(frame([&] { return db().set_add("s", fresh); }), std::unexpected(Error::out_of_memory));
  EXPECT_EQ(frame([&] { return db().set_add("t", old); }), std::unexpected(Error::out_of_memory));
  EXPECT_EQ(frame([&] { return db().set_put("t", old, Encoding::intset); }),
            std::unexpected(Error::out_of_memory));
  EXPECT_FALSE(has("s", "c"));
  EXPECT_EQ(look("t"), nullptr);
  EXPECT_EQ(remove("s", {"a", "b"}), 2U);
}

TEST_F(SetsTest, bytes_come_and_go_with_the_members) {
  const std::size_t before = keyspace.used_bytes();
  for (int member = 0; member < 3000; ++member) {
    add("s", {"member" + std::to_string(member)});
    add("i", {std::to_string(member * 1000)});
  }
  keyspace.validate();
  EXPECT_GT(keyspace.used_bytes(), before + 6000 * 16);
  EXPECT_EQ(frame([&] { return db().remove("s"); }), true);
  EXPECT_EQ(frame([&] { return db().remove("i"); }), true);
  EXPECT_LT(keyspace.used_bytes(), before + 100);
  while (keyspace.free_some(budget_us)) {
  }
  EXPECT_EQ(keyspace.pending_bytes(), 0U);
}

TEST_F(SetsTest, scan_of_a_table_visits_everything) {
  for (int member = 0; member < 3000; ++member) add("s", {std::to_string(member)});
  std::set<std::string> seen;
  std::uint64_t cursor = 0;
  int rounds = 0;
  do {
    cursor =
        set_of(*look("s")).scan(cursor, 10, [&](std::string_view member) { seen.emplace(member); });
    ++rounds;
  } while (cursor != 0);
  EXPECT_EQ(seen.size(), 3000U);
  EXPECT_GT(rounds, 100);
}

TEST_F(SetsTest, random_members_are_spread_evenly) {
  for (const int members : {5, 600}) {
    const std::string key = "s" + std::to_string(members);
    for (int member = 0; member < members; ++member) add(key, {std::to_string(member)});
    std::map<std::string, int> drawn;
    const auto& set = set_of(*look(key));
    for (int draw = 0; draw < members * 1000; ++draw) {
      ++drawn[set.random_member([&] { return keyspace.random_bits(); })];
    }
    EXPECT_EQ(drawn.size(), static_cast<std::size_t>(members));
    // Six standard deviations of a binomial around 1000.
    for (const auto& [member, count] : drawn) EXPECT_NEAR(count, 1000, 190) << member;
  }
}

}  // namespace
