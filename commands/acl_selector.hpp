// One set of permissions: commands, keys, channels. A user has one of its own and any number of
// further ones; a call is allowed when one of them alone allows all of it.
//
//   rule = command rule (acl_command_rules.hpp) | "allcommands" | "nocommands"
//        | "~"glob | "%R~"glob | "%W~"glob | "%RW~"glob | "allkeys" | "resetkeys"
//        | "&"glob | "allchannels" | "resetchannels"
//        | "%lock~"glob      the locks of that name and all that is derived from it
//                            (acl_lock_names.hpp), keys and channels; "resetkeys" takes it back
#pragma once

#include "commands/acl_command_rules.hpp"
#include "commands/acl_denial.hpp"
#include "commands/acl_rule_result.hpp"
#include "commands/call_names.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace commands::acl {

enum class ChannelDefault : std::uint8_t { none, all };  // acl-pubsub-default

// What a call does, read once for all selectors.
struct Call {
  const CommandSpec& spec;
  std::span<const std::string_view> args;
  std::vector<CallKey> keys;
  CallChannels channels;
};
[[nodiscard]] Call read_call(const CommandSpec& spec, std::span<const std::string_view> args);

class Selector {
 public:
  explicit Selector(ChannelDefault channels) : all_channels_(channels == ChannelDefault::all) {}

  RuleResult apply(std::string_view rule);
  [[nodiscard]] Denial check(const Call& call) const;
  [[nodiscard]] bool allows_channel(std::string_view name, ChannelUse use) const;
  [[nodiscard]] bool allows_all() const {
    return all_keys_ && all_channels_ && commands_.allows_all();
  }
  // Its commands, and all keys for reading: what SORT needs for BY and GET.
  [[nodiscard]] bool allows_reading_all_keys(const Call& call) const;

  [[nodiscard]] std::string describe_keys() const;      // "~a* %R~b*", may be empty
  [[nodiscard]] std::string describe_channels() const;  // "&a*", may be empty
  [[nodiscard]] std::string describe_commands() const { return commands_.describe(); }
  [[nodiscard]] std::string describe() const;

 private:
  enum Access : std::uint8_t { no_access = 0, read = 1, write = 2, read_write = 3 };
  struct KeyPattern {
    std::string glob;
    std::uint8_t access;
  };

  RuleResult add_key_pattern(std::string_view rule);
  RuleResult add_channel_pattern(std::string_view glob);
  RuleResult add_lock_pattern(std::string_view glob);
  [[nodiscard]] bool allows_key(std::string_view name, std::uint16_t access) const;

  CommandRules commands_;
  std::vector<KeyPattern> keys_;       // in order; globs are distinct
  std::vector<std::string> locks_;     // globs
  std::vector<std::string> channels_;  // globs
  bool all_keys_ = false;
  bool all_channels_;
};

}  // namespace commands::acl
