#include "tests/support/client_fixture.hpp"

#include <gmock/gmock.h>

namespace {

class Tracking : public tests::ClientFixture {
 protected:
  tests::Peer& reader = connect();
  tests::Peer& writer = connect();

  void SetUp() override { reader.run("HELLO 3"); }
  [[nodiscard]] commands::TrackingTable& table() { return dispatcher.observers().tracking; }
};

constexpr auto of_k = ">2 $10 invalidate *1 $1 k";

TEST_F(Tracking, CostsTheKeyspaceNothingUntilSomeoneTracks) {
  EXPECT_FALSE(table().is_active());
  reader.run("CLIENT TRACKING ON");
  EXPECT_TRUE(table().is_active());
  reader.run("GET k");
  EXPECT_EQ(table().keys(), 1U);
  reader.run("CLIENT TRACKING OFF");
  EXPECT_FALSE(table().is_active());
  EXPECT_EQ(table().keys(), 0U);
  EXPECT_EQ(table().items(), 0U);
}

TEST_F(Tracking, TellsEachReaderOnce) {
  auto& other = connect();
  other.run("HELLO 3");
  for (auto* peer : {&reader, &other}) {
    peer->run("CLIENT TRACKING ON");
    peer->run("GET k");
    peer->run("GET k");
  }
  EXPECT_EQ(table().items(), 2U);
  writer.run("SET k 1");
  writer.run("SET k 2");
  EXPECT_EQ(reader.read(), of_k);
  EXPECT_EQ(other.read(), of_k);
  EXPECT_EQ(table().items(), 0U);
}

TEST_F(Tracking, TellsWhenAKeyComesDueOnItsMillisecond) {
  reader.run("CLIENT TRACKING ON OPTOUT NOLOOP");
  reader.run("SET k v PX 50");
  reader.run("GET k");
  advance_ms(49);
  EXPECT_EQ(reader.read(), "");
  advance_ms(1);
  EXPECT_EQ(reader.read(), of_k);
}

TEST_F(Tracking, GathersBroadcastsForTheEndOfTheTurn) {
  reader.run("CLIENT TRACKING ON BCAST PREFIX a PREFIX b");
  EXPECT_EQ(table().prefixes(), 2U);
  writer.run("MSET b 1 a2 1 a1 1 c 1");
  writer.run("SET a1 2");
  EXPECT_EQ(reader.read(), "");
  dispatcher.end_turn();
  EXPECT_EQ(reader.read(), ">2 $10 invalidate *2 $2 a1 $2 a2 >2 $10 invalidate *1 $1 b");
  dispatcher.end_turn();
  EXPECT_EQ(reader.read(), "");
}

TEST_F(Tracking, BroadcastsToNoloopWhatOthersChangedToo) {
  reader.run("CLIENT TRACKING ON BCAST NOLOOP");
  reader.run("SET k 1");
  writer.run("SET k 2");
  reader.run("SET own 1");
  dispatcher.end_turn();
  EXPECT_EQ(reader.read(), of_k);
}

TEST_F(Tracking, ForgetsClientsThatAreGone) {
  reader.run("CLIENT TRACKING ON BCAST PREFIX a");
  server.close(reader.state);
  EXPECT_FALSE(table().is_active());
  EXPECT_EQ(table().prefixes(), 0U);
  writer.run("SET a 1");
  dispatcher.end_turn();
}

TEST_F(Tracking, SweepsReadersThatAreGoneFromNamesThatNeverChange) {
  reader.run("CLIENT TRACKING ON");
  for (int i = 0; i < 300; ++i) {
    auto& passing = connect();
    passing.run("CLIENT TRACKING ON");
    passing.run("GET k");
    server.close(passing.state);
  }
  EXPECT_LT(table().items(), 130U);
  EXPECT_EQ(table().keys(), 1U);
}

TEST_F(Tracking, KeepsNoMoreNamesThanTheLimit) {
  settings.tracked_keys_max = 10;
  reader.run("CLIENT TRACKING ON");
  for (int i = 0; i < 50; ++i) reader.run("GET k" + std::to_string(i));
  EXPECT_EQ(table().keys(), 10U);
}

}  // namespace
