#include "tests/unit/server/server_in_process.hpp"

#include <string>

namespace server {
namespace {

using WaitingClients = ServerInProcess;
using PausedClients = ServerInProcess;

TEST_F(WaitingClients, ExecuteNothingUntilTheirTimeIsUp) {
  Session& client = connect();
  EXPECT_EQ(say(client, "WAIT 1 500\r\nPING\r\n"), "");
  EXPECT_EQ(say(client, "ECHO a\r\n"), "");
  ASSERT_TRUE(core.next_check_us());
  EXPECT_EQ(*core.next_check_us(), clock.monotonic_us() + 500'000);
  advance_ms(499);
  EXPECT_EQ(hear(client), "");
  advance_ms(1);
  EXPECT_EQ(hear(client), ":0\r\n+PONG\r\n$1\r\na\r\n");
  EXPECT_FALSE(core.next_check_us());
}

TEST_F(WaitingClients, AreUnblockedByOthers) {
  Session& client = connect();
  Session& other = connect();
  say(client, "WAIT 1 0\r\nPING\r\n");
  const std::string id = std::to_string(client.client().id());
  EXPECT_EQ(say(other, "CLIENT UNBLOCK " + id + "\r\n"), ":1\r\n");
  core.run_turn();
  EXPECT_EQ(hear(client), ":0\r\n+PONG\r\n");
  say(client, "WAIT 1 0\r\n");
  EXPECT_EQ(say(other, "CLIENT UNBLOCK " + id + " ERROR\r\n"), ":1\r\n");
  EXPECT_EQ(hear(client), "-UNBLOCKED client unblocked via CLIENT UNBLOCK\r\n");
}

TEST_F(WaitingClients, MayHangUp) {
  Session& client = connect();
  const std::int64_t id = client.client().id();
  say(client, "WAIT 1 1000\r\n");
  client.hang_up();
  EXPECT_FALSE(is_connected(id));
  advance_ms(2000);
}

TEST_F(PausedClients, GoOnInOrder) {
  Session& first = connect();
  Session& second = connect();
  Session& pauser = connect();
  EXPECT_EQ(say(pauser, "CLIENT PAUSE 1000\r\n"), "+OK\r\n");
  EXPECT_EQ(say(second, "APPEND k 2\r\n"), "");
  EXPECT_EQ(say(first, "APPEND k 1\r\nGET k\r\n"), "");
  EXPECT_EQ(say(pauser, "CLIENT UNPAUSE\r\n"), "");
  advance_ms(1000);
  EXPECT_EQ(hear(second), ":1\r\n");
  EXPECT_EQ(hear(first), ":2\r\n$2\r\n21\r\n");
  EXPECT_EQ(hear(pauser), "+OK\r\n");
}

TEST_F(PausedClients, MayReadWhileWritesArePaused) {
  Session& pauser = connect();
  Session& client = connect();
  say(pauser, "CLIENT PAUSE 1000 WRITE\r\n");
  EXPECT_EQ(say(client, "GET k\r\nSET k v\r\nGET k\r\n"), "$-1\r\n");
  EXPECT_EQ(say(pauser, "CLIENT UNPAUSE\r\n"), "+OK\r\n");
  core.run_turn();
  EXPECT_EQ(hear(client), "+OK\r\n$1\r\nv\r\n");
}

TEST_F(WaitingClients, AreNotIdle) {
  ASSERT_TRUE(config.assign("timeout", "5"));
  Session& waiting = connect();
  Session& idle = connect();
  const std::int64_t waiting_id = waiting.client().id();
  const std::int64_t idle_id = idle.client().id();
  say(waiting, "WAIT 1 0\r\n");
  ASSERT_TRUE(core.next_check_us());
  for (int second = 0; second < 8; ++second) advance_ms(1000);
  EXPECT_TRUE(is_connected(waiting_id));
  EXPECT_FALSE(is_connected(idle_id));
}

TEST_F(ServerInProcess, KilledClientStillHearsItsReply) {
  Session& client = connect();
  const std::int64_t id = client.client().id();
  EXPECT_EQ(say(client, "CLIENT KILL ID " + std::to_string(id) + " SKIPME no\r\nPING\r\n"),
            ":1\r\n");
  EXPECT_FALSE(is_connected(id));
}

}  // namespace
}  // namespace server
