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
  tokens.go_on_above(5);
  EXPECT_EQ(tokens.next(), 12U);
  tokens.go_on_above(100);
  EXPECT_EQ(tokens.next(), 101U);
  tokens.saw(50);
  EXPECT_EQ(tokens.next(), 102U);
}

TEST(TokenSequence, goes_on_above_what_was_reserved) {
  engine::TokenSequence tokens(10);
  EXPECT_TRUE(tokens.wants_block());
  tokens.reserve(tokens.next_reservation());
  EXPECT_EQ(tokens.reserved(), 10U + engine::TokenSequence::block);
  EXPECT_FALSE(tokens.wants_block());
  EXPECT_EQ(tokens.next(), 11U) << "a reservation is no use";
  tokens.saw(10 + engine::TokenSequence::block / 2 + 1);
  EXPECT_TRUE(tokens.wants_block());
  engine::TokenSequence later(3);
  later.reserve(5000);
  later.saw(4000);
  later.go_on_above(100);
  EXPECT_EQ(later.last(), 5000U) << "any of them may have been the last";
  EXPECT_EQ(later.next(), 5001U);
}

// The frames of a keyspace that journals, replayed into another: as at a start of the server.
class JournalledTokensTest : public TokensTest {
 protected:
  JournalledTokensTest() {
    keyspace.set_frames_wanted(true);
    keyspace.start_tokens(2000, clock.lease_ms());
  }
  [[nodiscard]] std::uint64_t first_token_after(const std::string& frames) {
    engine::Keyspace next(0, 7);
    next.set_frames_wanted(true);
    EXPECT_TRUE(next.replay(frames));
    next.start_tokens(0, clock.lease_ms());
    next.begin_frame(clock.lease_ms());
    EXPECT_TRUE(next.database(0).set_string("x", "v"));
    next.end_frame();
    return next.last_token();
  }
};

TEST_F(JournalledTokensTest, the_first_block_is_reserved_at_the_start_durably) {
  const engine::Batch batch = keyspace.take_batch();
  EXPECT_EQ(batch.policy, engine::SyncPolicy::always);
  EXPECT_EQ(keyspace.reserved_tokens(), 2000 + engine::TokenSequence::block);
  EXPECT_EQ(first_token_after(batch.bytes), 2001 + engine::TokenSequence::block);
}

TEST_F(JournalledTokensTest, no_number_of_a_lost_frame_is_handed_out_again) {
  const std::string durable = keyspace.take_batch().bytes;
  keyspace.set_durability(engine::Durability(engine::SyncPolicy::no, {}));
  for (int i = 0; i < 100; ++i) set("k" + std::to_string(i), "v");
  EXPECT_EQ(keyspace.take_batch().policy, engine::SyncPolicy::no);
  EXPECT_GT(first_token_after(durable), keyspace.last_token());
}

TEST_F(JournalledTokensTest, a_frame_that_uses_up_more_than_half_reserves_and_is_synced) {
  keyspace.set_durability(engine::Durability(engine::SyncPolicy::no, {}));
  static_cast<void>(keyspace.take_batch());
  frame([&] {
    for (std::uint64_t i = 0; i < engine::TokenSequence::block + 10; ++i) {
      EXPECT_TRUE(db().set_string("k", std::to_string(i)));
    }
  });
  const engine::Batch batch = keyspace.take_batch();
  EXPECT_EQ(batch.policy, engine::SyncPolicy::always);
  EXPECT_GT(first_token_after(batch.bytes), keyspace.last_token());
}

}  // namespace
