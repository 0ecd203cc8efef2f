#include "tests/unit/server/server_in_process.hpp"

#include <string>

namespace server {
namespace {

using Sessions = ServerInProcess;

TEST_F(Sessions, AnswerAPipelineInOrder) {
  Session& client = connect();
  EXPECT_EQ(say(client, "PING\r\nECHO a\r\n*1\r\n$4\r\nPING\r\n"), "+PONG\r\n$1\r\na\r\n+PONG\r\n");
}

TEST_F(Sessions, KeepAnIncompleteRequest) {
  Session& client = connect();
  EXPECT_EQ(say(client, "*2\r\n$4\r\nECHO\r\n$5\r\nhe"), "");
  EXPECT_EQ(say(client, "llo\r\nPI"), "$5\r\nhello\r\n");
  EXPECT_EQ(say(client, "NG\r\n"), "+PONG\r\n");
}

TEST_F(Sessions, EndAfterAProtocolErrorAndTheRepliesBefore) {
  Session& client = connect();
  const std::int64_t id = client.client().id();
  EXPECT_EQ(say(client, "PING\r\n*x\r\nPING\r\n"),
            "+PONG\r\n-ERR Protocol error: invalid multibulk length\r\n");
  EXPECT_FALSE(is_connected(id));
}

TEST_F(Sessions, EndAfterQuit) {
  Session& client = connect();
  const std::int64_t id = client.client().id();
  EXPECT_EQ(say(client, "QUIT\r\nPING\r\n"), "+OK\r\n");
  EXPECT_FALSE(is_connected(id));
}

TEST_F(Sessions, LeaveTheOthersTheirTurnAfterAThousandRequests) {
  Session& client = connect();
  std::string requests;
  for (int i = 0; i < 2500; ++i) requests += "PING\r\n";
  const std::size_t pong = std::string("+PONG\r\n").size();
  EXPECT_EQ(say(client, requests).size(), 1000 * pong);
  EXPECT_TRUE(core.clients().has_ready());
  core.run_turn();
  EXPECT_EQ(client.take_output().size(), 1000 * pong);
  EXPECT_FALSE(core.run_turn());
  EXPECT_EQ(client.take_output().size(), 500 * pong);
}

TEST_F(Sessions, LeaveTheOthersTheirTurnAfterAMegabyteOfReplies) {
  Session& client = connect();
  say(client, "*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$300000\r\n" + std::string(300000, 'x') + "\r\n");
  std::string requests;
  for (int i = 0; i < 10; ++i) requests += "GET k\r\n";
  EXPECT_LT(say(client, requests).size(), 1'500'000U);
  EXPECT_TRUE(core.clients().has_ready());
}

TEST_F(Sessions, CloseOnWebRequests) {
  for (const char* request : {"POST / HTTP/1.1\r\n", "Host: example\r\n"}) {
    Session& client = connect();
    EXPECT_EQ(say(client, request), "gone");
  }
}

TEST_F(Sessions, HoldLittleMemoryWhenIdle) {
  Session& client = connect();
  say(client, "*2\r\n$4\r\nECHO\r\n$100000\r\n" + std::string(100000, 'x') + "\r\n");
  client.refresh_figures();
  EXPECT_LT(client.client().figures.memory_bytes, 4096U);
}

TEST_F(Sessions, AreClosedOverTheQueryBufferLimit) {
  ASSERT_TRUE(config.assign("client-query-buffer-limit", "1mb"));
  Session& client = connect();
  EXPECT_EQ(say(client, "*2\r\n$4\r\nECHO\r\n$3000000\r\n" + std::string(900000, 'x')), "");
  EXPECT_EQ(say(client, std::string(900000, 'x')), "gone");
}

}  // namespace
}  // namespace server
