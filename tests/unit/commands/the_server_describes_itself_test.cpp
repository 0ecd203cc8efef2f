// INFO, COMMAND, CONFIG, DEBUG, SHUTDOWN: what operators and tools read.
#include "tests/support/client_fixture.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>

namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class TheServerDescribesItself : public tests::ClientFixture {
 protected:
  tests::Peer& own = connect();

  std::vector<std::string> info_lines(std::string_view section) {
    std::istringstream text(own.run({"INFO", section}));
    std::string word;
    std::vector<std::string> lines;
    while (text >> word) lines.push_back(word);
    return lines;
  }
};

TEST_F(TheServerDescribesItself, EachLineOfInfoSplitsInTwo) {
  own.run("SET k v PX 1000");
  for (const std::string& word : info_lines("all")) {
    EXPECT_LE(std::ranges::count(word, ':'), 1) << word;
  }
}

TEST_F(TheServerDescribesItself, InfoGivesTheSectionsAskedFor) {
  own.run("SET k v PX 1000");
  EXPECT_THAT(own.run("INFO keyspace"), HasSubstr("# Keyspace db0:keys=1,expires=1,avg_ttl=1000"));
  EXPECT_THAT(own.run("INFO SERVER replication"), HasSubstr("redis_version:7.0.15 "));
  EXPECT_THAT(own.run("INFO SERVER replication"), HasSubstr("role:master connected_slaves:0 "));
  EXPECT_THAT(own.run("INFO SERVER replication"), Not(HasSubstr("# Clients")));
  EXPECT_THAT(own.run("INFO"), Not(HasSubstr("# Commandstats")));
  EXPECT_THAT(own.run("INFO all"), HasSubstr("cmdstat_set:calls=1,"));
  EXPECT_EQ(own.run("INFO nosuch"), "$0 ");
}

TEST_F(TheServerDescribesItself, ResetstatStartsTheFiguresAnew) {
  own.run("GET none");
  EXPECT_THAT(own.run("INFO stats"), HasSubstr("keyspace_misses:1 "));
  EXPECT_EQ(own.run("CONFIG RESETSTAT"), "+OK");
  EXPECT_THAT(own.run("INFO stats"), HasSubstr("keyspace_misses:0 "));
  EXPECT_EQ(server.resets, 1);
}

TEST_F(TheServerDescribesItself, ErrorsAreCountedByCodeAndByCommand) {
  own.run("SET k text");
  own.run("HGET k f");
  own.run("NOSUCH");
  own.run("GET");
  own.run("MULTI");
  own.run("INCR k");
  own.run("HGET k f");
  own.run("EXEC");
  EXPECT_THAT(own.run("INFO errorstats"),
              HasSubstr("errorstat_ERR:count=3 errorstat_WRONGTYPE:count=2 "));
  const std::string calls = own.run("INFO commandstats");
  EXPECT_THAT(
      calls, testing::ContainsRegex("cmdstat_hget:calls=2,[^ ]*,rejected_calls=0,failed_calls=2 "));
  EXPECT_THAT(calls, HasSubstr("cmdstat_get:calls=0,usec=0,usec_per_call=0.00,rejected_calls=1,"
                               "failed_calls=0 "));
  EXPECT_THAT(
      calls, testing::ContainsRegex("cmdstat_exec:calls=1,[^ ]*,rejected_calls=0,failed_calls=0 "));
}

TEST_F(TheServerDescribesItself, CommandsTellTheirKeys) {
  EXPECT_EQ(own.run("COMMAND GETKEYS SET k v"), "*1 $1 k");
  EXPECT_EQ(own.run("COMMAND GETKEYS EVAL s 2 a b c"), "*2 $1 a $1 b");
  EXPECT_EQ(own.run("COMMAND GETKEYSANDFLAGS SET k v"), "*1 *2 $1 k *2 +OW +update");
  EXPECT_EQ(own.run("COMMAND GETKEYSANDFLAGS SET k v GET"), "*1 *2 $1 k *3 +RW +access +update");
  EXPECT_EQ(own.run("COMMAND GETKEYS ECHO x"), "-ERR The command has no key arguments");
  EXPECT_EQ(own.run("COMMAND GETKEYS NOSUCH x"), "-ERR Invalid command specified");
  EXPECT_EQ(own.run("COMMAND GETKEYS MSET x"),
            "-ERR Invalid number of arguments specified for command");
}

TEST_F(TheServerDescribesItself, CommandsTellTheirRows) {
  EXPECT_EQ(own.run("COMMAND INFO GET"),
            "*1 *10 $3 get :2 *2 +readonly +fast :1 :1 :1 *3 +@read +@string +@fast *0 "
            "*1 *6 $5 flags *2 +RO +access $12 begin_search *4 $4 type $5 index $4 spec *2 "
            "$5 index :1 $9 find_keys *4 $4 type $5 range $4 spec *6 $7 lastkey :0 $7 keystep :1 "
            "$5 limit :0 *0");
  EXPECT_EQ(own.run("COMMAND INFO nosuch"), "*1 $-1");
  EXPECT_THAT(own.run("COMMAND INFO client|kill"), StartsWith("*1 *10 $11 client|kill :-3 "));
  EXPECT_THAT(own.run("COMMAND DOCS client|id"), HasSubstr("$5 group $10 connection"));
  EXPECT_EQ(own.run("COMMAND LIST FILTERBY PATTERN mult?"), "*1 $5 multi");
  EXPECT_EQ(own.run("COMMAND LIST FILTERBY ACLCAT nosuch"), "*0");
  EXPECT_EQ(own.run("COMMAND FOO"), "-ERR unknown subcommand 'FOO'. Try COMMAND HELP.");
}

TEST_F(TheServerDescribesItself, ConfigGoesToTheSettings) {
  EXPECT_EQ(own.run("CONFIG SET requirepass x"), "+OK");
  EXPECT_EQ(own.run("CONFIG GET require*"), "*2 $11 requirepass $1 x");
  EXPECT_EQ(own.run("CONFIG SET a 1 b"), "-ERR syntax error");
}

TEST_F(TheServerDescribesItself, DebugIsRefusedUnlessEnabled) {
  EXPECT_THAT(own.run("DEBUG OBJECT k"), StartsWith("-ERR DEBUG command not allowed."));
  settings.debug_access = commands::DebugAccess::yes;
  own.run("SET k v");
  EXPECT_THAT(own.run("DEBUG OBJECT k"), HasSubstr(" encoding:embstr "));
  EXPECT_EQ(own.run("DEBUG OBJECT none"), "-ERR no such key");
  EXPECT_EQ(own.run("DEBUG PROTOCOL map"), "*6 :0 :0 :1 :1 :2 :0");
  EXPECT_EQ(own.run("DEBUG NOSUCH"),
            "-ERR unknown subcommand or wrong number of arguments for 'NOSUCH'. Try DEBUG HELP.");
  EXPECT_EQ(own.run("DEBUG SET-ACTIVE-EXPIRE 0"), "+OK");
  own.run("SET k v PX 10");
  advance_ms(10);
  EXPECT_EQ(own.run("DBSIZE"), ":1");
  EXPECT_EQ(own.run("EXISTS k"), ":0");
  EXPECT_EQ(own.run("DEBUG SET-ACTIVE-EXPIRE 1"), "+OK");
  advance_ms(1);
  EXPECT_EQ(own.run("DBSIZE"), ":0");
  const std::string before = own.run("INFO replication");
  own.run("DEBUG CHANGE-REPL-ID");
  EXPECT_NE(own.run("INFO replication"), before);
}

TEST_F(TheServerDescribesItself, ShutdownTakesNoContradictions) {
  EXPECT_EQ(own.run("SHUTDOWN SAVE NOSAVE"), "-ERR syntax error");
  EXPECT_EQ(own.run("SHUTDOWN ABORT NOW"), "-ERR syntax error");
  EXPECT_EQ(own.run("SHUTDOWN ABORT"), "-ERR No shutdown in progress.");
  own.run("MULTI");
  EXPECT_EQ(own.run("SHUTDOWN"), "-ERR Command not allowed inside a transaction");
  own.run("DISCARD");
  EXPECT_TRUE(server.shutdowns.empty());
  EXPECT_EQ(own.run("SHUTDOWN NOSAVE NOW"), "");
  EXPECT_EQ(server.shutdowns.at(0), commands::ShutdownMode::now);
}

}  // namespace
