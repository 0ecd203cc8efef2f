// Users between the settings and the registry: `user` lines, requirepass, aclfile.
#pragma once

#include "commands/acl_registry.hpp"
#include "commands/server_control.hpp"

#include <expected>
#include <string>
#include <vector>

namespace server {

class Config;

// requirepass first, then `user` lines, which win.
void add_configured_users(const Config& config, commands::acl::Registry& registry);
// Of the aclfile, in place of all; without one, nothing happens.
[[nodiscard]] std::expected<void, std::string> load_users(const Config& config,
                                                          commands::AclFile& file,
                                                          commands::acl::Registry& registry);
// What CONFIG REWRITE writes: none when a file holds the users, or when requirepass says it all.
[[nodiscard]] std::vector<std::string> lines_of_users(const Config& config,
                                                      const commands::acl::Registry& registry);

}  // namespace server
