#include "engine/journal_format.hpp"
#include "server/config_loader.hpp"
#include "server/core.hpp"
#include "server/journal.hpp"
#include "server/rdb_import.hpp"
#include "tests/support/disk/rdb_bytes.hpp"
#include "tests/unit/server/memory_machine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <string>

namespace server {
namespace {

using rdb_bytes::bytes;
using rdb_bytes::key;
using rdb_bytes::length;
using rdb_bytes::little;
using rdb_bytes::str;
using testing::AnyOf;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view library =
    "#!lua name=lib\nredis.register_function('f', function() return 7 end)";

class DumpsAreImported : public testing::Test {
 protected:
  DumpsAreImported() {
    log.silence();
    EXPECT_TRUE(load_config_text(config, "appendonly yes", "test"));
  }

  // "" when it succeeded.
  std::string import(std::string_view parts) { return import_bytes(rdb_bytes::file(parts)); }
  std::string import_bytes(std::string content) {
    test::MemoryFileSystem elsewhere;
    const auto dump = rdb_bytes::opened(elsewhere, std::move(content));
    auto done = RdbImport(config, log, machine).run(*dump, "dump.rdb");
    if (!done) return done.error().reason;
    summary = import_summary(*done);
    return "";
  }
  // A server that starts in the directory.
  struct Started {
    Started(Config& config, Log& log, MemoryMachine& machine)
        : journal(config.server(), log, machine),
          core(config, log, machine.clock(), journal.commit_log(), 1) {
      core.begin_loading();
      const auto opened = journal.open(core.keyspace(), [] { return true; });
      EXPECT_TRUE(opened) << opened.error().reason;
      core.end_loading();
    }
    Journal journal;
    Core core;
  };
  std::string after_start(std::string_view request) {
    Started started(config, log, machine);
    Session& session = started.core.open_session();
    session.feed(std::string(request) + "\r\n");
    started.core.end_turn();
    return session.take_output();
  }
  [[nodiscard]] bool holds_state() const {
    return std::ranges::any_of(machine.files.names(), [](const std::string& name) {
      return engine::journal::parse_file_name(name).has_value();
    });
  }
  [[nodiscard]] std::string expiring(std::int64_t ttl_ms) {
    const std::int64_t wall_ms = machine.clock().wall_us() / 1000 + ttl_ms;
    return bytes({0xFC}) + little(static_cast<std::uint64_t>(wall_ms), 8);
  }

  MemoryMachine machine;
  Config config;
  Log log;
  std::string summary;
};

TEST_F(DumpsAreImported, into_a_directory_that_a_server_starts_in) {
  EXPECT_EQ(import(expiring(60'000) + key(0, "lock", str("owner"))), "");
  machine.clock().advance_ms(10'000);
  EXPECT_EQ(after_start("GET lock"), "$5\r\nowner\r\n");
  EXPECT_EQ(after_start("PTTL lock"), ":50000\r\n");
}

TEST_F(DumpsAreImported, with_tokens_below_those_of_later_keys) {
  EXPECT_EQ(import(key(0, "lock", str("owner"))), "");
  Started started(config, log, machine);
  Session& session = started.core.open_session();
  session.feed("SET another x\r\nFENCE.TOKEN lock\r\nFENCE.TOKEN another\r\n");
  started.core.end_turn();
  const std::string said = session.take_output();
  const std::size_t first = said.find(':') + 1;
  const std::size_t second = said.find(':', first) + 1;
  EXPECT_GT(std::stoull(said.substr(first)), 0U);
  EXPECT_GT(std::stoull(said.substr(second)), std::stoull(said.substr(first)));
}

TEST_F(DumpsAreImported, with_function_libraries_and_scripts) {
  EXPECT_EQ(import(bytes({0xF5}) + str(library) + bytes({0xFA}) + str("lua") + str("return 5")),
            "");
  EXPECT_EQ(after_start("FCALL f 0"), ":7\r\n");
  EXPECT_EQ(after_start("EVALSHA 4ca238f611c9d0ae4e9a75a5dbac22aedc379801 0"), ":5\r\n");
}

TEST_F(DumpsAreImported, unless_a_library_does_not_load) {
  EXPECT_THAT(import(bytes({0xF5}) + str("#!lua name=x\nnonsense")), HasSubstr("does not load"));
  EXPECT_FALSE(holds_state());
}

TEST_F(DumpsAreImported, once) {
  EXPECT_EQ(import(key(0, "a", str("x"))), "");
  EXPECT_THAT(import(key(0, "a", str("x"))), HasSubstr("holds a state already"));
  EXPECT_EQ(after_start("DBSIZE"), ":1\r\n");
}

TEST_F(DumpsAreImported, only_where_no_server_has_run) {
  after_start("SET a b");
  EXPECT_THAT(import(key(0, "a", str("x"))), HasSubstr("holds a state already"));
}

TEST_F(DumpsAreImported, only_with_a_journal) {
  ASSERT_TRUE(config.assign("appendonly", "no"));
  EXPECT_THAT(import(""), HasSubstr("appendonly is no"));
}

TEST_F(DumpsAreImported, whole_or_not_at_all) {
  std::string content = rdb_bytes::file(key(0, "a", str("x")) + key(1, "li\nst", length(5)));
  EXPECT_EQ(import_bytes(content),
            "cannot read dump.rdb: not a kind of string, at offset 22, "
            "key \"li\\nst\"");
  EXPECT_FALSE(holds_state());
  EXPECT_EQ(import(key(0, "a", str("x"))), "");
}

// Every call that changes something on the disk fails once: then a server finds all or nothing.
TEST_F(DumpsAreImported, or_leave_nothing_whatever_fails) {
  std::string parts;
  for (int at = 0; at < 20; ++at)
    parts += key(0, std::to_string(at), str(std::string(100'000, 'x')));
  for (std::size_t call = 0;; ++call) {
    ASSERT_LT(call, 100U);
    machine.files = {};
    machine.files.fail_at(call, std::errc::no_space_on_device);
    const std::string reason = import(parts);
    const bool failed = machine.files.has_failed();
    machine.files.heal();
    if (!failed) break;
    EXPECT_THAT(reason, AnyOf(IsEmpty(), HasSubstr("cannot write the snapshot")));
    EXPECT_EQ(after_start("DBSIZE"), reason.empty() ? ":20\r\n" : ":0\r\n");
  }
  EXPECT_EQ(after_start("DBSIZE"), ":20\r\n");
}

TEST_F(DumpsAreImported, durably) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 20; ++round) {
    machine.files = {};
    EXPECT_EQ(import(key(0, "a", str("x"))), "");
    machine.files.crash(random);
    EXPECT_EQ(after_start("DBSIZE"), ":1\r\n");
  }
}

TEST_F(DumpsAreImported, and_the_summary_says_what_and_what_not) {
  EXPECT_EQ(
      import(bytes({0xFA}) + str("redis-ver") + str("7.0.15") + bytes({0xFE, 3}) +
             key(0, "s", str("x")) + key(0, "t", str("x")) + expiring(1000) +
             key(2, "m", length(1) + str("x")) + expiring(-1) + key(0, "o", str("x")) +
             key(15, "st", bytes({0, 0, 0, 0, 0})) + bytes({0xFE, 4}) + key(4, "h", length(0))),
      "");
  EXPECT_THAT(summary, HasSubstr("by Redis 7.0.15 in 0.00 s"));
  EXPECT_THAT(summary, HasSubstr("db3: 3 keys (2 strings, 1 set), 1 with a time to live; left out: "
                                 "1 overdue, 1 stream\n"));
  EXPECT_THAT(summary, HasSubstr("db4: left out: 1 empty\n"));
}

}  // namespace
}  // namespace server
