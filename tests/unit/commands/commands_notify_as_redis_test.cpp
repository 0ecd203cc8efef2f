// Which events each command gives, and in which order: as redis-server 7.0.15 gives them.
#include "tests/support/command_fixture.hpp"

#include <gmock/gmock.h>

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class CommandsNotifyAsRedis : public tests::CommandFixture {
 protected:
  CommandsNotifyAsRedis() { listen("KEAmn"); }
  std::vector<std::string> events_of(std::string_view line) {
    events();
    run(line);
    return events();
  }
};

TEST_F(CommandsNotifyAsRedis, SetTellsNewKeysAndDeadlines) {
  EXPECT_THAT(events_of("SET k a NX PX 1000"), ElementsAre("new k", "set k", "expire k"));
  EXPECT_THAT(events_of("SET k b NX PX 1000"), IsEmpty());
  EXPECT_THAT(events_of("SET k b"), ElementsAre("set k"));
  EXPECT_THAT(events_of("SET other b XX GET"), ElementsAre("keymiss other"));
}

TEST_F(CommandsNotifyAsRedis, ReadsTellMissesAndWritesDoNot) {
  EXPECT_THAT(events_of("GET k"), ElementsAre("keymiss k"));
  EXPECT_THAT(events_of("EXISTS k l"), ElementsAre("keymiss k", "keymiss l"));
  EXPECT_THAT(events_of("PTTL k"), ElementsAre("keymiss k"));
  EXPECT_THAT(events_of("HEXISTS k f"), ElementsAre("keymiss k"));
  EXPECT_THAT(events_of("DEL k"), IsEmpty());
  EXPECT_THAT(events_of("PEXPIRE k 5"), IsEmpty());
}

TEST_F(CommandsNotifyAsRedis, DeadlinesInThePastDelete) {
  run("SET k a");
  EXPECT_THAT(events_of("PEXPIRE k 1000"), ElementsAre("expire k"));
  EXPECT_THAT(events_of("PERSIST k"), ElementsAre("persist k"));
  EXPECT_THAT(events_of("PERSIST k"), IsEmpty());
  EXPECT_THAT(events_of("PEXPIRE k -1"), ElementsAre("del k"));
  run("SET k a");
  EXPECT_THAT(events_of("GETEX k PXAT 1"), ElementsAre("del k"));
}

TEST_F(CommandsNotifyAsRedis, AHashGoesWithItsLastField) {
  EXPECT_THAT(events_of("HINCRBY h f 1"), ElementsAre("new h", "hincrby h"));
  EXPECT_THAT(events_of("HSET h g 1 i 2"), ElementsAre("hset h"));
  EXPECT_THAT(events_of("HDEL h g x"), ElementsAre("hdel h"));
  EXPECT_THAT(events_of("HDEL h x"), IsEmpty());
  EXPECT_THAT(events_of("HDEL h f i"), ElementsAre("hdel h", "del h"));
}

TEST_F(CommandsNotifyAsRedis, TransfersTellBothEnds) {
  run("SET a 1");
  EXPECT_THAT(events_of("RENAME a b"), ElementsAre("new b", "rename_from a", "rename_to b"));
  EXPECT_THAT(events_of("RENAME b b"), IsEmpty());
  EXPECT_THAT(events_of("COPY b c DB 3"), ElementsAre("new@3 c", "copy_to@3 c"));
  EXPECT_THAT(events_of("MOVE b 2"), ElementsAre("new@2 b", "move_from b", "move_to@2 b"));
}

TEST_F(CommandsNotifyAsRedis, ExpiryIsToldOnceItIsDue) {
  run("SET k a PX 10");
  events();
  advance_ms(9);
  EXPECT_THAT(events(), IsEmpty());
  advance_ms(1);
  EXPECT_THAT(events(), ElementsAre("expired k"));
}

}  // namespace
