// MULTI, EXEC and WATCH. Calls in between are queued by the dispatcher; EXEC runs them in its own
// frame, so that they enter the journal together.
#pragma once

#include "commands/command_spec.hpp"

namespace commands::transaction {

void discard(CommandContext& c);
void exec(CommandContext& c);
void multi(CommandContext& c);
void unwatch(CommandContext& c);
void watch(CommandContext& c);

inline constexpr Flags always =
    flag::noscript | flag::loading | flag::stale | flag::fast | flag::allow_busy;

inline constexpr CommandSpec specs[] = {
    // name, arity, flags, keys, handler, since, summary
    {"DISCARD", 1, always | flag::runs_in_multi, no_keys, discard, "2.0.0",
     "Forgets the calls queued since MULTI."},
    {"EXEC", 1,
     flag::noscript | flag::loading | flag::stale | flag::skip_slowlog | flag::runs_in_multi |
         flag::runs_queue,
     no_keys, exec, "1.2.0", "Runs the calls queued since MULTI, as one."},
    {"MULTI", 1, always | flag::runs_in_multi, no_keys, multi, "1.2.0",
     "Starts to queue the calls that follow."},
    {"UNWATCH", 1, always, no_keys, unwatch, "2.2.0", "Ends all watching of keys."},
    {"WATCH",
     -2,
     always | flag::runs_in_multi,
     {1, -1, 1, 0, key_access::ro},
     watch,
     "2.2.0",
     "Makes the next EXEC fail if one of the keys changes before."},
};
static_assert(well_formed(specs));

// Back to no MULTI and no watched keys: DISCARD, EXEC, RESET.
void end_transaction(CommandContext& c);

}  // namespace commands::transaction
