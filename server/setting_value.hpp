// The value of one setting: from the words of a file, an argument or CONFIG SET to the one text
// that CONFIG GET shows. Errors are Redis' words without its frame ("argument must be 'yes' or
// 'no'").
#pragma once

#include "engine/durability.hpp"
#include "server/config_table.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace server {

// Limits on unsent output; 0: none.
struct OutputLimit {
  std::size_t hard_bytes = 0;
  std::size_t soft_bytes = 0;
  std::int64_t soft_seconds = 0;
};
enum class ClientClass : std::uint8_t { normal, replica, pubsub };
using OutputLimits = std::array<OutputLimit, 3>;  // by ClientClass

// `current`: the text so far; output limits name only the classes that change.
[[nodiscard]] std::expected<std::string, std::string> canonical_value(
    const Option& option, std::span<const std::string> words, std::string_view current);

// "100", "1kb", "2GB". Nullopt: not an amount.
[[nodiscard]] std::optional<std::int64_t> parse_bytes(std::string_view text);
// "always", "everysec", "no". Nullopt: none of them.
[[nodiscard]] std::optional<engine::SyncPolicy> parse_sync_policy(std::string_view word);
// `text` is canonical.
[[nodiscard]] std::vector<engine::DurabilityRule> parse_durability(std::string_view text);
[[nodiscard]] OutputLimits parse_output_limits(std::string_view text);

}  // namespace server
