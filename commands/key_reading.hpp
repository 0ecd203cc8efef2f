// How commands look at keys. Two ways, as in Redis: `read` is for commands that answer with what
// they find (counted as hit or miss, a miss is notified), `inspect` for those that decide what to
// change.
#pragma once

#include "commands/command_context.hpp"
#include "engine/entry.hpp"
#include "engine/error.hpp"

#include <string_view>

namespace commands {

// Null when absent.
[[nodiscard]] const engine::Entry* read_key(const CommandContext& c, std::string_view key);

// The same, but no access for OBJECT IDLETIME: EXISTS, TYPE, TTL and its kin.
[[nodiscard]] const engine::Entry* read_key_untouched(const CommandContext& c,
                                                      std::string_view key);

// Null when absent, wrong_type when it is of another type.
using Found = engine::Result<const engine::Entry*>;
[[nodiscard]] Found read_typed(const CommandContext& c, std::string_view key, engine::Type type);
[[nodiscard]] Found inspect_typed(const CommandContext& c, std::string_view key, engine::Type type);

}  // namespace commands
