#include "engine/token_sequence.hpp"
#include "keyspace_fixture.hpp"

namespace {

class TokensTest : public KeyspaceTest {
 protected:
  std::uint64_t token(std::string_view key, int index = 0) { return look(key, index)->token(); }
};

TEST_F(TokensTest, go_on_above_the_start) {
  EXPECT_EQ(keyspace.last_token(), 0U);
  set("key", "v");
  EXPECT_EQ(token("key"), 1001U);
  EXPECT_EQ(keyspace.last_token(), 1001U);
}

TEST_F(TokensTest, every_new_incarnation_takes_the_next) {
  set("a", "v");
  hset("h", {{"f", "1"}});
  frame([&] { return db().increment("n", 1); });
  frame([&] { return db().append("s", "x"); });
  frame([&] { return db().hash_increment("g", "f", 1); });
  EXPECT_EQ(token("a"), 1001U);
  EXPECT_EQ(token("h"), 1002U);
  EXPECT_EQ(token("n"), 1003U);
  EXPECT_EQ(token("s"), 1004U);
  EXPECT_EQ(token("g"), 1005U);
  frame([&] { return db().remove("a"); });
  set("a", "v");
  EXPECT_EQ(token("a"), 1006U);
}

TEST_F(TokensTest, a_string_replaced_by_another_value_is_new) {
  set("a", "owner-1", in_ms(100));
  set("a", "owner-1", in_ms(200));
  EXPECT_EQ(token("a"), 1001U) << "the same value again";
  set("a", "owner-2");
  EXPECT_EQ(token("a"), 1002U);
  hset("b", {{"f", "1"}});
  set("b", "string now");
  EXPECT_EQ(token("b"), 1004U);
}

TEST_F(TokensTest, changes_of_a_holding_keep_the_token) {
  hset("h", {{"owner", "1"}});
  frame([&] { return db().hash_increment("h", "owner", 1); });
  frame([&] { return db().set_deadline("h", in_ms(1000)); });
  hset("h", {{"other", "1"}});
  hdel("h", {"other"});
  EXPECT_EQ(token("h"), 1001U);
  set("s", "1");
  frame([&] { return db().increment("s", 1); });
  frame([&] { return db().append("s", "x"); });
  frame([&] { return db().set_range("s", 0, "y"); });
  frame([&] { return db().replace_value("s", "z"); });
  EXPECT_EQ(token("s"), 1002U);
  frame([&] { keyspace.swap(0, 1); });
  EXPECT_EQ(token("s", 1), 1002U);
}

TEST_F(TokensTest, rename_copy_and_move_create) {
  set("a", "v");
  frame([&] { return db().rename("a", "b"); });
  EXPECT_EQ(token("b"), 1002U);
  frame([&] { return db().copy("b", db(), "c"); });
  EXPECT_EQ(token("c"), 1003U);
  EXPECT_EQ(token("b"), 1002U);
  frame([&] { return db().move("b", db(1)); });
  EXPECT_EQ(token("b", 1), 1004U);
}

TEST_F(TokensTest, nothing_is_taken_by_what_fails) {
  set("s", "x");
  frame([&] { return db().increment("s", 1); });
  frame([&] { return db().hash_increment("s", "f", 1); });
  EXPECT_EQ(keyspace.last_token(), 1001U);
}

TEST_F(TokensTest, survive_flushes) {
  set("a", "v");
  frame([&] { keyspace.flush_all(); });
  set("a", "v");
  EXPECT_EQ(token("a"), 1002U);
}

TEST(TokenSequence, floors_only_raise) {
  engine::TokenSequence tokens(10);
  EXPECT_EQ(tokens.next(), 11U);
  tokens.raise_floor(5);
  EXPECT_EQ(tokens.next(), 12U);
  tokens.raise_floor(100);
  EXPECT_EQ(tokens.last(), 12U);
  EXPECT_EQ(tokens.next(), 101U);
  tokens.saw(50);
  EXPECT_EQ(tokens.next(), 102U);
}

}  // namespace
