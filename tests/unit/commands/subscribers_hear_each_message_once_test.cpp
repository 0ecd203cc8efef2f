// Subscriptions, their confirmations and counts, and who hears what.
#include "tests/support/client_fixture.hpp"

namespace {

class SubscribersHearEachMessageOnce : public tests::ClientFixture {
 protected:
  tests::Peer& listener = connect();
  tests::Peer& speaker = connect();
};

TEST_F(SubscribersHearEachMessageOnce, ConfirmationsComeOneByOneAndCount) {
  EXPECT_EQ(listener.run("SUBSCRIBE a b a"),
            "*3 $9 subscribe $1 a :1 *3 $9 subscribe $1 b :2 *3 $9 subscribe $1 a :2");
  EXPECT_EQ(listener.run("PSUBSCRIBE x*"), "*3 $10 psubscribe $2 x* :3");
  EXPECT_EQ(listener.run("SSUBSCRIBE s"), "*3 $10 ssubscribe $1 s :1");
  EXPECT_EQ(listener.run("UNSUBSCRIBE"), "*3 $11 unsubscribe $1 a :2 *3 $11 unsubscribe $1 b :1");
  EXPECT_EQ(listener.run("PUNSUBSCRIBE x* y*"),
            "*3 $12 punsubscribe $2 x* :0 *3 $12 punsubscribe $2 y* :0");
}

TEST_F(SubscribersHearEachMessageOnce, UnsubscribingFromNothingIsAnsweredOnce) {
  EXPECT_EQ(listener.run("UNSUBSCRIBE"), "*3 $11 unsubscribe $-1 :0");
  EXPECT_EQ(listener.run("PUNSUBSCRIBE"), "*3 $12 punsubscribe $-1 :0");
  EXPECT_EQ(listener.run("SUNSUBSCRIBE"), "*3 $12 sunsubscribe $-1 :0");
}

TEST_F(SubscribersHearEachMessageOnce, MessagesReachChannelsAndPatterns) {
  listener.run("SUBSCRIBE news");
  listener.run("PSUBSCRIBE n*");
  EXPECT_EQ(speaker.run("PUBLISH news hi"), ":2");
  EXPECT_EQ(listener.read(), "*3 $7 message $4 news $2 hi *4 $8 pmessage $2 n* $4 news $2 hi");
  EXPECT_EQ(speaker.run("SPUBLISH news hi"), ":0");
  EXPECT_EQ(listener.read(), "");
}

TEST_F(SubscribersHearEachMessageOnce, ShardChannelsAreAWorldOfTheirOwn) {
  listener.run("SSUBSCRIBE news");
  EXPECT_EQ(speaker.run("PUBLISH news hi"), ":0");
  EXPECT_EQ(speaker.run("SPUBLISH news hi"), ":1");
  EXPECT_EQ(listener.read(), "*3 $8 smessage $4 news $2 hi");
}

TEST_F(SubscribersHearEachMessageOnce, InResp3MessagesArePushesAndCallsGoOn) {
  listener.run("HELLO 3");
  EXPECT_EQ(listener.run("SUBSCRIBE news"), ">3 $9 subscribe $4 news :1");
  EXPECT_EQ(listener.run("PING"), "+PONG");
  EXPECT_EQ(listener.run("PUBLISH news hi"), ">3 $7 message $4 news $2 hi :1");
}

TEST_F(SubscribersHearEachMessageOnce, InResp2OnlySubscriptionCallsAreAllowed) {
  listener.run("SUBSCRIBE news");
  EXPECT_EQ(listener.run("GET k"),
            "-ERR Can't execute 'get': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / "
            "RESET are allowed in this context");
  EXPECT_EQ(listener.run("PING"), "*2 $4 pong $0 ");
  EXPECT_EQ(listener.run("PING x"), "*2 $4 pong $1 x");
  EXPECT_EQ(listener.run("RESET"), "+RESET");
  EXPECT_EQ(listener.run("GET k"), "$-1");
  EXPECT_EQ(speaker.run("PUBLISH news hi"), ":0");
}

TEST_F(SubscribersHearEachMessageOnce, PubsubTellsWhoListens) {
  listener.run("SUBSCRIBE news weather");
  listener.run("PSUBSCRIBE w*");
  listener.run("SSUBSCRIBE shard");
  EXPECT_EQ(speaker.run("PUBSUB NUMSUB news none"), "*4 $4 news :1 $4 none :0");
  EXPECT_EQ(speaker.run("PUBSUB NUMPAT"), ":1");
  EXPECT_EQ(speaker.run("PUBSUB CHANNELS w*"), "*1 $7 weather");
  EXPECT_EQ(speaker.run("PUBSUB SHARDCHANNELS"), "*1 $5 shard");
  EXPECT_EQ(speaker.run("PUBSUB SHARDNUMSUB shard"), "*2 $5 shard :1");
  EXPECT_EQ(speaker.run("PUBSUB CHANNELS a b"),
            "-ERR unknown subcommand or wrong number of arguments for 'CHANNELS'. Try PUBSUB "
            "HELP.");
}

}  // namespace
