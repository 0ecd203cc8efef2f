// A user: whether and how it may log in, and its selectors. A client holds the user it acts for; a
// change takes effect for every such client at once, so it is made on a copy and assigned as a
// whole.
//
//   rule = "on" | "off" | "nopass" | "resetpass" | ">"password | "<"password | "#"hash | "!"hash
//        | "sanitize-payload" | "skip-sanitize-payload" | "reset" | "clearselectors"
//        | "(" selector rule { " " selector rule } ")" | selector rule (acl_selector.hpp)
#pragma once

#include "commands/acl_denial.hpp"
#include "commands/acl_rule_result.hpp"
#include "commands/acl_selector.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace commands::acl {

class User {
 public:
  User(std::string name, ChannelDefault channels);

  RuleResult apply(std::string_view rule, ChannelDefault channels);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool is_on() const { return is_on_; }
  [[nodiscard]] bool needs_no_password() const { return needs_no_password_; }
  [[nodiscard]] bool accepts(std::string_view password) const;

  // Every command, key and channel: nothing needs to be looked up.
  [[nodiscard]] bool is_unrestricted() const { return is_unrestricted_; }
  // Of several selectors that refuse, the one that got furthest says why.
  [[nodiscard]] Denial check(const CommandSpec& spec, std::span<const std::string_view> args) const;
  [[nodiscard]] bool allows_channel(std::string_view name, ChannelUse use) const;
  // SORT's BY and GET read keys that no pattern names beforehand.
  [[nodiscard]] bool allows_reading_all_keys(const CommandSpec& spec,
                                             std::span<const std::string_view> args) const;

  [[nodiscard]] std::vector<std::string_view> flag_names() const;
  [[nodiscard]] const std::vector<std::string>& password_hashes() const { return passwords_; }
  // The first is the user's own.
  [[nodiscard]] const std::vector<Selector>& selectors() const { return selectors_; }
  // "user alice on … ~a* resetchannels -@all +get": what ACL LIST shows and files keep.
  [[nodiscard]] std::string describe() const;

 private:
  enum class Sanitizing : std::uint8_t { unsaid, skipped, wanted };

  RuleResult apply_one(std::string_view rule, ChannelDefault channels);
  bool apply_flag(std::string_view rule);
  RuleResult apply_password(std::string_view rule);
  RuleResult add_selector(std::string_view rules, ChannelDefault channels);
  void reset(ChannelDefault channels);
  void add_password(std::string hash);

  std::string name_;
  std::vector<std::string> passwords_;  // hashes, in order
  std::vector<Selector> selectors_;
  bool is_on_ = false;
  bool needs_no_password_ = false;
  bool is_unrestricted_ = false;
  Sanitizing sanitizing_ = Sanitizing::unsaid;
};

}  // namespace commands::acl
