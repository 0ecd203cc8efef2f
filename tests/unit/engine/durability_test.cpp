#include "engine/durability.hpp"

#include "keyspace_fixture.hpp"

#include <gtest/gtest.h>

namespace {

using engine::Durability;
using engine::SyncPolicy;

TEST(Durability, the_first_rule_that_matches_decides) {
  const Durability durability(SyncPolicy::everysec,
                              {{"pay:test:*", SyncPolicy::no}, {"pay:*", SyncPolicy::always}});
  EXPECT_EQ(durability.policy_of("pay:1"), SyncPolicy::always);
  EXPECT_EQ(durability.policy_of("pay:test:1"), SyncPolicy::no);
  EXPECT_EQ(durability.policy_of("other"), SyncPolicy::everysec);
  EXPECT_EQ(durability.strictest(), SyncPolicy::always);
}

class FramePolicyTest : public KeyspaceTest {
 protected:
  FramePolicyTest() {
    keyspace.set_frames_wanted(true);
    keyspace.start_tokens(0, clock.lease_ms());
    static_cast<void>(keyspace.take_batch());
    keyspace.set_durability(Durability(
        SyncPolicy::no, {{"pay:*", SyncPolicy::always}, {"log:*", SyncPolicy::everysec}}));
  }
  template <typename Change>
  SyncPolicy policy_of(Change change) {
    frame(change);
    return keyspace.take_batch().policy;
  }
};

TEST_F(FramePolicyTest, a_frame_takes_the_strictest_of_its_keys) {
  EXPECT_EQ(policy_of([&] { return db().set_string("a", "v"); }), SyncPolicy::no);
  EXPECT_EQ(policy_of([&] { return db().set_string("log:a", "v"); }), SyncPolicy::everysec);
  EXPECT_EQ(policy_of([&] {
              EXPECT_TRUE(db().set_string("pay:a", "v"));
              return db().set_string("a", "v");
            }),
            SyncPolicy::always);
  EXPECT_EQ(policy_of([&] { return db().rename("pay:a", "b"); }), SyncPolicy::always);
}

TEST_F(FramePolicyTest, a_batch_takes_the_strictest_of_its_frames) {
  frame([&] { return db().set_string("pay:a", "v"); });
  frame([&] { return db().set_string("a", "v"); });
  EXPECT_EQ(keyspace.take_batch().policy, SyncPolicy::always);
}

TEST_F(FramePolicyTest, what_names_no_key_takes_the_strictest_rule) {
  EXPECT_EQ(policy_of([&] { return db().set_string("a", "v"); }), SyncPolicy::no);
  EXPECT_EQ(policy_of([&] { keyspace.flush(0); }), SyncPolicy::always);
  EXPECT_EQ(policy_of([&] { keyspace.swap(0, 1); }), SyncPolicy::always);
}

TEST_F(FramePolicyTest, nobody_waits_for_an_expiry_which_is_synced_all_the_same) {
  const auto expiry_of = [&](const char* key) {
    frame([&] { return db().set_string(key, "v", clock.lease_ms() + 5); });
    static_cast<void>(keyspace.take_batch());
    clock.advance_ms(5);
    keyspace.expire_due(clock.lease_ms(), 1'000'000);
    const engine::Batch batch = keyspace.take_batch();
    EXPECT_EQ(batch.frames, 1U);
    return batch.policy;
  };
  EXPECT_EQ(expiry_of("pay:a"), SyncPolicy::everysec);
  EXPECT_EQ(expiry_of("log:a"), SyncPolicy::everysec);
  EXPECT_EQ(expiry_of("a"), SyncPolicy::no);
}

}  // namespace
