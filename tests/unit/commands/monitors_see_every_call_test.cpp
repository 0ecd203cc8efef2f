#include "tests/support/client_fixture.hpp"

#include <gmock/gmock.h>

namespace {

class Monitoring : public tests::ClientFixture {
 protected:
  tests::Peer& listener = connect();
  tests::Peer& caller = connect();

  void SetUp() override { ASSERT_EQ(listener.run("MONITOR"), "+OK"); }
};

TEST_F(Monitoring, ShowsTimeDatabaseAddressAndQuotedArguments) {
  caller.run("SELECT 3");
  listener.read();
  caller.run({"SET", "k", std::string_view("a\"\0\n", 4)});
  EXPECT_EQ(listener.read(),
            "+1700000000.000000 [3 10.0.0.2:1000] \"SET\" \"k\" \"a\\\"\\x00\\n\"");
}

TEST_F(Monitoring, ShowsScriptsBeforeTheirCalls) {
  caller.run({"EVAL", "return redis.call('set', KEYS[1], 5)", "1", "k"});
  EXPECT_EQ(listener.read(),
            "+1700000000.000000 [0 10.0.0.2:1000] \"EVAL\" \"return redis.call('set', KEYS[1], "
            "5)\" \"1\" \"k\" +1700000000.000000 [0 lua] \"set\" \"k\" \"5\"");
}

TEST_F(Monitoring, HidesPasswords) {
  caller.run("AUTH user secret");
  caller.run("HELLO 3 AUTH user secret SETNAME n");
  EXPECT_THAT(listener.read(),
              testing::AllOf(testing::HasSubstr("\"AUTH\" \"(redacted)\" \"(redacted)\""),
                             testing::HasSubstr("\"3\" \"AUTH\" \"(redacted)\" \"(redacted)\" "
                                                "\"SETNAME\" \"n\""),
                             testing::Not(testing::HasSubstr("secret"))));
}

TEST_F(Monitoring, NeverFallsIntoTheListenersOwnReplies) {
  listener.run("MULTI");
  listener.run("PING");
  listener.run("PING");
  EXPECT_THAT(listener.run("EXEC"), testing::StartsWith("*2 +PONG +PONG +1700000000.000000 "));
}

TEST_F(Monitoring, EndsWithTheConnection) {
  server.close(listener.state);
  EXPECT_EQ(caller.run("SET k v"), "+OK");
  EXPECT_FALSE(dispatcher.observers().monitors.is_heard());
}

}  // namespace
