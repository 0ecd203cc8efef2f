// The keys and channels that a call names, with what it does to them. Derived from the row; a call
// whose arguments do not fit its row names none.
#pragma once

#include "commands/command_spec.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace commands {

struct CallKey {
  std::size_t position;  // among the arguments
  std::uint16_t access;  // bits of key_access
};

// Whether the row names keys at all (shard channels stand where keys do, but are none).
[[nodiscard]] bool has_keys(const CommandSpec& spec);
// Nullopt when the arguments do not fit the row.
[[nodiscard]] std::optional<std::vector<CallKey>> keys_of(const CommandSpec& spec,
                                                          std::span<const std::string_view> args);

enum class ChannelUse : std::uint8_t { name, pattern };

struct CallChannels {
  std::size_t first = 0;  // positions among the arguments: from first up to, not including, end
  std::size_t end = 0;
  ChannelUse use = ChannelUse::name;
};
// Channels that the call publishes or subscribes to; leaving a channel counts for nothing.
[[nodiscard]] CallChannels channels_of(const CommandSpec& spec,
                                       std::span<const std::string_view> args);

}  // namespace commands
