#include "engine/frame_reader.hpp"
#include "engine/mutation.hpp"
#include "keyspace_fixture.hpp"

#include <array>

namespace {

class FramesTest : public KeyspaceTest {};

TEST_F(FramesTest, a_batch_counts_frames_with_changes) {
  set("a", "v");
  look("a");
  hset("h", {{"f", "v"}});
  EXPECT_FALSE(keyspace.in_frame());
  const auto batch = keyspace.take_batch();
  EXPECT_EQ(batch.frames, 2U);
  EXPECT_EQ(batch.mutations, 2U);
  EXPECT_EQ(batch.lease_ms, clock.lease_ms());
  EXPECT_TRUE(batch.bytes.empty()) << "nobody wants the bytes";
  EXPECT_TRUE(keyspace.take_batch().empty());
}

TEST_F(FramesTest, one_frame_holds_all_of_a_call) {
  keyspace.set_frames_wanted(true);
  keyspace.start_tokens(1000, clock.lease_ms());
  static_cast<void>(keyspace.take_batch());
  frame([&] {
    return db().set_string("a", "v").has_value() && db().set_deadline("a", in_ms(5)) &&
           db().remove("a");
  });
  const auto batch = keyspace.take_batch();
  EXPECT_EQ(batch.frames, 1U);
  EXPECT_EQ(batch.mutations, 3U);
  engine::FrameReader reader(batch.bytes);
  EXPECT_EQ(reader.lease_ms(), clock.lease_ms());
  engine::Mutation mutation(engine::MutationKind::flush);
  ASSERT_TRUE(reader.next(mutation));
  EXPECT_EQ(mutation.kind, engine::MutationKind::put_string);
  EXPECT_EQ(mutation.key, "a");
  EXPECT_EQ(mutation.value, "v");
  EXPECT_EQ(mutation.token, 1001U);
  ASSERT_TRUE(reader.next(mutation));
  EXPECT_EQ(mutation.kind, engine::MutationKind::set_deadline);
  EXPECT_EQ(mutation.deadline_ms, in_ms(5));
  ASSERT_TRUE(reader.next(mutation));
  EXPECT_EQ(mutation.kind, engine::MutationKind::remove);
  EXPECT_FALSE(reader.next(mutation));
  EXPECT_FALSE(reader.damaged());
  EXPECT_TRUE(reader.rest().empty());
}

TEST_F(FramesTest, expiry_is_a_frame_of_its_own) {
  keyspace.set_frames_wanted(true);
  set("a", "v", in_ms(5));
  set("b", "v", in_ms(5));
  static_cast<void>(keyspace.take_batch());
  clock.advance_ms(5);
  expire();
  const auto batch = keyspace.take_batch();
  EXPECT_EQ(batch.frames, 2U);
  engine::FrameReader reader(batch.bytes);
  engine::Mutation mutation(engine::MutationKind::flush);
  ASSERT_TRUE(reader.next(mutation));
  EXPECT_EQ(mutation.kind, engine::MutationKind::remove);
  EXPECT_EQ(mutation.reason, engine::Removal::expired);
  EXPECT_FALSE(reader.next(mutation));
}

TEST_F(FramesTest, a_removal_for_no_known_reason_is_damage) {
  engine::Mutation removal(engine::MutationKind::remove);
  removal.key = "a";
  removal.reason = engine::Removal::overwritten;
  std::string mutations;
  engine::encode(removal, mutations);
  for (const bool is_known : {true, false}) {
    if (!is_known) ++mutations.back();
    std::string frame;
    engine::encode_frame(1000, mutations, frame);
    engine::FrameReader reader(frame);
    engine::Mutation mutation(engine::MutationKind::flush);
    EXPECT_EQ(reader.next(mutation), is_known);
    EXPECT_EQ(reader.damaged(), !is_known);
  }
}

TEST_F(FramesTest, replay_never_looks_at_the_clock) {
  keyspace.set_frames_wanted(true);
  set("lock", "owner", in_ms(10));
  clock.advance_ms(9);
  frame([&] { return db().set_deadline("lock", in_ms(1000)); });
  const auto batch = keyspace.take_batch();

  engine::Keyspace replica(0, 7);
  ASSERT_TRUE(replica.replay(batch.bytes));
  replica.validate();
  replica.begin_frame(clock.lease_ms() + 500);
  const engine::Entry* entry = replica.database(0).peek("lock");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(entry->deadline_ms(), in_ms(1000));
  EXPECT_EQ(entry->token(), 1001U);
  EXPECT_EQ(replica.last_token(), 1001U);
  replica.end_frame();
  EXPECT_TRUE(replica.take_batch().empty()) << "replay is no change of its own";
  EXPECT_FALSE(replica.expire_due(in_ms(1000), budget_us));
  EXPECT_EQ(replica.database(0).size(), 0U) << "what is overdue expires in the ordinary way";
  EXPECT_EQ(replica.take_batch().frames, 1U);
}

TEST_F(FramesTest, damaged_bytes_are_refused) {
  keyspace.set_frames_wanted(true);
  set("a", std::string(300, 'v'), in_ms(5));
  hset("h", {{"f", "v"}, {"g", "w"}});
  frame([&] { return db().hash_remove("h", std::array<std::string_view, 1>{"f"}); });
  const auto batch = keyspace.take_batch();
  for (std::size_t length = 1; length < batch.bytes.size(); ++length) {
    engine::Keyspace replica(0, 7);
    static_cast<void>(replica.replay(std::string_view(batch.bytes).substr(0, length)));
    replica.validate();
  }
  engine::Keyspace replica(0, 7);
  EXPECT_FALSE(replica.replay(std::string_view(batch.bytes).substr(0, batch.bytes.size() - 1)));
  EXPECT_FALSE(replica.replay("\x02\x00\x63"));
  EXPECT_FALSE(replica.replay(std::string_view("\x06\x00\x04\x00\x01z\x00", 7)))
      << "appends to a key that is not there";
}

TEST_F(FramesTest, a_rename_carries_the_value) {
  keyspace.set_frames_wanted(true);
  for (int field = 0; field < 200; ++field) hset("h", {{std::to_string(field), "v"}});
  static_cast<void>(keyspace.take_batch());
  frame([&] { return db().rename("h", "g"); });
  engine::Keyspace replica(0, 7);
  const auto batch = keyspace.take_batch();
  engine::FrameReader reader(batch.bytes);
  engine::Mutation mutation(engine::MutationKind::flush);
  ASSERT_TRUE(reader.next(mutation));
  EXPECT_EQ(mutation.kind, engine::MutationKind::put_hash);
  EXPECT_EQ(mutation.key, "g");
  EXPECT_EQ(mutation.fields.size(), 200U);
}

// Keeps what it is told as text.
class ToldScripts final : public engine::ScriptState {
 public:
  bool apply(const engine::Mutation& mutation) override {
    told.push_back(std::to_string(static_cast<int>(mutation.kind)) + " " +
                   std::string(mutation.key) + "|" + std::string(mutation.value));
    return mutation.value != "refused";
  }
  void for_each(base::FunctionRef<void(const engine::Mutation&)> /*visit*/) const override {}
  std::vector<std::string> told;
};

TEST_F(FramesTest, changes_of_scripts_are_recorded_and_told_in_order) {
  keyspace.set_frames_wanted(true);
  const auto record = [&](engine::MutationKind kind, std::string_view name, std::string_view text) {
    engine::Mutation mutation(kind);
    mutation.key = name;
    mutation.value = text;
    keyspace.record_script_change(mutation);
  };
  frame([&] {
    record(engine::MutationKind::load_script, "", "return 1");
    record(engine::MutationKind::flush_scripts, "", "");
    record(engine::MutationKind::put_library, "lib", "code");
    record(engine::MutationKind::remove_library, "lib", "");
    record(engine::MutationKind::flush_libraries, "", "");
    return db().set_string("a", "v").has_value();
  });
  EXPECT_EQ(keyspace.counters().changes, 4U) << "the cache of scripts is no data";
  const auto batch = keyspace.take_batch();
  EXPECT_EQ(batch.frames, 1U);
  EXPECT_EQ(batch.mutations, 6U);
  engine::Keyspace replica(0, 7);
  ASSERT_TRUE(replica.replay(batch.bytes)) << "without a ScriptState they are left out";
  ToldScripts scripts;
  replica.set_script_state(&scripts);
  ASSERT_TRUE(replica.replay(batch.bytes));
  EXPECT_EQ(scripts.told,
            (std::vector<std::string>{"25 |return 1", "26 |", "27 lib|code", "28 lib|", "29 |"}));
  frame([&] { record(engine::MutationKind::load_script, "", "refused"); });
  EXPECT_FALSE(replica.replay(keyspace.take_batch().bytes));
  for (std::size_t length = 1; length < batch.bytes.size(); ++length) {
    EXPECT_FALSE(replica.replay(std::string_view(batch.bytes).substr(0, length)));
  }
}

TEST_F(FramesTest, reserved_tokens_are_not_handed_out_after_a_start) {
  std::string body;
  engine::Mutation mutation(engine::MutationKind::reserve_tokens);
  mutation.number = 5000;
  engine::encode(mutation, body);
  std::string bytes;
  engine::encode_frame(clock.lease_ms(), body, bytes);
  ASSERT_TRUE(keyspace.replay(bytes));
  keyspace.start_tokens(0, clock.lease_ms());
  set("a", "v");
  EXPECT_EQ(look("a")->token(), 5001U);
}

}  // namespace
