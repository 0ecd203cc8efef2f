// The one table of the names that lock clients derive from the name of a lock, for the rule
// %lock~pattern. docs/acl.md shows the same table; a test compares both.
//
// Grammar of a form: literal text with one "{key}" and any of
//   <request>  32 hex digits           <client>  a UUID
//   <holder>   a UUID ":" a decimal number (of a thread)      <n>  decimal digits
// The braces around the key are left out when the key itself contains "{", as Redisson does, except
// where they are always there.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace commands::acl {

// A channel is granted as a key, too: scripts name it among their KEYS.
enum class NameKind : std::uint8_t { key, channel };

struct DerivedName {
  std::string_view form;
  NameKind kind;
  bool has_braces_always;
  std::string_view used_by;
};

[[nodiscard]] std::span<const DerivedName> derived_names();
// Whether `name` is a lock name that matches the glob, or is derived from one that does.
[[nodiscard]] bool is_name_of_lock(std::string_view glob, std::string_view name, NameKind kind);

}  // namespace commands::acl
