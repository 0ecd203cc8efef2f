// FENCE.TOKEN, FENCE.CHECK and FENCE.LAST: a holder whose lease has ended is told so by its token.
#include "tests/support/command_fixture.hpp"

namespace {

class LateHoldersAreRefused : public tests::CommandFixture {
 protected:
  std::int64_t token(std::string_view key) {
    const std::string reply = run({"FENCE.TOKEN", key});
    EXPECT_EQ(reply.front(), ':') << reply;
    return std::stoll(reply.substr(1));
  }
};

TEST_F(LateHoldersAreRefused, TheNextHoldingHasAHigherToken) {
  run("SET lock a NX PX 100");
  const std::int64_t first = token("lock");
  advance_ms(100);
  EXPECT_EQ(run("FENCE.TOKEN lock"), "$-1");
  run("SET lock b NX PX 100");
  EXPECT_GT(token("lock"), first);
  EXPECT_EQ(run("FENCE.LAST"), ":" + std::to_string(token("lock")));
}

TEST_F(LateHoldersAreRefused, RenewalAndReentryKeepTheToken) {
  run("HINCRBY lock owner 1");
  const std::int64_t first = token("lock");
  run("HINCRBY lock owner 1");
  run("PEXPIRE lock 1000");
  EXPECT_EQ(token("lock"), first);
  run("SET string a PX 100");
  const std::int64_t second = token("string");
  run("SET string a PX 100");
  EXPECT_EQ(token("string"), second);
  run("SET string b PX 100");
  EXPECT_GT(token("string"), second);
}

TEST_F(LateHoldersAreRefused, OnlyTheOwnerLearnsTheTokenByOwner) {
  run("SET string a");
  run("HSET hash a 1");
  EXPECT_EQ(run("FENCE.TOKEN string OWNER b"), "$-1");
  EXPECT_EQ(run("FENCE.TOKEN hash owner b"), "$-1");
  EXPECT_EQ(run("FENCE.TOKEN string OWNER a"), run("FENCE.TOKEN string"));
  EXPECT_EQ(run("FENCE.TOKEN hash owner a"), run("FENCE.TOKEN hash"));
  EXPECT_EQ(run("FENCE.TOKEN string OWNER"), "-ERR syntax error");
  EXPECT_EQ(run("FENCE.TOKEN string MINE a"), "-ERR syntax error");
}

TEST_F(LateHoldersAreRefused, AResourceAcceptsOnlyTokensThatDoNotFall) {
  EXPECT_EQ(run("FENCE.CHECK store 33"), "+OK");
  EXPECT_EQ(run("FENCE.CHECK store 34"), "+OK");
  EXPECT_EQ(run("FENCE.CHECK store 34"), "+OK");
  EXPECT_EQ(run("FENCE.CHECK store 33"), "-STALE token 33 is older than 34");
  EXPECT_EQ(run("GET store"), "$2 34");
}

TEST_F(LateHoldersAreRefused, WhatIsNoTokenIsAnErrorAndChangesNothing) {
  run("HSET hash a 1");
  run("SET text abc");
  EXPECT_EQ(run("FENCE.CHECK store x"), "-ERR value is not an integer or out of range");
  EXPECT_EQ(run("EXISTS store"), ":0");
  EXPECT_EQ(run("FENCE.CHECK text 5"), "-ERR value is not an integer or out of range");
  EXPECT_EQ(run("FENCE.CHECK hash 5").substr(0, 10), "-WRONGTYPE");
  EXPECT_EQ(run("GET text"), "$3 abc");
}

TEST_F(LateHoldersAreRefused, ACheckKeepsTheDeadlineOfTheResource) {
  run("SET store 1 PX 1000");
  run("FENCE.CHECK store 2");
  EXPECT_EQ(run("PTTL store"), ":1000");
}

}  // namespace
