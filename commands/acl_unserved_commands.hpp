// Commands of Redis 7.0 that are not served and never will be, with their ACL categories: rules may
// name them, so that files of users written by Redis load, and what sums up a user's rules reads as
// there. They permit nothing.
#pragma once

#include <span>
#include <string_view>

namespace commands::acl {

struct UnservedCommand {
  std::string_view name;        // lower case, "xgroup|create"; containers before their subcommands
  std::string_view categories;  // separated by single spaces
};

[[nodiscard]] std::span<const UnservedCommand> unserved_commands();

}  // namespace commands::acl
