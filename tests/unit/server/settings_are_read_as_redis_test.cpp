// Values and error texts as redis-server 7.0.15 gives them.
#include "server/config.hpp"
#include "server/config_table.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace server {
namespace {

class Settings : public testing::Test {
 protected:
  std::string set(std::vector<std::string_view> pairs) {
    const auto done = config.set(pairs);
    return done ? "OK" : done.error();
  }
  std::string get(std::string_view name) {
    const std::array globs{name};
    const auto found = config.get(globs);
    return found.size() == 1 ? found[0].second : "(" + std::to_string(found.size()) + " found)";
  }
  static std::string failed(const std::string& name, const std::string& reason) {
    return "ERR CONFIG SET failed (possibly related to argument '" + name + "') - " + reason;
  }

  Config config;
};

TEST_F(Settings, AreChangedAndShown) {
  EXPECT_EQ(set({"maxmemory", "1gb"}), "OK");
  EXPECT_EQ(get("maxmemory"), "1073741824");
  EXPECT_EQ(config.settings().memory_bytes_max, 1073741824U);
  EXPECT_EQ(set({"MAXMEMORY", "1k", "timeout", "5"}), "OK");
  EXPECT_EQ(get("MaxMemory"), "1000");
  EXPECT_EQ(config.server().idle_timeout_s, 5);
  EXPECT_EQ(set({"notify-keyspace-events", "KEA"}), "OK");
  EXPECT_EQ(get("notify-keyspace-events"), "AKE");
  EXPECT_EQ(set({"client-output-buffer-limit", "replica 0 0 0 pubsub 1mb 2mb 3"}), "OK");
  EXPECT_EQ(get("client-output-buffer-limit"), "normal 0 0 0 slave 0 0 0 pubsub 1048576 2097152 3");
  EXPECT_EQ(set({"save", "3600 1 300 100"}), "OK");
  EXPECT_EQ(get("save"), "3600 1 300 100");
  EXPECT_EQ(set({"save", ""}), "OK");
  EXPECT_EQ(get("save"), "");
}

TEST_F(Settings, HaveOlderNames) {
  EXPECT_EQ(set({"hash-max-ziplist-entries", "7"}), "OK");
  EXPECT_EQ(get("hash-max-listpack-entries"), "7");
  EXPECT_EQ(set({"lua-time-limit", "100"}), "OK");
  EXPECT_EQ(get("busy-reply-threshold"), "100");
  EXPECT_EQ(config.settings().script_time_limit_ms, 100);
  EXPECT_EQ(get("hash-max-*"), "(4 found)");
}

TEST_F(Settings, AreRefusedInRedisWords) {
  EXPECT_EQ(set({"foo", "bar"}),
            "ERR Unknown option or number of arguments for CONFIG SET - 'foo'");
  EXPECT_EQ(set({"maxmemory", "1", "foo"}), "ERR syntax error");
  EXPECT_EQ(set({"maxmemory", "abc"}), failed("maxmemory", "argument must be a memory value"));
  EXPECT_EQ(set({"maxmemory", "1.5gb"}), failed("maxmemory", "argument must be a memory value"));
  EXPECT_EQ(set({"maxmemory", "-1"}), failed("maxmemory", "argument must be a memory value"));
  EXPECT_EQ(set({"maxmemory", "1", "maxmemory", "2"}), failed("maxmemory", "duplicate parameter"));
  EXPECT_EQ(set({"timeout", "010"}),
            failed("timeout", "argument couldn't be parsed into an integer"));
  EXPECT_EQ(set({"timeout", "-1"}),
            failed("timeout", "argument must be between 0 and 2147483647 inclusive"));
  EXPECT_EQ(set({"protected-mode", "1"}),
            failed("protected-mode", "argument must be 'yes' or 'no'"));
  EXPECT_EQ(set({"loglevel", "foo"}),
            failed("loglevel",
                   "argument(s) must be one of the following: debug, verbose, notice, warning"));
  EXPECT_EQ(set({"databases", "4"}), failed("databases", "can't set immutable config"));
  EXPECT_EQ(set({"dir", "/"}), failed("dir", "can't set protected config"));
  EXPECT_EQ(set({"save", "1 2 3"}), failed("save", "Invalid save parameters"));
  EXPECT_EQ(
      set({"notify-keyspace-events", "Q"}),
      failed("notify-keyspace-events", "Invalid event class character. Use 'Ag$lshzxeKEtmdn'."));
  EXPECT_EQ(set({"client-output-buffer-limit", "foo"}),
            failed("client-output-buffer-limit",
                   "Wrong number of arguments in buffer limit configuration."));
  EXPECT_EQ(set({"client-output-buffer-limit", "foo 0 0 0"}),
            failed("client-output-buffer-limit",
                   "Invalid client class specified in buffer limit configuration."));
  EXPECT_EQ(set({"maxmemory-clients", "101%"}),
            failed("maxmemory-clients", "percentage argument must be less or equal to 100"));
  EXPECT_EQ(set({"client-query-buffer-limit", "10"}),
            failed("client-query-buffer-limit",
                   "argument must be between 1048576 and 9223372036854775807 inclusive"));
}

TEST_F(Settings, ChangeAllOrNone) {
  EXPECT_NE(set({"timeout", "5", "maxmemory", "abc"}), "OK");
  EXPECT_EQ(get("timeout"), "0");
  EXPECT_EQ(config.server().idle_timeout_s, 0);
}

TEST_F(Settings, GoBackWhenTheyCannotBeApplied) {
  std::vector<std::string> applied;
  config.on_change([&](std::string_view name) -> std::expected<void, std::string> {
    applied.push_back(std::string(name) + '=' + get(name));
    if (get(name) == "7") return std::unexpected("no");
    return {};
  });
  EXPECT_EQ(set({"tcp-keepalive", "5", "timeout", "7"}), failed("timeout", "no"));
  EXPECT_EQ(applied, (std::vector<std::string>{"tcp-keepalive=5", "timeout=7", "tcp-keepalive=300",
                                               "timeout=0"}));
}

TEST_F(Settings, OfRedisAreAllKnown) {
  // CONFIG GET * of redis-server 7.0.15 shows 192 names; five are our own.
  EXPECT_EQ(option_table().size(), 197U);
  for (const std::string_view name : {"aclfile", "tls-port", "zset-max-ziplist-value", "save",
                                      "latency-tracking-info-percentiles", "io-threads"}) {
    EXPECT_TRUE(find_option(name)) << name;
  }
}

TEST_F(Settings, HaveDefaultsThatTheyAccept) {
  for (const Option& option : option_table()) {
    Config fresh;
    EXPECT_TRUE(fresh.assign(option.name, option.default_value)) << option.name;
    EXPECT_EQ(fresh.text(*find_option(option.name)), option.default_value) << option.name;
  }
}

TEST_F(Settings, NamesThatAreMisspeltHaveANearest) {
  EXPECT_EQ(nearest_option("prot"), "port");
  EXPECT_EQ(nearest_option("maxmemmory"), "maxmemory");
  EXPECT_EQ(nearest_option("something-else-altogether"), "");
}

}  // namespace
}  // namespace server
