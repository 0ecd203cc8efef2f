// SAVE and kin. Keys live in memory only; a client that asks for a save must not be told that there
// was one.
#pragma once

#include "commands/command_spec.hpp"

namespace commands::persistence {

void bgsave(CommandContext& c);
void refuse(CommandContext& c);

inline constexpr Flags saves = flag::admin | flag::noscript | flag::no_async_loading;

inline constexpr CommandSpec specs[] = {
    // name, arity, flags, keys, handler, since, summary
    {"BGREWRITEAOF", 1, saves, no_keys, refuse, "1.0.0", "Refused: nothing is written to disk."},
    {"BGSAVE", -1, saves, no_keys, bgsave, "1.0.0", "Refused: nothing is written to disk."},
    {"SAVE", 1, saves | flag::no_multi, no_keys, refuse, "1.0.0",
     "Refused: nothing is written to disk."},
};
static_assert(well_formed(specs));

}  // namespace commands::persistence
