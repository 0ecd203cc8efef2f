#include "engine/sorted_set_value.hpp"
#include "keyspace_fixture.hpp"

namespace {

using engine::Encoding;
using engine::Error;
using engine::ScoredMember;

class SortedSetsTest : public KeyspaceTest {
 protected:
  auto add(std::string_view key, std::initializer_list<ScoredMember> items) {
    return frame([&] { return db().set_scores(key, {items.begin(), items.size()}, {}); });
  }
  auto remove(std::string_view key, std::initializer_list<std::string_view> members) {
    return frame([&] { return db().remove_scored(key, {members.begin(), members.size()}); });
  }
  std::string listed(std::string_view key) {
    std::string text;
    const auto& value = engine::sorted_set_of(*look(key));
    value.visit(0, value.size(), engine::Order::ascending,
                [&](const ScoredMember& item) { text += std::string(item.member) + " "; });
    return text;
  }
  void fill(int members) {
    for (int i = 0; i < members; ++i) {
      const std::string member = "member" + std::to_string(i);
      ASSERT_TRUE(add("z", {{member, static_cast<double>(i % 7)}}).has_value());
    }
  }
};

TEST_F(SortedSetsTest, members_lie_in_order_of_score_and_bytes) {
  ASSERT_TRUE(add("z", {{"b", 1}, {"a", 2}, {"\xff", 1}, {"", 1}, {"B", 1}}).has_value());
  EXPECT_EQ(listed("z"), " B b \xff a ");
  ASSERT_TRUE(add("z", {{"a", 0}}).has_value());
  EXPECT_EQ(listed("z"), "a  B b \xff ");
}

TEST_F(SortedSetsTest, the_key_goes_with_its_last_member) {
  ASSERT_TRUE(add("z", {{"a", 1}, {"b", 2}}).has_value());
  EXPECT_EQ(remove("z", {"a", "a", "none"}), 1U);
  EXPECT_EQ(remove("z", {"b"}), 1U);
  EXPECT_EQ(look("z"), nullptr);
  EXPECT_EQ(remove("z", {"b"}), 0U);
}

TEST_F(SortedSetsTest, a_large_set_is_indexed_for_good) {
  fill(128);
  EXPECT_EQ(look("z")->encoding(), Encoding::listpack);
  fill(129);
  EXPECT_EQ(look("z")->encoding(), Encoding::skiplist);
  frame([&] { return db().remove_ranks("z", 0, 120), 0; });
  EXPECT_EQ(look("z")->encoding(), Encoding::skiplist);
  EXPECT_EQ(engine::sorted_set_of(*look("z")).size(), 9U);
}

TEST_F(SortedSetsTest, full_memory_refuses_new_members_and_nothing_else) {
  fill(200);
  engine::KeyspaceLimits limits;
  limits.bytes_max = 1;
  keyspace.set_limits(limits);
  EXPECT_EQ(add("z", {{"new", 1}}).error(), Error::out_of_memory);
  EXPECT_EQ(add("other", {{"new", 1}}).error(), Error::out_of_memory);
  EXPECT_TRUE(add("z", {{"member1", 99}}).has_value());
  EXPECT_TRUE(frame([&] { return db().increment_score("z", {"member1", 1}, {}); }).has_value());
  EXPECT_EQ(remove("z", {"member1"}), 1U);
  frame([&] { return db().remove_ranks("z", 0, 100), 0; });
  EXPECT_EQ(engine::sorted_set_of(*look("z")).size(), 99U);
}

TEST_F(SortedSetsTest, other_types_are_refused) {
  set("s", "text");
  EXPECT_EQ(add("s", {{"a", 1}}).error(), Error::wrong_type);
  EXPECT_EQ(remove("s", {"a"}).error(), Error::wrong_type);
  EXPECT_EQ(frame([&] { return db().increment_score("s", {"a", 1}, {}); }).error(),
            Error::wrong_type);
  ASSERT_TRUE(add("z", {{"a", 1}}).has_value());
  EXPECT_EQ(frame([&] { return db().append("z", "x"); }).error(), Error::wrong_type);
}

TEST_F(SortedSetsTest, a_scan_visits_all_that_stays_while_the_set_grows_and_shrinks) {
  fill(1000);
  std::vector<int> seen(1000);
  std::uint64_t cursor = 0;
  int step = 0;
  do {
    cursor = engine::sorted_set_of(*look("z")).scan(cursor, 10, [&](const ScoredMember& item) {
      if (item.member.starts_with("member")) ++seen[std::stoul(std::string(item.member.substr(6)))];
    });
    const std::string member = "extra" + std::to_string(step++);
    ASSERT_TRUE(add("z", {{member, 1}}).has_value());
    const std::string gone = "member" + std::to_string(999 - step % 500);
    ASSERT_TRUE(remove("z", {gone}).has_value());
  } while (cursor != 0);
  for (std::size_t i = 0; i < 499; ++i) EXPECT_GE(seen[i], 1) << i;
}

TEST_F(SortedSetsTest, memory_comes_and_goes) {
  const std::size_t before = keyspace.used_bytes();
  fill(5000);
  EXPECT_GT(keyspace.used_bytes(), before + 5000U * 50U);
  frame([&] { return db().remove("z"), 0; });
  EXPECT_LE(keyspace.used_bytes(), before + 1000);
  while (keyspace.free_some(budget_us)) {
  }
  EXPECT_EQ(keyspace.pending_bytes(), 0U);
}

}  // namespace
