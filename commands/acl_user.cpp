#include "commands/acl_user.hpp"

#include "commands/acl_password.hpp"
#include "commands/argument_reader.hpp"

#include <algorithm>
#include <utility>

namespace commands::acl {
namespace {

constexpr std::string_view password_signs = "><#!";

}  // namespace

User::User(std::string name, ChannelDefault channels)
    : name_(std::move(name)), selectors_{Selector(channels)} {}

RuleResult User::apply(std::string_view rule, ChannelDefault channels) {
  RuleResult applied = apply_one(rule, channels);
  is_unrestricted_ = std::ranges::any_of(
      selectors_, [](const Selector& selector) { return selector.allows_all(); });
  return applied;
}

RuleResult User::apply_one(std::string_view rule, ChannelDefault channels) {
  if (rule.empty() || apply_flag(rule)) return {};
  if (is_word(rule, "RESET")) {
    reset(channels);
    return {};
  }
  if (password_signs.find(rule.front()) != std::string_view::npos) return apply_password(rule);
  if (rule.starts_with('(') && rule.ends_with(')')) {
    return add_selector(rule.substr(1, rule.size() - 2), channels);
  }
  return selectors_.front().apply(rule);
}

bool User::apply_flag(std::string_view rule) {
  if (is_word(rule, "ON")) {
    is_on_ = true;
  } else if (is_word(rule, "OFF")) {
    is_on_ = false;
  } else if (is_word(rule, "NOPASS")) {
    needs_no_password_ = true;
    passwords_.clear();
  } else if (is_word(rule, "RESETPASS")) {
    needs_no_password_ = false;
    passwords_.clear();
  } else if (is_word(rule, "SANITIZE-PAYLOAD")) {
    sanitizing_ = Sanitizing::wanted;
  } else if (is_word(rule, "SKIP-SANITIZE-PAYLOAD")) {
    sanitizing_ = Sanitizing::skipped;
  } else if (is_word(rule, "CLEARSELECTORS")) {
    selectors_.erase(selectors_.begin() + 1, selectors_.end());
  } else {
    return false;
  }
  return true;
}

void User::reset(ChannelDefault channels) {
  *this = User(name_, channels);
  sanitizing_ = Sanitizing::wanted;
}

void User::add_password(std::string hash) {
  needs_no_password_ = false;
  if (std::ranges::find(passwords_, hash) == passwords_.end()) {
    passwords_.push_back(std::move(hash));
  }
}

RuleResult User::apply_password(std::string_view rule) {
  const char sign = rule.front();
  rule.remove_prefix(1);
  const bool is_hash = sign == '#' || sign == '!';
  if (is_hash && !is_password_hash(rule)) return std::unexpected(RuleError::bad_password_hash);
  std::string hash = is_hash ? std::string(rule) : hash_of_password(rule);
  if (sign == '>' || sign == '#') {
    add_password(std::move(hash));
  } else if (std::erase(passwords_, hash) == 0) {
    return std::unexpected(RuleError::no_such_password);
  }
  return {};
}

RuleResult User::add_selector(std::string_view rules, ChannelDefault channels) {
  Selector selector(channels);
  while (!rules.empty()) {
    const std::string_view rule = rules.substr(0, rules.find(' '));
    rules.remove_prefix(std::min(rule.size() + 1, rules.size()));
    if (rule.empty()) continue;
    if (auto applied = selector.apply(rule); !applied) return applied;
  }
  selectors_.push_back(std::move(selector));
  return {};
}

bool User::accepts(std::string_view password) const {
  if (!is_on_) return false;
  if (needs_no_password_) return true;
  const std::string hash = hash_of_password(password);
  return std::ranges::find(passwords_, hash) != passwords_.end();
}

Denial User::check(const CommandSpec& spec, std::span<const std::string_view> args) const {
  if (is_unrestricted_) return {};
  const Call call = read_call(spec, args);
  Denial furthest{Reason::command, 0};
  for (const Selector& selector : selectors_) {
    const Denial denial = selector.check(call);
    if (!denial) return {};
    const bool is_further =
        denial.reason > furthest.reason ||
        (denial.reason == furthest.reason && denial.position > furthest.position);
    if (is_further) furthest = denial;
  }
  return furthest;
}

bool User::allows_channel(std::string_view name, ChannelUse use) const {
  return std::ranges::any_of(
      selectors_, [&](const Selector& selector) { return selector.allows_channel(name, use); });
}

bool User::allows_reading_all_keys(const CommandSpec& spec,
                                   std::span<const std::string_view> args) const {
  if (is_unrestricted_) return true;
  const Call call = read_call(spec, args);
  return std::ranges::any_of(
      selectors_, [&](const Selector& selector) { return selector.allows_reading_all_keys(call); });
}

std::vector<std::string_view> User::flag_names() const {
  std::vector<std::string_view> names{is_on_ ? "on" : "off"};
  if (needs_no_password_) names.emplace_back("nopass");
  if (sanitizing_ == Sanitizing::skipped) names.emplace_back("skip-sanitize-payload");
  if (sanitizing_ == Sanitizing::wanted) names.emplace_back("sanitize-payload");
  return names;
}

std::string User::describe() const {
  std::string text = "user " + name_;
  for (const std::string_view name : flag_names()) text.append(" ").append(name);
  for (const std::string& hash : passwords_) text.append(" #").append(hash);
  text.append(" ").append(selectors_.front().describe());
  for (std::size_t i = 1; i < selectors_.size(); ++i) {
    text.append(" (").append(selectors_[i].describe()).append(")");
  }
  return text;
}

}  // namespace commands::acl
