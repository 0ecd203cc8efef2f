// SET IFEQ, SET IFNE and DELIFEQ: newer than Redis 7.0, by their documentation.
#include "tests/support/command_fixture.hpp"

namespace {

using StringsAreComparedBeforeTheyChange = tests::CommandFixture;

TEST_F(StringsAreComparedBeforeTheyChange, IfeqSetsOnlyWhatEquals) {
  EXPECT_EQ(run("SET k b IFEQ a"), "$-1");
  EXPECT_EQ(run("EXISTS k"), ":0");
  run("SET k a");
  EXPECT_EQ(run("SET k b IFEQ x"), "$-1");
  EXPECT_EQ(run("SET k b IFEQ a PX 500"), "+OK");
  EXPECT_EQ(run("GET k"), "$1 b");
  EXPECT_EQ(run("PTTL k"), ":500");
}

TEST_F(StringsAreComparedBeforeTheyChange, IfneSetsWhatDiffersOrIsAbsent) {
  EXPECT_EQ(run("SET k a IFNE a"), "+OK");
  EXPECT_EQ(run("SET k b IFNE a"), "$-1");
  EXPECT_EQ(run("SET k b IFNE x"), "+OK");
  EXPECT_EQ(run("GET k"), "$1 b");
}

TEST_F(StringsAreComparedBeforeTheyChange, GetReturnsTheOldValueEitherWay) {
  run("SET k a");
  EXPECT_EQ(run("SET k b IFEQ x GET"), "$1 a");
  EXPECT_EQ(run("SET k b GET IFEQ a"), "$1 a");
  EXPECT_EQ(run("GET k"), "$1 b");
}

TEST_F(StringsAreComparedBeforeTheyChange, ConditionsExcludeEachOther) {
  EXPECT_EQ(run("SET k b IFEQ a NX"), "-ERR syntax error");
  EXPECT_EQ(run("SET k b XX IFNE a"), "-ERR syntax error");
  EXPECT_EQ(run("SET k b IFEQ a IFNE a"), "-ERR syntax error");
  run("SET k a");
  EXPECT_EQ(run("SET k b IFEQ x IFEQ a"), "+OK");  // the last counts
  EXPECT_EQ(run("SET k b IFEQ"), "-ERR syntax error");
}

TEST_F(StringsAreComparedBeforeTheyChange, OtherTypesAreAnError) {
  run("HSET h f v");
  EXPECT_EQ(run("SET h b IFEQ a").substr(0, 10), "-WRONGTYPE");
  EXPECT_EQ(run("DELIFEQ h a").substr(0, 10), "-WRONGTYPE");
}

TEST_F(StringsAreComparedBeforeTheyChange, DelifeqDeletesOnlyWhatEquals) {
  listen("KEA");
  run("SET k a");
  events();
  EXPECT_EQ(run("DELIFEQ absent a"), ":0");
  EXPECT_EQ(run("DELIFEQ k b"), ":0");
  EXPECT_EQ(events(), std::vector<std::string>{});
  EXPECT_EQ(run("DELIFEQ k a"), ":1");
  EXPECT_EQ(events(), std::vector<std::string>{"del k"});
  EXPECT_EQ(run("EXISTS k"), ":0");
}

}  // namespace
