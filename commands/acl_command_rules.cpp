#include "commands/acl_command_rules.hpp"

#include "commands/argument_reader.hpp"

#include <algorithm>
#include <optional>

namespace commands::acl {
namespace {

// Rules on categories that turn one set of commands into another as far as categories fit.
class CategoryFit {
 public:
  CategoryFit(const CommandSet& wanted, bool starts_open)
      : open_(wanted), starts_open_(starts_open) {
    if (starts_open) reached_ = all_commands();
  }

  // Applies the best category left; nullopt when none has more commands in common with what is
  // wanted than not.
  std::optional<std::size_t> next() {
    std::optional<std::size_t> best;
    std::size_t fewest_wrong = commands_max;
    std::size_t most_right = 0;
    for (std::size_t i = 0; i < category_names().size(); ++i) {
      if (used_.test(i)) continue;
      const CommandSet counted = category(i) & shared_commands();
      const std::size_t on = (counted & open_).count();
      const std::size_t off = counted.count() - on;
      const std::size_t wrong = starts_open_ ? on : off;
      const std::size_t right = starts_open_ ? off : on;
      if (right <= wrong || wrong > fewest_wrong) continue;
      if (wrong == fewest_wrong && right <= most_right) continue;
      best = i;
      fewest_wrong = wrong;
      most_right = right;
    }
    if (best) take(*best);
    return best;
  }

  [[nodiscard]] const CommandSet& reached() const { return reached_; }

 private:
  // What a category has settled counts no more.
  void take(std::size_t position) {
    used_.set(position);
    const CommandSet& reach = category_reach(position);
    if (starts_open_) {
      reached_ &= ~reach;
      open_ |= reach;
    } else {
      reached_ |= reach;
      open_ &= ~reach;
    }
  }

  CommandSet open_;  // what is wanted of the commands that no category has settled
  CommandSet reached_;
  bool starts_open_;
  std::bitset<64> used_;
};

}  // namespace

void CommandRules::allow_all() {
  allowed_ = all_commands();
  is_open_ = true;
  first_arguments_.clear();
}

void CommandRules::allow_none() {
  allowed_.reset();
  is_open_ = false;
  first_arguments_.clear();
}

void CommandRules::change(Sign sign, const CommandSet& set) {
  if (sign == Sign::plus) {
    allowed_ |= set;
  } else {
    allowed_ &= ~set;
  }
  std::erase_if(first_arguments_, [&](const auto& entry) { return set.test(entry.first); });
}

RuleResult CommandRules::apply(std::string_view rule) {
  const Sign sign = rule.front() == '+' ? Sign::plus : Sign::minus;
  rule.remove_prefix(1);
  if (rule.starts_with('@')) return apply_category(sign, rule.substr(1));
  return apply_command(sign, rule);
}

RuleResult CommandRules::apply_category(Sign sign, std::string_view name) {
  if (is_word(name, "ALL")) {
    if (sign == Sign::plus) {
      allow_all();
    } else {
      allow_none();
    }
    return {};
  }
  const auto position = find_category(name);
  if (!position) return std::unexpected(RuleError::unknown_command);
  change(sign, category_reach(*position));
  return {};
}

RuleResult CommandRules::apply_command(Sign sign, std::string_view name) {
  if (const KnownCommand* command = find_named(name)) {
    change(sign, command->reach);
    return {};
  }
  const std::size_t bar = name.rfind('|');
  if (bar == std::string_view::npos || sign == Sign::minus) {
    return std::unexpected(RuleError::unknown_command);
  }
  return allow_first_argument(name.substr(0, bar), name.substr(bar + 1));
}

RuleResult CommandRules::allow_first_argument(std::string_view name, std::string_view argument) {
  const KnownCommand* command = find_named(name);
  if (command == nullptr) return std::unexpected(RuleError::unknown_command);
  if (argument.empty()) return std::unexpected(RuleError::syntax);
  if (name.find('|') != std::string_view::npos) {
    return std::unexpected(RuleError::first_argument_of_subcommand);
  }
  if (command->has_subcommands) return std::unexpected(RuleError::unknown_command);
  std::vector<std::string>& known = first_arguments_[command->number];
  const bool is_known = std::ranges::any_of(
      known, [&](const std::string& one) { return lower_case(one) == lower_case(argument); });
  if (!is_known) known.emplace_back(argument);
  return {};
}

bool CommandRules::allows(const CommandSpec& spec, std::span<const std::string_view> args) const {
  if (spec.flags.has(flag::no_auth)) return true;
  const std::size_t number = number_of(spec);
  if (allowed_.test(number)) return true;
  const auto found = first_arguments_.find(number);
  if (found == first_arguments_.end() || args.size() < 2) return false;
  return std::ranges::any_of(found->second, [&](const std::string& one) {
    return lower_case(one) == lower_case(args[1]);
  });
}

std::string CommandRules::describe() const {
  std::string text = is_open_ ? "+@all" : "-@all";
  CategoryFit fit(allowed_, is_open_);
  while (const auto position = fit.next()) {
    text.append(is_open_ ? " -@" : " +@").append(category_names()[*position]);
  }
  CommandSet reached = fit.reached();
  for (const KnownCommand& command : known_commands()) {
    const bool is_allowed = allowed_.test(command.number);
    if (is_allowed != reached.test(command.number)) {
      text.append(is_allowed ? " +" : " -").append(command.name);
      reached = is_allowed ? reached | command.reach : reached & ~command.reach;
    }
    const auto arguments = first_arguments_.find(command.number);
    if (is_allowed || arguments == first_arguments_.end()) continue;
    for (const std::string& argument : arguments->second) {
      text.append(" +").append(command.name).append("|").append(argument);
    }
  }
  return text;
}

}  // namespace commands::acl
