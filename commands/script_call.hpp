// What EVAL and FCALL share: how a script or a function is run for a client.
#pragma once

#include "commands/command_context.hpp"
#include "scripting/script_engine.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

namespace commands {

// Runs it with the `keys` arguments from args[3] on as keys, the rest as arguments; replies. Its
// flags may refuse that.
void run_script(CommandContext& c, const scripting::Script& script, std::size_t keys,
                scripting::ScriptAccess access);

// The number of keys in args[2]; nullopt after an error reply, `not_a_number` if it is none.
[[nodiscard]] std::optional<std::size_t> read_key_count(CommandContext& c,
                                                        std::string_view not_a_number);

// Whether maxmemory is reached.
[[nodiscard]] bool memory_is_full(const CommandContext& c);

// BUSY, to whoever comes while a script or a function is over its time limit.
[[nodiscard]] std::string_view busy_text(const scripting::ScriptEngine& scripts);

// SCRIPT KILL and FUNCTION KILL, of what runs.
void kill_script(CommandContext& c);

}  // namespace commands
