// Which commands a selector lets run. Grammar of one rule:
//
//   "+" name | "+" container "|" subcommand | "+" name "|" first-argument | "+@" category | "+@all"
//   "-" name | "-" container "|" subcommand | "-@" category | "-@all"
//
// A command that lost its permission may keep single first arguments ("+select|0").
#pragma once

#include "commands/acl_command_index.hpp"
#include "commands/acl_rule_result.hpp"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace commands::acl {

class CommandRules {
 public:
  // `rule` begins with '+' or '-'.
  RuleResult apply(std::string_view rule);
  void allow_all();
  void allow_none();

  [[nodiscard]] bool allows(const CommandSpec& spec, std::span<const std::string_view> args) const;
  // Whatever the table holds or will hold.
  [[nodiscard]] bool allows_all() const { return is_open_ && allowed_ == all_commands(); }
  // The rules that lead from nothing to this: begins with "+@all" or "-@all" (whether commands
  // unknown today are allowed), then the categories that fit best, then single commands in the
  // order of the table.
  [[nodiscard]] std::string describe() const;

 private:
  enum class Sign : std::uint8_t { plus, minus };

  RuleResult apply_category(Sign sign, std::string_view name);
  RuleResult apply_command(Sign sign, std::string_view name);
  RuleResult allow_first_argument(std::string_view name, std::string_view argument);
  void change(Sign sign, const CommandSet& set);

  CommandSet allowed_;
  bool is_open_ = false;  // the last rule on @all was "+@all"
  // By number of the command; not empty.
  std::map<std::size_t, std::vector<std::string>> first_arguments_;
};

}  // namespace commands::acl
