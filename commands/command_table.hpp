// All families merged and sorted at compile time, and the questions asked of a row.
#pragma once

#include "commands/command_spec.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace commands {

// Sorted by name.
[[nodiscard]] std::span<const CommandSpec> command_table();
// Index into the table, any letter case; -1 when there is none.
[[nodiscard]] int find_command(std::string_view name);
// The subcommand's row; null when there is none. Any letter case.
[[nodiscard]] const CommandSpec* find_subcommand(const CommandSpec& container,
                                                 std::string_view name);

// The row whose subcommand this is; null for a row of the table.
[[nodiscard]] const CommandSpec* container_of(const CommandSpec& spec);
// "get", "client|list": the name in replies and errors.
[[nodiscard]] std::string full_name(const CommandSpec& spec);
// Of a subcommand: its container's.
[[nodiscard]] Group group_of(const CommandSpec& spec);
[[nodiscard]] bool arity_fits(const CommandSpec& spec, std::size_t arguments);

// Indices of the key arguments, nullopt when the arguments do not fit the row (bad numkeys).
[[nodiscard]] std::optional<std::vector<std::size_t>> key_positions(
    const CommandSpec& spec, std::span<const std::string_view> args);
// Names of the flags as COMMAND shows them, and the derived ACL categories ("@write" …).
[[nodiscard]] std::vector<std::string_view> flag_names(const CommandSpec& spec);
[[nodiscard]] std::vector<std::string_view> acl_categories(const CommandSpec& spec);

}  // namespace commands
