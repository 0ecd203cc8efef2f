// The key specs that families share: where the keys stand, and what the command does to them in the
// words of COMMAND INFO.
#pragma once

#include "commands/command_spec.hpp"

#include <cstdint>

namespace commands {

namespace key_spec {
consteval KeySpec one(std::uint16_t access) {
  return {1, 1, 1, 0, access};
}
consteval KeySpec two(std::uint16_t access) {
  return {1, 2, 1, 0, access};
}
consteval KeySpec two(std::uint16_t first, std::uint16_t second) {
  return {1, 2, 1, 0, first, second};
}
consteval KeySpec all(std::uint16_t access) {
  return {1, -1, 1, 0, access};
}
}  // namespace key_spec

inline constexpr KeySpec one_key_read =
    key_spec::one(key_access::ro | key_access::access);                      // its value is told
inline constexpr KeySpec one_key_looked_at = key_spec::one(key_access::ro);  // only facts about it
inline constexpr KeySpec one_key_updated = key_spec::one(key_access::rw | key_access::update);
inline constexpr KeySpec one_key_read_updated =
    key_spec::one(key_access::rw | key_access::access | key_access::update);
inline constexpr KeySpec one_key_read_deleted =
    key_spec::one(key_access::rw | key_access::access | key_access::del);
inline constexpr KeySpec one_key_inserted = key_spec::one(key_access::rw | key_access::insert);
inline constexpr KeySpec one_key_overwritten = key_spec::one(key_access::ow | key_access::update);
inline constexpr KeySpec all_keys_looked_at = key_spec::all(key_access::ro);
inline constexpr KeySpec all_keys_removed = key_spec::all(key_access::rm | key_access::del);
// Of a subcommand: OBJECT ENCODING key.
inline constexpr KeySpec subcommand_key_looked_at{2, 2, 1, 0, key_access::ro};

}  // namespace commands
