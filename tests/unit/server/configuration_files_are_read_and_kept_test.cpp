#include "server/config.hpp"
#include "server/config_loader.hpp"
#include "server/config_rewrite.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace server {
namespace {

std::string loading(Config& config, std::string_view content) {
  const auto loaded = load_config_text(config, content, "file");
  return loaded ? "ok" : loaded.error().message();
}

std::string arguments(Config& config, const std::vector<std::string>& words) {
  const auto loaded = load_arguments(config, words);
  return loaded ? "ok" : loaded.error().message();
}

TEST(ConfigurationFiles, HaveQuotesCommentsAndAnyLetterCase) {
  Config config;
  EXPECT_EQ(loading(config, "# c\n  PORT 7000\n\nrequirepass \"a \\\"b\"\nbind 127.0.0.1 -::1\r\n"),
            "ok");
  EXPECT_EQ(config.server().port, 7000);
  EXPECT_EQ(config.settings().requirepass, "a \"b");
  EXPECT_EQ(config.server().addresses, (std::vector<std::string>{"127.0.0.1", "-::1"}));
}

TEST(ConfigurationFiles, SavePointsAddUp) {
  Config config;
  EXPECT_EQ(loading(config, "save 900 1\nsave 300 10\n"), "ok");
  EXPECT_EQ(config.text(*find_option("save")), "900 1 300 10");
  EXPECT_EQ(loading(config, "save 900 1\nsave \"\"\nsave 60 1\n"), "ok");
  EXPECT_EQ(config.text(*find_option("save")), "60 1");
}

TEST(ConfigurationFiles, ErrorsNamePlaceAndRemedy) {
  Config config;
  EXPECT_EQ(loading(config, "port 1\nprot 7000\n"),
            "file:2: unknown option 'prot', did you mean 'port'?");
  EXPECT_EQ(loading(config, "maxmemory abc\n"),
            "file:1: 'maxmemory abc': argument must be a memory value");
  EXPECT_EQ(loading(config, "port 1 2\n"), "file:1: 'port 1 2': wrong number of arguments");
  EXPECT_EQ(loading(config, "bind \"a\n"), "file:1: unbalanced quotes in 'bind \"a'");
  EXPECT_EQ(loading(config, "user\n"), "file:1: 'user': a name and rules must follow");
  EXPECT_EQ(loading(config, "user alice on +nothing\n"),
            "file:1: 'user': '+nothing': Unknown command or category name in ACL");
  EXPECT_EQ(loading(config, "user alice on (+get\n"),
            "file:1: 'user': unmatched parenthesis in the selector that begins with '(+get'");
  EXPECT_EQ(loading(config, "user \"a b\" on\n"),
            "file:1: 'user': the name contains spaces or null characters");
  EXPECT_EQ(loading(config, "user alice on\nuser alice off\n"),
            "file:2: 'user': 'alice' is defined twice");
  EXPECT_EQ(loading(config, "=\n"), "file:1: unknown option '='");
  EXPECT_EQ(loading(config, "port 1\ninclude /nonexistent/file.conf\n"),
            "file:2: 'include /nonexistent/file.conf': can't open config file: No such file or "
            "directory");
  const auto missing = load_config_file(config, "/nonexistent/file.conf");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().message(),
            "/nonexistent/file.conf: can't open config file: No such file or directory");
  EXPECT_FALSE(missing.error().hint.empty());
}

TEST(ConfigurationFiles, OptionsWithoutMeaningAreNoted) {
  Config config;
  EXPECT_EQ(
      loading(config, "hz 20\nsave \"\"\nappendonly no\nrdbchecksum no\nloadmodule x\nhz 30\n"),
      "ok");
  const auto noted = config.without_meaning();
  EXPECT_EQ(std::vector<std::string>(noted.begin(), noted.end()),
            (std::vector<std::string>{"hz", "rdbchecksum", "loadmodule"}));
  EXPECT_EQ(config.text(*find_option("hz")), "30");
}

TEST(Arguments, AreOptionsWithSeveralValues) {
  Config config;
  EXPECT_EQ(arguments(config, {"--port", "7000", "--save", "", "--appendonly", "no", "--bind",
                               "127.0.0.1", "-::1"}),
            "ok");
  EXPECT_EQ(config.server().port, 7000);
  EXPECT_EQ(config.server().addresses.size(), 2U);
  EXPECT_TRUE(config.without_meaning().empty());
}

TEST(Arguments, MayHoldSeveralWordsInOne) {
  Config config;
  EXPECT_EQ(arguments(config, {"--port 7000", "--save", "900 1 300 10",
                               "--client-output-buffer-limit", "pubsub 1 2 3"}),
            "ok");
  EXPECT_EQ(config.server().port, 7000);
  EXPECT_EQ(config.text(*find_option("save")), "900 1 300 10");
}

// Redis 7.0: whatever follows an option without a value is its value, save excepted.
TEST(Arguments, MayLookLikeOptions) {
  Config config;
  EXPECT_EQ(arguments(config, {"--requirepass", "--abc", "--save", "--port", "7000"}), "ok");
  EXPECT_EQ(config.settings().requirepass, "--abc");
  EXPECT_EQ(config.server().port, 7000);
  EXPECT_EQ(config.text(*find_option("save")), "");
}

TEST(Arguments, AreRefusedWithTheirName) {
  Config config;
  EXPECT_EQ(arguments(config, {"--foo", "bar"}), "command line: unknown option 'foo'");
  EXPECT_EQ(arguments(config, {"--port"}), "command line: 'port': wrong number of arguments");
  EXPECT_EQ(arguments(config, {"--port", "99999"}),
            "command line: 'port 99999': argument must be between 0 and 65535 inclusive");
  EXPECT_EQ(arguments(config, {"-port", "7000"}), "command line: unexpected argument '-port'");
}

TEST(RewrittenFiles, KeepCommentsAndOrder) {
  Config config;
  const std::string before =
      "# ports\nport 7000\n\n# memory\nmaxmemory 1gb\nrename-command A B\nsave 1 1\nsave 2 2\n";
  ASSERT_EQ(loading(config, before), "ok");
  ASSERT_TRUE(config.assign("maxmemory", "2gb"));
  ASSERT_TRUE(config.assign("requirepass", "a b"));
  EXPECT_EQ(rewritten_config(before, config),
            "# ports\nport 7000\n\n# memory\nmaxmemory 2147483648\nrename-command A B\nsave 1 1\n"
            "save 2 2\n# Generated by CONFIG REWRITE\nrequirepass \"a b\"\n");
}

TEST(RewrittenFiles, HoldTheUsersThereAre) {
  Config config;
  const std::string before = "port 7000\nuser alice on\n# c\nUSER bob off\ntimeout 1\n";
  ASSERT_EQ(loading(config, before), "ok");
  EXPECT_EQ(rewritten_config(before, config), before);
  config.set_users_source([] {
    return std::vector<std::string>{"user alice on #aa ~\"q ~a (~b +get)", "user  off -@all"};
  });
  const std::string lines = "user alice on #aa \"~\\\"q\" ~a (~b +get)\nuser \"\" off -@all\n";
  EXPECT_EQ(rewritten_config(before, config), "port 7000\n" + lines + "# c\ntimeout 1\n");
  EXPECT_EQ(rewritten_config("port 7000\n", config),
            "port 7000\n# Generated by CONFIG REWRITE\n"
            "timeout 1\n" +
                lines);
}

TEST(RewrittenFiles, ReadTheSame) {
  Config config;
  ASSERT_EQ(
      loading(config, "bind 127.0.0.1 -::1\nclient-output-buffer-limit pubsub 1 2 3\nsave \"\"\n"),
      "ok");
  ASSERT_TRUE(config.assign("masterauth", std::string("x\0\n\"", 4)));
  Config again;
  ASSERT_EQ(loading(again, rewritten_config("", config)), "ok");
  for (std::size_t i = 0; i < option_table().size(); ++i) {
    EXPECT_EQ(again.text(i), config.text(i)) << option_table()[i].name;
  }
}

TEST(RewrittenFiles, NeedAFile) {
  Config config;
  const auto rewritten = config.rewrite();
  ASSERT_FALSE(rewritten);
  EXPECT_EQ(rewritten.error(), "ERR The server is running without a config file");
}

TEST(RewrittenFiles, ADirectoryInThePlaceOfTheFileIsAnError) {
  const auto rewritten = rewrite_config_file("/", Config());
  ASSERT_FALSE(rewritten);
  EXPECT_EQ(rewritten.error(), "Is a directory");
}

}  // namespace
}  // namespace server
