#include "tests/unit/server/server_in_process.hpp"

#include <string>

namespace server {
namespace {

using Messages = ServerInProcess;

TEST_F(Messages, AreArraysOrPushes) {
  Session& old_client = connect();
  Session& new_client = connect();
  Session& publisher = connect();
  say(old_client, "SUBSCRIBE c\r\n");
  say(new_client, "HELLO 3\r\nPSUBSCRIBE c*\r\nSSUBSCRIBE s\r\n");
  EXPECT_EQ(say(publisher, "PUBLISH c m\r\nSPUBLISH s m\r\n"), ":2\r\n:1\r\n");
  EXPECT_EQ(hear(old_client), "*3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n");
  EXPECT_EQ(hear(new_client),
            ">4\r\n$8\r\npmessage\r\n$2\r\nc*\r\n$1\r\nc\r\n$1\r\nm\r\n"
            ">3\r\n$8\r\nsmessage\r\n$1\r\ns\r\n$1\r\nm\r\n");
}

// Redis 7.0: the own message stands before the reply to PUBLISH.
TEST_F(Messages, ToTheirPublisherComeBeforeItsReply) {
  Session& client = connect();
  say(client, "HELLO 3\r\nSUBSCRIBE c\r\n");
  EXPECT_EQ(say(client, "PUBLISH c m\r\n"), ">3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n:1\r\n");
}

TEST_F(Messages, OfExpiredKeysNeedNobodyToAsk) {
  Session& client = connect();
  say(client, "CONFIG SET notify-keyspace-events Ex\r\nSET k v PX 100\r\n");
  say(client, "SUBSCRIBE __keyevent@0__:expired\r\n");
  advance_ms(99);
  EXPECT_EQ(hear(client), "");
  advance_ms(1);
  EXPECT_EQ(hear(client), "*3\r\n$7\r\nmessage\r\n$22\r\n__keyevent@0__:expired\r\n$1\r\nk\r\n");
}

TEST_F(Messages, EndASubscriberThatDoesNotRead) {
  ASSERT_TRUE(config.assign("client-output-buffer-limit", "pubsub 1mb 0 0"));
  Session& slow = connect();
  const std::int64_t id = slow.client().id();
  Session& publisher = connect();
  slow.feed("SUBSCRIBE c\r\n");
  const std::string publish =
      "*3\r\n$7\r\nPUBLISH\r\n$1\r\nc\r\n$600000\r\n" + std::string(600000, 'x') + "\r\n";
  EXPECT_EQ(say(publisher, publish), ":1\r\n");
  EXPECT_TRUE(is_connected(id));
  EXPECT_EQ(say(publisher, publish), ":1\r\n");
  EXPECT_FALSE(is_connected(id));
  EXPECT_EQ(core.figures().output_buffer_limit_disconnections, 1U);
}

TEST_F(Messages, EndASubscriberOverTheSoftLimitForTooLong) {
  ASSERT_TRUE(config.assign("client-output-buffer-limit", "pubsub 0 1kb 10"));
  Session& slow = connect();
  const std::int64_t id = slow.client().id();
  Session& publisher = connect();
  slow.feed("SUBSCRIBE c\r\n");
  say(publisher, "PUBLISH c " + std::string(2000, 'x') + "\r\n");
  advance_ms(9'000);
  EXPECT_TRUE(is_connected(id));
  advance_ms(2'000);
  EXPECT_FALSE(is_connected(id));
}

}  // namespace
}  // namespace server
