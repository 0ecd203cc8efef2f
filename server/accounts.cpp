#include "server/accounts.hpp"

#include "base/assert.hpp"
#include "commands/acl_clients.hpp"
#include "server/config.hpp"

namespace server {

namespace acl = commands::acl;

void add_configured_users(const Config& config, acl::Registry& registry) {
  registry.set_default_password(config.settings().requirepass);
  const acl::ChannelDefault channels = acl::channel_default(config.settings());
  for (const std::vector<std::string>& words : config.users()) {
    std::vector<std::string_view> views(words.begin(), words.end());
    // The default user is there already; Redis 7.0 resets it, which shows in its flags.
    if (views.front() == acl::default_name) views.insert(views.begin() + 1, "reset");
    auto user = acl::user_of_line(views, channels);
    ASSERT(user.has_value());  // the loader has checked it
    registry.put(std::move(*user));
  }
}

std::expected<void, std::string> load_users(const Config& config, commands::AclFile& file,
                                            acl::Registry& registry) {
  if (file.path().empty()) return {};
  if (!config.users().empty()) {
    return std::unexpected("users stand both in the configuration and in the aclfile " +
                           file.path() + ": keep one of the two");
  }
  const auto content = file.read();
  if (!content) return std::unexpected("aclfile " + file.path() + ": " + content.error());
  auto users = acl::users_of_file(*content, file.path(), acl::channel_default(config.settings()));
  if (!users) return std::unexpected(users.error());
  registry.replace_all(std::move(*users));
  return {};
}

std::vector<std::string> lines_of_users(const Config& config, const acl::Registry& registry) {
  if (!config.server().acl_file.empty()) return {};
  acl::Registry plain;
  plain.set_default_password(config.settings().requirepass);
  std::vector<std::string> lines = registry.describe();
  if (lines == plain.describe()) return {};
  return lines;
}

}  // namespace server
