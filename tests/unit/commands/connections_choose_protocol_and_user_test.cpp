// HELLO, AUTH, SELECT, RESET, PING.
#include "tests/support/client_fixture.hpp"

#include <gmock/gmock.h>

namespace {

using testing::StartsWith;

class ConnectionsChooseProtocolAndUser : public tests::ClientFixture {
 protected:
  tests::Peer& own = connect();
};

TEST_F(ConnectionsChooseProtocolAndUser, HelloAnswersInTheNewVersion) {
  EXPECT_THAT(own.run("HELLO 3"), StartsWith("%7 $6 server $5 redis $7 version $6 7.0.15 "
                                             "$5 proto :3 $2 id :1 $4 mode $10 standalone"));
  EXPECT_EQ(own.run("GET none"), "_");
  EXPECT_THAT(own.run("HELLO 2"), StartsWith("*14 $6 server"));
  EXPECT_EQ(own.run("GET none"), "$-1");
}

TEST_F(ConnectionsChooseProtocolAndUser, HelloRefusesWhatItDoesNotKnow) {
  EXPECT_EQ(own.run("HELLO 4"), "-NOPROTO unsupported protocol version");
  EXPECT_EQ(own.run("HELLO x"), "-ERR Protocol version is not an integer or out of range");
  EXPECT_EQ(own.run("HELLO 3 AUTH default"), "-ERR Syntax error in HELLO option 'AUTH'");
  EXPECT_EQ(own.run("HELLO 3 SETNAME n"), own.run("HELLO 3"));
  EXPECT_EQ(own.run("CLIENT GETNAME"), "$1 n");
}

TEST_F(ConnectionsChooseProtocolAndUser, WithAPasswordOnlyAuthIsAllowed) {
  require_password("secret");
  tests::Peer& stranger = connect();
  EXPECT_EQ(stranger.run("GET k"), "-NOAUTH Authentication required.");
  EXPECT_THAT(stranger.run("HELLO 3"), StartsWith("-NOAUTH HELLO must be called with the client "
                                                  "already authenticated"));
  EXPECT_EQ(stranger.run("AUTH wrong"),
            "-WRONGPASS invalid username-password pair or user is disabled.");
  EXPECT_EQ(stranger.run("AUTH secre"),
            "-WRONGPASS invalid username-password pair or user is disabled.");
  EXPECT_EQ(stranger.run("AUTH other secret"),
            "-WRONGPASS invalid username-password pair or user is disabled.");
  EXPECT_EQ(stranger.run("AUTH a b c"), "-ERR syntax error");
  EXPECT_EQ(stranger.run("AUTH secret"), "+OK");
  EXPECT_EQ(stranger.run("GET k"), "$-1");
  EXPECT_EQ(stranger.run("RESET"), "+RESET");
  EXPECT_EQ(stranger.run("GET k"), "-NOAUTH Authentication required.");
  EXPECT_THAT(stranger.run("HELLO 3 AUTH default secret"), StartsWith("%7"));
}

TEST_F(ConnectionsChooseProtocolAndUser, WithoutAPasswordAuthSaysSo) {
  EXPECT_THAT(own.run("AUTH x"), StartsWith("-ERR AUTH <password> called without any password"));
  EXPECT_EQ(own.run("AUTH default x"), "+OK");
}

TEST_F(ConnectionsChooseProtocolAndUser, SelectTakesTheNumberOfADatabase) {
  EXPECT_EQ(own.run("SELECT 15"), "+OK");
  EXPECT_EQ(own.run("SELECT 16"), "-ERR DB index is out of range");
  EXPECT_EQ(own.run("SELECT -1"), "-ERR DB index is out of range");
  EXPECT_EQ(own.run("SELECT x"), "-ERR value is not an integer or out of range");
  EXPECT_EQ(own.state.database, 15);
}

TEST_F(ConnectionsChooseProtocolAndUser, ResetMakesANewConnectionOfIt) {
  own.run("HELLO 3 SETNAME n");
  own.run("SELECT 2");
  own.run("SUBSCRIBE a");
  own.run("WATCH k");
  own.run("MULTI");
  EXPECT_EQ(own.run("RESET"), "+RESET");
  EXPECT_EQ(own.run("CLIENT GETNAME"), "$-1");
  EXPECT_EQ(own.run("EXEC"), "-ERR EXEC without MULTI");
  EXPECT_EQ(own.run("PUBSUB NUMSUB a"), "*2 $1 a :0");
  EXPECT_EQ(own.state.database, 0);
}

TEST_F(ConnectionsChooseProtocolAndUser, PingReturnsItsArgument) {
  EXPECT_EQ(own.run("PING"), "+PONG");
  EXPECT_EQ(own.run("PING hi"), "$2 hi");
  EXPECT_EQ(own.run("PING a b"), "-ERR wrong number of arguments for 'ping' command");
  EXPECT_EQ(own.run("QUIT"), "+OK");
  EXPECT_TRUE(own.state.close_after_reply);
}

}  // namespace
