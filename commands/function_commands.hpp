// Function libraries: FUNCTION, FCALL, FCALL_RO.
#pragma once

#include "commands/script_commands.hpp"

namespace commands::function {

void delete_library(CommandContext& c);
void dump(CommandContext& c);
void fcall(CommandContext& c);
void fcall_ro(CommandContext& c);
void flush(CommandContext& c);
void help(CommandContext& c);
void kill(CommandContext& c);
void list(CommandContext& c);
void load(CommandContext& c);
void restore(CommandContext& c);
void stats(CommandContext& c);

inline constexpr Flags changes = flag::write | flag::noscript;
inline constexpr Flags grows = changes | flag::denyoom;

inline constexpr CommandSpec function_specs[] = {
    // name, arity, flags, keys, handler, since, summary
    {"DELETE", 3, changes, no_keys, delete_library, "7.0.0", "Deletes a library."},
    {"DUMP", 2, flag::noscript, no_keys, dump, "7.0.0",
     "Returns all libraries as bytes for FUNCTION RESTORE."},
    {"FLUSH", -2, changes, no_keys, flush, "7.0.0", "Deletes all libraries."},
    {"HELP", 2, flag::loading | flag::stale, no_keys, help, "7.0.0", "Describes the subcommands."},
    {"KILL", 2, flag::noscript | flag::allow_busy, no_keys, kill, "7.0.0",
     "Stops the running function if it has written nothing."},
    {"LIST", -2, flag::noscript, no_keys, list, "7.0.0", "Describes the libraries."},
    {"LOAD", -3, grows, no_keys, load, "7.0.0", "Loads a library of functions."},
    {"RESTORE", -3, grows, no_keys, restore, "7.0.0", "Loads what FUNCTION DUMP returned."},
    {"STATS", 2, flag::noscript | flag::allow_busy, no_keys, stats, "7.0.0",
     "Tells which function runs and how many there are."},
};
static_assert(well_formed(function_specs));

inline constexpr CommandSpec specs[] = {
    {"FCALL", -3, script::runs, script::counted_keys_rw, fcall, "7.0.0",
     "Calls a function of a library."},
    {"FCALL_RO", -3, script::runs | flag::readonly, script::counted_keys_ro, fcall_ro, "7.0.0",
     "Calls a function of a library that may not write."},
    {"FUNCTION", -2, flag::none, no_keys, nullptr, "7.0.0", "Manages libraries of functions.",
     function_specs},
};
static_assert(well_formed(specs));

}  // namespace commands::function
