// requirepass, `user` lines and the aclfile: who there is when the server starts, and what CONFIG
// REWRITE keeps.
#include "server/accounts.hpp"
#include "server/config.hpp"
#include "server/config_loader.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace server {
namespace {

using Lines = std::vector<std::string>;

// A file in memory.
class FileOfUsers final : public commands::AclFile {
 public:
  explicit FileOfUsers(const Config& config) : config_(config) {}
  [[nodiscard]] std::string path() const override { return config_.server().acl_file; }
  [[nodiscard]] std::expected<std::string, std::string> read() override {
    if (is_missing) return std::unexpected("No such file or directory");
    return content;
  }
  [[nodiscard]] std::expected<void, std::string> write(std::string_view text) override {
    content = text;
    return {};
  }

  std::string content;
  bool is_missing = false;

 private:
  const Config& config_;
};

class ConfiguredUsers : public ::testing::Test {
 protected:
  std::string start(std::string_view settings) {
    const auto loaded = load_config_text(config, settings, "file");
    if (!loaded) return loaded.error().message();
    add_configured_users(config, registry);
    const auto users = load_users(config, file, registry);
    return users ? "ok" : users.error();
  }
  Lines rewritten() { return lines_of_users(config, registry); }

  Config config;
  FileOfUsers file{config};
  commands::acl::Registry registry;
};

constexpr const char* plain_default = "user default on nopass ~* &* +@all";

TEST_F(ConfiguredUsers, WithoutSettingsThereIsTheDefaultUser) {
  EXPECT_EQ(start(""), "ok");
  EXPECT_EQ(registry.describe(), Lines{plain_default});
  EXPECT_FALSE(registry.needs_login());
  EXPECT_EQ(rewritten(), Lines{});
}

TEST_F(ConfiguredUsers, RequirepassIsTheDefaultUsersPassword) {
  EXPECT_EQ(start("requirepass secret\n"), "ok");
  EXPECT_TRUE(registry.needs_login());
  EXPECT_TRUE(registry.default_user()->accepts("secret"));
  EXPECT_FALSE(registry.default_user()->accepts("secre"));
  EXPECT_EQ(rewritten(), Lines{});
}

TEST_F(ConfiguredUsers, LinesWinOverRequirepass) {
  EXPECT_EQ(start("user default on nopass +get\nrequirepass secret\nuser alice on (~a +get)\n"),
            "ok");
  const Lines lines{"user alice on resetchannels -@all (~a resetchannels -@all +get)",
                    "user default on nopass sanitize-payload resetchannels -@all +get"};
  EXPECT_EQ(registry.describe(), lines);
  EXPECT_EQ(rewritten(), lines);
}

TEST_F(ConfiguredUsers, ChannelsAreOpenWhereTheSettingSaysSo) {
  EXPECT_EQ(start("user alice on\nacl-pubsub-default allchannels\n"), "ok");
  EXPECT_EQ(registry.describe(), (Lines{"user alice on &* -@all", plain_default}));
}

TEST_F(ConfiguredUsers, AFileHoldsThemAll) {
  file.content = "user alice on\n";
  EXPECT_EQ(start("aclfile users.acl\nrequirepass secret\n"), "ok");
  EXPECT_EQ(registry.describe(), (Lines{"user alice on resetchannels -@all", plain_default}));
  EXPECT_EQ(rewritten(), Lines{});
}

TEST_F(ConfiguredUsers, FileAndLinesExcludeEachOther) {
  EXPECT_EQ(start("aclfile users.acl\nuser alice on\n"),
            "users stand both in the configuration and in the aclfile users.acl: keep one of the "
            "two");
}

TEST_F(ConfiguredUsers, AFileMustBeThereAndRight) {
  file.is_missing = true;
  EXPECT_EQ(start("aclfile users.acl\n"), "aclfile users.acl: No such file or directory");
  file.is_missing = false;
  file.content = "user alice foo\n";
  EXPECT_EQ(start(""),
            "users.acl:1: Syntax error. WARNING: ACL errors detected, no change to the previously "
            "active ACL rules was performed");
}

}  // namespace
}  // namespace server
