// Replies leave once what they saw is durable: a log that commits when told to.
#include "engine/commit_log.hpp"
#include "tests/unit/server/server_in_process.hpp"

#include <optional>
#include <utility>

namespace server {
namespace {

class SlowCommitLog final : public engine::CommitLog {
 public:
  engine::Position append(engine::Batch&& batch) override {
    const engine::Batch taken = std::move(batch);
    return ++appended;
  }
  std::optional<engine::ReadTicket> read_barrier() override { return std::nullopt; }
  void snapshot_taken(engine::Position) override {}
  [[nodiscard]] engine::Position committed_position() const override { return committed; }
  [[nodiscard]] engine::Position read_position() const override { return appended; }
  [[nodiscard]] engine::Role role() const override { return engine::Role::active; }
  [[nodiscard]] bool wants_frames() const override { return true; }

  engine::Position appended = 0;
  engine::Position committed = 0;
};

class HeldReplies : public testing::Test {
 protected:
  HeldReplies() { log.silence(); }
  std::string say(Session& session, std::string_view bytes) {
    session.feed(bytes);
    core.end_turn();
    return session.take_output();
  }
  void commit(engine::Position position) {
    slow_log.committed = position;
    core.committed(position);
  }

  base::ManualClock clock;
  Config config;
  Log log;
  SlowCommitLog slow_log;
  Core core{config, log, clock, slow_log, 1};
};

TEST_F(HeldReplies, LeaveWithTheCommit) {
  Session& client = core.open_session();
  EXPECT_EQ(say(client, "SET k v\r\n"), "");
  EXPECT_EQ(slow_log.appended, 1U);
  commit(1);
  EXPECT_EQ(client.take_output(), "+OK\r\n");
}

TEST_F(HeldReplies, KeepTheirOrderBehindUncommittedOnes) {
  Session& writer = core.open_session();
  Session& reader = core.open_session();
  EXPECT_EQ(say(reader, "PING\r\n"), "+PONG\r\n");
  EXPECT_EQ(say(writer, "SET k 1\r\n"), "");
  // What a reader sees may still be lost: it waits, too.
  EXPECT_EQ(say(reader, "GET k\r\n"), "");
  EXPECT_EQ(say(writer, "SET k 2\r\n"), "");
  commit(1);
  EXPECT_EQ(reader.take_output(), "$1\r\n1\r\n");
  EXPECT_EQ(writer.take_output(), "+OK\r\n");
  commit(2);
  EXPECT_EQ(writer.take_output(), "+OK\r\n");
}

TEST_F(HeldReplies, OfServedWaitersBelongToTheTurnThatFedThem) {
  Session& waiter = core.open_session();
  Session& feeder = core.open_session();
  EXPECT_EQ(say(waiter, "BLPOP k 0\r\n"), "");
  EXPECT_EQ(say(feeder, "RPUSH k v\r\n"), "");
  EXPECT_EQ(slow_log.appended, 1U) << "the push and the pop are frames of one batch";
  EXPECT_EQ(waiter.take_output(), "");
  commit(1);
  EXPECT_EQ(feeder.take_output(), ":1\r\n");
  EXPECT_EQ(waiter.take_output(), "*2\r\n$1\r\nk\r\n$1\r\nv\r\n");
}

TEST_F(HeldReplies, AreNeverSentWhenTheTailIsVoid) {
  Session& client = core.open_session();
  const std::int64_t id = client.client().id();
  say(client, "SET k v\r\n");
  core.tail_void(0);
  core.end_turn();
  EXPECT_EQ(core.clients().find(id), nullptr);
}

}  // namespace
}  // namespace server
