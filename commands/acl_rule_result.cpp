#include "commands/acl_rule_result.hpp"

#include "base/assert.hpp"

namespace commands::acl {

std::string_view text_of(RuleError error) {
  switch (error) {
    case RuleError::syntax:
      return "Syntax error";
    case RuleError::unknown_command:
      return "Unknown command or category name in ACL";
    case RuleError::first_argument_of_subcommand:
      return "Allowing first-arg of a subcommand is not supported";
    case RuleError::pattern_after_all_keys:
      return "Adding a pattern after the * pattern (or the 'allkeys' flag) is not valid and does "
             "not have any effect. Try 'resetkeys' to start with an empty list of patterns";
    case RuleError::pattern_after_all_channels:
      return "Adding a pattern after the * pattern (or the 'allchannels' flag) is not valid and "
             "does not have any effect. Try 'resetchannels' to start with an empty list of "
             "channels";
    case RuleError::no_such_password:
      return "The password you are trying to remove from the user does not exist";
    case RuleError::bad_password_hash:
      return "The password hash must be exactly 64 characters and contain only lowercase "
             "hexadecimal characters";
  }
  ASSERT(false && "a rule error without a text");
}

}  // namespace commands::acl
