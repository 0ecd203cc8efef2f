// The outcome of one ACL rule: nothing, or why it is refused. The texts are Redis 7.0's.
#pragma once

#include <cstdint>
#include <expected>
#include <string_view>

namespace commands::acl {

enum class RuleError : std::uint8_t {
  syntax,
  unknown_command,  // or category
  first_argument_of_subcommand,
  pattern_after_all_keys,
  pattern_after_all_channels,
  no_such_password,
  bad_password_hash
};
using RuleResult = std::expected<void, RuleError>;

[[nodiscard]] std::string_view text_of(RuleError error);

}  // namespace commands::acl
