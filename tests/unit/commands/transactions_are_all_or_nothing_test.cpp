// MULTI, EXEC, WATCH: what is queued runs as one, or not at all when something spoilt it.
#include "tests/support/client_fixture.hpp"

namespace {

class TransactionsAreAllOrNothing : public tests::ClientFixture {
 protected:
  tests::Peer& own = connect();
  tests::Peer& other = connect();
};

TEST_F(TransactionsAreAllOrNothing, QueuedCallsRunAtExecInOrder) {
  EXPECT_EQ(own.run("MULTI"), "+OK");
  EXPECT_EQ(own.run("SET k 1"), "+QUEUED");
  EXPECT_EQ(own.run("INCR k"), "+QUEUED");
  EXPECT_EQ(other.run("GET k"), "$-1");
  EXPECT_EQ(own.run("EXEC"), "*2 +OK :2");
  EXPECT_EQ(own.run("EXEC"), "-ERR EXEC without MULTI");
}

TEST_F(TransactionsAreAllOrNothing, AFailingCallLeavesTheOthersAlone) {
  own.run("SET k text");
  own.run("MULTI");
  own.run("INCR k");
  own.run("SET other 1");
  EXPECT_EQ(own.run("EXEC"), "*2 -ERR value is not an integer or out of range +OK");
}

TEST_F(TransactionsAreAllOrNothing, ARefusedCallSpoilsTheTransaction) {
  own.run("MULTI");
  own.run("SET k 1");
  EXPECT_EQ(own.run("NOSUCH"), "-ERR unknown command 'NOSUCH', with args beginning with: ");
  EXPECT_EQ(own.run("EXEC"), "-EXECABORT Transaction discarded because of previous errors.");
  EXPECT_EQ(own.run("GET k"), "$-1");
}

TEST_F(TransactionsAreAllOrNothing, NestedMultiAndWatchAreRefusedWithoutSpoilingIt) {
  own.run("MULTI");
  EXPECT_EQ(own.run("MULTI"), "-ERR MULTI calls can not be nested");
  EXPECT_EQ(own.run("WATCH k"), "-ERR WATCH inside MULTI is not allowed");
  EXPECT_EQ(own.run("EXEC"), "*0");
}

TEST_F(TransactionsAreAllOrNothing, DiscardForgetsEverything) {
  EXPECT_EQ(own.run("DISCARD"), "-ERR DISCARD without MULTI");
  own.run("WATCH k");
  own.run("MULTI");
  own.run("SET k 1");
  EXPECT_EQ(own.run("DISCARD"), "+OK");
  EXPECT_EQ(own.run("GET k"), "$-1");
  other.run("SET k 2");
  own.run("MULTI");
  EXPECT_EQ(own.run("EXEC"), "*0");
}

TEST_F(TransactionsAreAllOrNothing, AChangeOfAWatchedKeyAborts) {
  own.run("WATCH a k");
  other.run("SET k 1");
  own.run("MULTI");
  own.run("SET k 2");
  EXPECT_EQ(own.run("EXEC"), "*-1");
  EXPECT_EQ(own.run("GET k"), "$1 1");
  own.run("MULTI");
  EXPECT_EQ(own.run("EXEC"), "*0");
}

TEST_F(TransactionsAreAllOrNothing, UnwatchForgetsTheChange) {
  own.run("WATCH k");
  other.run("SET k 1");
  EXPECT_EQ(own.run("UNWATCH"), "+OK");
  own.run("MULTI");
  EXPECT_EQ(own.run("EXEC"), "*0");
}

TEST_F(TransactionsAreAllOrNothing, AKeyThatExpiresWhileWatchedAborts) {
  own.run("SET k 1 PX 100");
  own.run("WATCH k");
  clock.advance_ms(100);  // overdue, not yet removed
  own.run("MULTI");
  own.run("PING");
  EXPECT_EQ(own.run("EXEC"), "*-1");
}

TEST_F(TransactionsAreAllOrNothing, AKeyThatWasOverdueAtWatchCountsAsAbsent) {
  own.run("SET k 1 PX 100");
  clock.advance_ms(100);
  own.run("WATCH k");
  advance_ms(1);
  own.run("MULTI");
  EXPECT_EQ(own.run("EXEC"), "*0");
}

TEST_F(TransactionsAreAllOrNothing, WaitDoesNotBlockInside) {
  own.run("MULTI");
  own.run("WAIT 1 0");
  EXPECT_EQ(own.run("EXEC"), "*1 :0");
  EXPECT_EQ(own.state.blocked, nullptr);
}

}  // namespace
