// Numbers the commands that rules may name, containers and subcommands alike, so that what a user
// may run is a set of bits; and the ACL categories as such sets. Built once, from the command table
// and from the list of what is not served (acl_unserved_commands.hpp).
#pragma once

#include "commands/command_spec.hpp"

#include <bitset>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace commands::acl {

inline constexpr std::size_t commands_max = 1024;
using CommandSet = std::bitset<commands_max>;

struct KnownCommand {
  std::string name;  // lower case: "get", "client|list"
  CommandSet reach;  // itself and, of a container, its subcommands
  std::size_t number = 0;
  bool is_served = true;
  bool has_subcommands = false;
};

// By number; each container comes before its subcommands.
[[nodiscard]] std::span<const KnownCommand> known_commands();
[[nodiscard]] std::size_t number_of(const CommandSpec& spec);
[[nodiscard]] const CommandSet& all_commands();
// Those that Redis 7.0 has, too: how well a category fits is counted by them alone.
[[nodiscard]] const CommandSet& shared_commands();
// "get" or "client|list", any letter case; null when there is none.
[[nodiscard]] const KnownCommand* find_named(std::string_view name);

// Redis' categories in the order of ACL CAT.
[[nodiscard]] std::span<const std::string_view> category_names();
// Any letter case.
[[nodiscard]] std::optional<std::size_t> find_category(std::string_view name);
// The commands that belong to it, by position in category_names().
[[nodiscard]] const CommandSet& category(std::size_t position);
// What a rule on the category changes: those, with all subcommands of the containers among them.
[[nodiscard]] const CommandSet& category_reach(std::size_t position);

}  // namespace commands::acl
