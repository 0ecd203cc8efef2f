// Users beyond one connection's view: the aclfile, the log's memory, connections that end.
#include "tests/support/client_fixture.hpp"

#include <gmock/gmock.h>

namespace commands {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class UsersAreKeptAndWatched : public tests::ClientFixture {
 protected:
  tests::Peer& own = connect();

  std::string loading(std::string_view content) {
    server.acl_path = "users.acl";
    server.acl_content = content;
    return own.run("ACL LOAD");
  }
};

constexpr std::string_view nothing_changed =
    "WARNING: ACL errors detected, no change to the previously active ACL rules was performed";

TEST_F(UsersAreKeptAndWatched, AFileIsWrittenAndReadBack) {
  server.acl_path = "users.acl";
  own.run("ACL SETUSER alice on >secret ~a* %lock~b &c +@all -get (~x +set)");
  const std::string before = own.run("ACL LIST");
  EXPECT_EQ(own.run("ACL SAVE"), "+OK");
  EXPECT_THAT(server.acl_content, HasSubstr("user alice on #2bb80d53"));
  EXPECT_THAT(server.acl_content, HasSubstr("user default on nopass ~* &* +@all\n"));
  own.run("ACL DELUSER alice");
  EXPECT_EQ(own.run("ACL LOAD"), "+OK");
  EXPECT_EQ(own.run("ACL LIST"), before);
}

TEST_F(UsersAreKeptAndWatched, AFileThatCannotBeWrittenIsLogged) {
  server.acl_path = "users.acl";
  server.acl_error = "No space left on device";
  EXPECT_EQ(own.run("ACL SAVE"),
            "-ERR There was an error trying to save the ACLs. Please check the server logs for "
            "more information");
  EXPECT_EQ(server.logged.back(), "Saving ACLs to users.acl: No space left on device");
}

TEST_F(UsersAreKeptAndWatched, AFileReplacesAllUsers) {
  own.run("ACL SETUSER bob on nopass +@all ~*");
  tests::Peer& bob = connect();
  EXPECT_EQ(bob.run("AUTH bob x"), "+OK");
  EXPECT_EQ(loading("\n  user alice on \r\nuser \"q\" nopass\nuser bob on"), "+OK");
  EXPECT_EQ(own.run("ACL USERS"), "*4 $3 \"q\" $5 alice $3 bob $7 default");
  // Redis 7.0: every connection of another user than the default one.
  EXPECT_TRUE(bob.is_closed);
  EXPECT_FALSE(own.is_closed);
}

TEST_F(UsersAreKeptAndWatched, TheDefaultUserOfAFileIsWhoConnectionsAre) {
  EXPECT_EQ(loading("user default on nopass +get ~a"), "+OK");
  EXPECT_EQ(own.run("GET a"), "$-1");
  EXPECT_THAT(own.run("GET b"), StartsWith("-NOPERM"));
  EXPECT_THAT(own.run("ACL LIST"), StartsWith("-NOPERM"));
}

TEST_F(UsersAreKeptAndWatched, MistakesOfAFileAreNamedByLine) {
  const std::string end(nothing_changed);
  EXPECT_EQ(loading("user a on\nuser b foo +foo bar -bar\n"),
            "-ERR users.acl:2: Syntax error. users.acl:2: Error in applying operation '+foo': "
            "Unknown command or category name in ACL. users.acl:2: Error in applying operation "
            "'-bar': Unknown command or category name in ACL. " +
                end);
  EXPECT_EQ(loading("usr a\n"),
            "-ERR users.acl:1 should start with user keyword followed by the username. " + end);
  EXPECT_EQ(loading("user\n"),
            "-ERR users.acl:1 should start with user keyword followed by the username. " + end);
  EXPECT_EQ(loading("user a on\nuser a off\n"),
            "-ERR WARNING: Duplicate user 'a' found on line 2. " + end);
  EXPECT_EQ(loading("user a\ton\n"),
            "-ERR 'users.acl:1: username 'a\ton' contains invalid characters. " + end);
  EXPECT_EQ(loading("user a (~x\n"),
            "-ERR users.acl:1: Unmatched parenthesis in selector definition." + end);
  EXPECT_EQ(loading("user a ~* ~x\n"),
            "-ERR users.acl:1: Adding a pattern after the * pattern (or the 'allkeys' flag) is not "
            "valid and does not have any effect. Try 'resetkeys' to start with an empty list of "
            "patterns. " +
                end);
  EXPECT_EQ(own.run("ACL USERS"), "*1 $7 default");
}

TEST_F(UsersAreKeptAndWatched, LikeRefusalsWithinAMinuteAreOneEntry) {
  own.run("ACL SETUSER alice on nopass +get");
  tests::Peer& alice = connect();
  alice.run("AUTH alice x");
  alice.run("GET k");
  advance_ms(59'000);
  alice.run("GET k");
  EXPECT_THAT(own.run("ACL LOG"), StartsWith("*1 *14 $5 count :2 "));
  advance_ms(61'500);
  alice.run("GET k");
  const std::string log = own.run("ACL LOG");
  EXPECT_THAT(log, StartsWith("*2 *14 $5 count :1 "));
  EXPECT_THAT(log, HasSubstr("$11 age-seconds $4 61.5"));
}

TEST_F(UsersAreKeptAndWatched, TheLogForgetsTheOldest) {
  settings.acl_log_entries_max = 2;
  own.run("ACL SETUSER alice on nopass +get");
  tests::Peer& alice = connect();
  alice.run("AUTH alice x");
  for (const std::string_view call : {"GET a", "GET b", "GET c"}) alice.run(call);
  const std::string log = own.run("ACL LOG");
  EXPECT_THAT(log, StartsWith("*2 "));
  EXPECT_THAT(log, Not(HasSubstr("$6 object $1 a")));
}

TEST_F(UsersAreKeptAndWatched, TheLogIsMapsInResp3) {
  own.run("ACL SETUSER alice on nopass +get");
  tests::Peer& alice = connect();
  alice.run("AUTH alice x");
  alice.run("GET k");
  own.run("HELLO 3");
  EXPECT_THAT(own.run("ACL LOG"),
              StartsWith("*1 %7 $5 count :1 $6 reason $3 key $7 context $8 toplevel $6 object $1 k "
                         "$8 username $5 alice $11 age-seconds ,0 $11 client-info "));
}

TEST_F(UsersAreKeptAndWatched, ADeletedUsersConnectionsAreNobodys) {
  own.run("ACL SETUSER alice on nopass +@all ~*");
  tests::Peer& alice = connect();
  alice.run("AUTH alice x");
  EXPECT_EQ(own.run("ACL DELUSER alice"), ":1");
  EXPECT_TRUE(alice.is_closed);
  EXPECT_EQ(alice.state.user, "default");
  EXPECT_FALSE(alice.state.authenticated);
}

TEST_F(UsersAreKeptAndWatched, RulesMayNameWhatRedisServesAndWeDoNot) {
  EXPECT_EQ(own.run("ACL SETUSER alice +@geo -geoadd +xgroup -xgroup|create +bitop|and"), "+OK");
  EXPECT_EQ(own.run("ACL LIST"),
            "*2 $82 user alice off resetchannels -@all +@geo +bitop|and -geoadd +xgroup "
            "-xgroup|create $34 user default on nopass ~* &* +@all");
  EXPECT_EQ(own.run("ACL CAT geo"), "*0");
  EXPECT_THAT(own.run("ACL SETUSER alice +xgroup|nothing"), StartsWith("-ERR Error in ACL"));
}

TEST_F(UsersAreKeptAndWatched, ManyPatternsAndLongRulesAreKept) {
  std::string rules = "ACL SETUSER alice";
  for (int i = 0; i < 2000; ++i) rules += " ~k" + std::to_string(i);
  EXPECT_EQ(own.run(rules), "+OK");
  EXPECT_THAT(own.run("ACL LIST"), HasSubstr("~k1999 resetchannels -@all"));
}

}  // namespace
}  // namespace commands
