// CLIENT: names, lists, filters, blocking and pausing.
#include "tests/support/client_fixture.hpp"

#include <gmock/gmock.h>

namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

class ClientsKnowAndCloseEachOther : public tests::ClientFixture {
 protected:
  tests::Peer& own = connect();
  tests::Peer& other = connect();
};

TEST_F(ClientsKnowAndCloseEachOther, NamesArePrintableWords) {
  EXPECT_EQ(own.run("CLIENT GETNAME"), "$-1");
  EXPECT_EQ(own.run("CLIENT SETNAME worker-1"), "+OK");
  EXPECT_EQ(own.run("CLIENT GETNAME"), "$8 worker-1");
  EXPECT_EQ(own.run({"CLIENT", "SETNAME", "a b"}),
            "-ERR Client names cannot contain spaces, newlines or special characters.");
  EXPECT_EQ(own.run({"CLIENT", "SETNAME", "\xc3\xa9"}),
            "-ERR Client names cannot contain spaces, newlines or special characters.");
  EXPECT_EQ(own.run({"CLIENT", "SETNAME", ""}), "+OK");
  EXPECT_EQ(own.run("CLIENT GETNAME"), "$-1");
}

TEST_F(ClientsKnowAndCloseEachOther, LibrariesSayWhoTheyAre) {
  EXPECT_EQ(own.run("CLIENT SETINFO lib-name redis-py"), "+OK");
  EXPECT_EQ(own.run("CLIENT SETINFO LIB-VER 6.1"), "+OK");
  EXPECT_THAT(own.run("CLIENT INFO"), HasSubstr(" lib-name=redis-py lib-ver=6.1"));
  EXPECT_EQ(own.run({"CLIENT", "SETINFO", "lib-name", "a b"}),
            "-ERR lib-name cannot contain spaces, newlines or special characters.");
  EXPECT_EQ(own.run("CLIENT SETINFO lib-os linux"), "-ERR Unrecognized option 'lib-os'");
}

TEST_F(ClientsKnowAndCloseEachOther, AListHasRedisFieldsInRedisOrder) {
  own.run("SELECT 3");
  EXPECT_THAT(
      own.run("CLIENT INFO"),
      HasSubstr("id=1 addr=10.0.0.1:1000 laddr=10.0.0.100:6379 fd=-1 name= age=0 idle=0 flags=N "
                "db=3 sub=0 psub=0 ssub=0 multi=-1 qbuf=0 qbuf-free=0 argv-mem=10 multi-mem=0 "
                "rbs=0 rbp=0 obl=0 oll=0 omem=0 tot-mem=0 events=r cmd=client|info user=default "
                "redir=-1 resp=2 lib-name= lib-ver="));
}

TEST_F(ClientsKnowAndCloseEachOther, ListsAreFilteredByTypeAndNumber) {
  other.run("SUBSCRIBE news");
  EXPECT_THAT(own.run("CLIENT LIST TYPE pubsub"), HasSubstr("id=2 "));
  EXPECT_THAT(own.run("CLIENT LIST TYPE pubsub"), Not(HasSubstr("id=1 ")));
  EXPECT_THAT(own.run("CLIENT LIST TYPE normal"), Not(HasSubstr("id=2 ")));
  EXPECT_EQ(own.run("CLIENT LIST TYPE replica"), "$0 ");
  EXPECT_THAT(own.run("CLIENT LIST ID 2 1"), MatchesRegex(".*id=2 .*\nid=1 .*"));
  EXPECT_EQ(own.run("CLIENT LIST ID x"), "-ERR Invalid client ID");
  EXPECT_EQ(own.run("CLIENT LIST TYPE foo"), "-ERR Unknown client type 'foo'");
  EXPECT_EQ(own.run("CLIENT LIST FOO"), "-ERR syntax error");
}

TEST_F(ClientsKnowAndCloseEachOther, KillByAddressEndsOneConnection) {
  EXPECT_EQ(own.run("CLIENT KILL 10.0.0.9:1000"), "-ERR No such client");
  EXPECT_EQ(own.run("CLIENT KILL 10.0.0.2:1000"), "+OK");
  EXPECT_TRUE(other.is_closed);
  EXPECT_FALSE(own.is_closed);
}

TEST_F(ClientsKnowAndCloseEachOther, KillByOptionsSparesOneselfUnlessTold) {
  EXPECT_EQ(own.run("CLIENT KILL LADDR 10.0.0.100:6379 USER default"), ":1");
  EXPECT_TRUE(other.is_closed);
  EXPECT_FALSE(own.is_closed);
  EXPECT_EQ(own.run("CLIENT KILL ID 1 SKIPME no"), ":1");
  EXPECT_TRUE(own.is_closed);
}

TEST_F(ClientsKnowAndCloseEachOther, KillRefusesWhatItDoesNotKnow) {
  EXPECT_EQ(own.run("CLIENT KILL ID 0"), "-ERR client-id should be greater than 0");
  EXPECT_EQ(own.run("CLIENT KILL TYPE foo"), "-ERR Unknown client type 'foo'");
  EXPECT_EQ(own.run("CLIENT KILL USER nobody"), "-ERR No such user 'nobody'");
  EXPECT_EQ(own.run("CLIENT KILL ID 1 TYPE"), "-ERR syntax error");
  EXPECT_EQ(own.run("CLIENT KILL SKIPME perhaps"), "-ERR syntax error");
}

TEST_F(ClientsKnowAndCloseEachOther, AWaitEndsByItsTimeoutOrByAnother) {
  EXPECT_EQ(own.run("WAIT 0 100"), ":0");
  EXPECT_EQ(own.run("WAIT 1 100"), "");
  advance_ms(99);
  EXPECT_EQ(own.read(), "");
  EXPECT_THAT(other.run("CLIENT LIST ID 1"), HasSubstr(" flags=b "));
  advance_ms(1);
  EXPECT_EQ(own.read(), ":0");

  own.run("WAIT 1 0");
  EXPECT_EQ(other.run("CLIENT UNBLOCK 1 ERROR"), ":1");
  EXPECT_EQ(own.read(), "-UNBLOCKED client unblocked via CLIENT UNBLOCK");
  EXPECT_EQ(other.run("CLIENT UNBLOCK 1"), ":0");
}

TEST_F(ClientsKnowAndCloseEachOther, PausesEndAtAnInstant) {
  EXPECT_EQ(own.run("CLIENT PAUSE 100 WRITE"), "+OK");
  EXPECT_EQ(server.pause_mode, commands::PauseMode::writes);
  EXPECT_EQ(server.paused_until_us, clock.monotonic_us() + 100'000);
  EXPECT_EQ(own.run("CLIENT UNPAUSE"), "+OK");
  EXPECT_EQ(server.pause_mode, commands::PauseMode::none);
  EXPECT_EQ(own.run("CLIENT PAUSE -1"), "-ERR timeout is negative");
  EXPECT_EQ(own.run("CLIENT PAUSE x"), "-ERR timeout is not an integer or out of range");
}

TEST_F(ClientsKnowAndCloseEachOther, RepliesCanBeTurnedOff) {
  EXPECT_EQ(own.run("CLIENT REPLY OFF"), "");
  EXPECT_EQ(own.state.reply_mode, commands::ReplyMode::off);
  own.run("CLIENT REPLY SKIP");
  EXPECT_EQ(own.state.reply_mode, commands::ReplyMode::off);
  EXPECT_EQ(own.run("CLIENT REPLY ON"), "+OK");
  own.run("CLIENT REPLY SKIP");
  EXPECT_EQ(own.state.reply_mode, commands::ReplyMode::skip_next);
}

}  // namespace
