// What operators ask of the process: its figures, its settings, its end.
#pragma once

#include "commands/acl_commands.hpp"
#include "commands/command_spec.hpp"
#include "commands/config_commands.hpp"
#include "commands/debug_commands.hpp"

namespace commands::server {

void info(CommandContext& c);
void lastsave(CommandContext& c);
void lolwut(CommandContext& c);
void role(CommandContext& c);
void shutdown(CommandContext& c);
void time(CommandContext& c);

inline constexpr Flags while_loading = flag::loading | flag::stale;

inline constexpr CommandSpec specs[] = {
    // name, arity, flags, keys, handler, since, summary
    {"ACL", -2, flag::none, no_keys, nullptr, "6.0.0", "Manages users and what they may do.",
     acl::specs},
    {"CONFIG", -2, flag::none, no_keys, nullptr, "2.0.0", "Reads and changes settings.",
     config::specs},
    {"DEBUG", -2, while_loading | flag::admin | flag::noscript | flag::debug_access, no_keys,
     debug::debug, "1.0.0", "Serves test suites."},
    {"INFO", -1, while_loading | flag::dangerous, no_keys, info, "1.0.0",
     "Returns figures of the server."},
    {"LASTSAVE", 1, while_loading | flag::fast | flag::admin_category | flag::dangerous, no_keys,
     lastsave, "1.0.0", "Returns the time of the last save."},
    {"LOLWUT", -1, flag::readonly | flag::fast, no_keys, lolwut, "5.0.0", "Draws something."},
    {"ROLE", 1,
     while_loading | flag::fast | flag::noscript | flag::admin_category | flag::dangerous, no_keys,
     role, "2.8.12", "Returns the part in replication: master."},
    {"SHUTDOWN", -1,
     while_loading | flag::admin | flag::noscript | flag::no_multi | flag::allow_busy, no_keys,
     shutdown, "1.0.0", "Ends the server."},
    {"TIME", 1, while_loading | flag::fast, no_keys, time, "2.6.0", "Returns the wall clock."},
};
static_assert(well_formed(specs));

}  // namespace commands::server
