// One client as a line of CLIENT LIST and CLIENT INFO, and the kinds by which clients are selected.
#pragma once

#include "commands/command_context.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace commands::client {

enum class Kind : std::uint8_t { normal, master, replica, pubsub };

// "normal", "slave" …, any letter case.
[[nodiscard]] std::optional<Kind> parse_kind(std::string_view text);
[[nodiscard]] Kind kind_of(const ClientState& client);
// Without the line end.
[[nodiscard]] std::string describe(const CommandContext& c, const ClientState& client);

}  // namespace commands::client
