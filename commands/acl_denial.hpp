// Why a user may not make a call, and the words for it: each door to the commands has its own.
#pragma once

#include "commands/command_spec.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace commands::acl {

// In the order in which a later reason outweighs an earlier one when several selectors refuse.
enum class Reason : std::uint8_t { none, command, key, auth, channel };

struct Denial {
  Reason reason = Reason::none;
  std::size_t position = 0;  // of the key or channel among the arguments
  [[nodiscard]] explicit operator bool() const { return reason != Reason::none; }
};

// To a client: "NOPERM this user has no permissions to …".
[[nodiscard]] std::string refusal_of_request(const Denial& denial, const CommandSpec& spec);
// To a call that MULTI had queued.
[[nodiscard]] std::string refusal_of_queued_call(const Denial& denial);
// To redis.call.
[[nodiscard]] std::string_view refusal_of_script(const Denial& denial);
// What ACL DRYRUN answers.
[[nodiscard]] std::string explanation(const Denial& denial, const CommandSpec& spec,
                                      std::span<const std::string_view> args);
// What was asked for: the command, the key or the channel.
[[nodiscard]] std::string object_of(const Denial& denial, const CommandSpec& spec,
                                    std::span<const std::string_view> args);

}  // namespace commands::acl
