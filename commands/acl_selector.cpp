#include "commands/acl_selector.hpp"

#include "base/glob.hpp"
#include "commands/acl_lock_names.hpp"
#include "commands/argument_reader.hpp"

#include <algorithm>

namespace commands::acl {
namespace {

constexpr std::string_view lock_rule = "%LOCK~";

// Separators of ACL files would tear such a pattern apart.
bool has_separator(std::string_view text) {
  constexpr std::string_view separators(" \t\n\v\f\r\0", 7);
  return text.find_first_of(separators) != std::string_view::npos;
}

bool is_lock_rule(std::string_view rule) {
  return is_word(rule.substr(0, lock_rule.size()), lock_rule);
}

void add_word(std::string& text, std::string_view word) {
  if (word.empty()) return;
  if (!text.empty()) text += ' ';
  text += word;
}

}  // namespace

Call read_call(const CommandSpec& spec, std::span<const std::string_view> args) {
  Call call{spec, args, {}, channels_of(spec, args)};
  if (!has_keys(spec)) return call;
  // Keys that cannot be found are none: the command itself refuses such arguments.
  if (auto keys = keys_of(spec, args)) call.keys = std::move(*keys);
  return call;
}

RuleResult Selector::apply(std::string_view rule) {
  if (is_word(rule, "ALLKEYS") || rule == "~*") {
    all_keys_ = true;
    keys_.clear();
  } else if (is_word(rule, "RESETKEYS")) {
    all_keys_ = false;
    keys_.clear();
    locks_.clear();
  } else if (is_word(rule, "ALLCHANNELS") || rule == "&*") {
    all_channels_ = true;
    channels_.clear();
  } else if (is_word(rule, "RESETCHANNELS")) {
    all_channels_ = false;
    channels_.clear();
  } else if (is_word(rule, "ALLCOMMANDS")) {
    commands_.allow_all();
  } else if (is_word(rule, "NOCOMMANDS")) {
    commands_.allow_none();
  } else if (is_lock_rule(rule)) {
    return add_lock_pattern(rule.substr(lock_rule.size()));
  } else if (rule.starts_with('~') || rule.starts_with('%')) {
    return add_key_pattern(rule);
  } else if (rule.starts_with('&')) {
    return add_channel_pattern(rule.substr(1));
  } else if (rule.starts_with('+') || rule.starts_with('-')) {
    return commands_.apply(rule);
  } else {
    return std::unexpected(RuleError::syntax);
  }
  return {};
}

RuleResult Selector::add_key_pattern(std::string_view rule) {
  if (all_keys_) return std::unexpected(RuleError::pattern_after_all_keys);
  std::uint8_t access = rule.front() == '~' ? read_write : no_access;
  const bool has_letters = access == no_access;
  rule.remove_prefix(1);
  // Redis takes "%R" without "~" for an empty pattern.
  while (has_letters && !rule.empty()) {
    const char letter = rule.front();
    rule.remove_prefix(1);
    if (letter == '~') break;
    const bool reads = letter == 'R' || letter == 'r';
    const bool writes = letter == 'W' || letter == 'w';
    const std::uint8_t bit = reads ? read : write;
    if ((!reads && !writes) || (access & bit) != 0) return std::unexpected(RuleError::syntax);
    access |= bit;
  }
  if (access == no_access || has_separator(rule)) return std::unexpected(RuleError::syntax);
  const auto known = std::ranges::find(keys_, rule, &KeyPattern::glob);
  if (known != keys_.end()) {
    known->access |= access;
  } else {
    keys_.push_back({std::string(rule), access});
  }
  return {};
}

RuleResult Selector::add_channel_pattern(std::string_view glob) {
  if (all_channels_) return std::unexpected(RuleError::pattern_after_all_channels);
  if (has_separator(glob)) return std::unexpected(RuleError::syntax);
  if (std::ranges::find(channels_, glob) == channels_.end()) channels_.emplace_back(glob);
  return {};
}

// Beside "~*" it still opens channels.
RuleResult Selector::add_lock_pattern(std::string_view glob) {
  if (glob.empty() || has_separator(glob)) return std::unexpected(RuleError::syntax);
  if (std::ranges::find(locks_, glob) == locks_.end()) locks_.emplace_back(glob);
  return {};
}

bool Selector::allows_key(std::string_view name, std::uint16_t access) const {
  if (all_keys_) return true;
  constexpr std::uint16_t changes = key_access::insert | key_access::del | key_access::update;
  std::uint8_t needed = no_access;
  if ((access & key_access::access) != 0) needed |= read;
  if ((access & changes) != 0) needed |= write;
  const bool by_key = std::ranges::any_of(keys_, [&](const KeyPattern& pattern) {
    return (pattern.access & needed) == needed && base::glob_matches(pattern.glob, name);
  });
  return by_key || std::ranges::any_of(locks_, [&](const std::string& glob) {
           return is_name_of_lock(glob, name, NameKind::key);
         });
}

// A pattern is allowed by the very same pattern only: it could match any name.
bool Selector::allows_channel(std::string_view name, ChannelUse use) const {
  if (all_channels_) return true;
  if (use == ChannelUse::pattern) return std::ranges::find(channels_, name) != channels_.end();
  const bool by_channel = std::ranges::any_of(
      channels_, [&](const std::string& glob) { return base::glob_matches(glob, name); });
  return by_channel || std::ranges::any_of(locks_, [&](const std::string& glob) {
           return is_name_of_lock(glob, name, NameKind::channel);
         });
}

Denial Selector::check(const Call& call) const {
  if (!commands_.allows(call.spec, call.args)) return {Reason::command, 0};
  for (const CallKey& key : call.keys) {
    if (!allows_key(call.args[key.position], key.access)) return {Reason::key, key.position};
  }
  for (std::size_t i = call.channels.first; i < call.channels.end; ++i) {
    if (!allows_channel(call.args[i], call.channels.use)) return {Reason::channel, i};
  }
  return {};
}

bool Selector::allows_reading_all_keys(const Call& call) const {
  if (check(call).reason != Reason::none) return false;
  return all_keys_ || std::ranges::any_of(keys_, [](const KeyPattern& pattern) {
           return (pattern.access & read) != 0 && pattern.glob == "*";
         });
}

std::string Selector::describe_keys() const {
  std::string text = all_keys_ ? "~*" : "";
  for (const KeyPattern& pattern : keys_) {
    std::string_view form = "~";
    if (pattern.access == read) form = "%R~";
    if (pattern.access == write) form = "%W~";
    add_word(text, std::string(form) + pattern.glob);
  }
  for (const std::string& glob : locks_) add_word(text, "%lock~" + glob);
  return text;
}

std::string Selector::describe_channels() const {
  std::string text = all_channels_ ? "&*" : "";
  for (const std::string& glob : channels_) add_word(text, "&" + glob);
  return text;
}

std::string Selector::describe() const {
  std::string text = describe_keys();
  if (!all_channels_) add_word(text, "resetchannels");
  add_word(text, describe_channels());
  add_word(text, describe_commands());
  return text;
}

}  // namespace commands::acl
