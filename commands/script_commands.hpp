// EVAL and kin, and the script cache.
#pragma once

#include "commands/command_spec.hpp"

namespace commands::script {

void debug(CommandContext& c);
void eval(CommandContext& c);
void eval_ro(CommandContext& c);
void evalsha(CommandContext& c);
void evalsha_ro(CommandContext& c);
void exists(CommandContext& c);
void flush(CommandContext& c);
void help(CommandContext& c);
void kill(CommandContext& c);
void load(CommandContext& c);

inline constexpr CommandSpec script_specs[] = {
    // name, arity, flags, keys, handler, since, summary
    {"DEBUG", 3, flag::noscript, no_keys, debug, "3.2.0", "Answers for the script debugger."},
    {"EXISTS", -3, flag::noscript, no_keys, exists, "2.6.0", "Tells which scripts are cached."},
    {"FLUSH", -2, flag::noscript, no_keys, flush, "2.6.0", "Empties the script cache."},
    {"HELP", 2, flag::loading | flag::stale, no_keys, help, "5.0.0", "Describes the subcommands."},
    {"KILL", 2, flag::noscript | flag::allow_busy, no_keys, kill, "2.6.0",
     "Stops the running script if it has written nothing."},
    {"LOAD", 3, flag::noscript | flag::stale, no_keys, load, "2.6.0",
     "Compiles and caches a script without running it."},
};
static_assert(well_formed(script_specs));

inline constexpr Flags runs =
    flag::noscript | flag::stale | flag::skip_monitor | flag::movablekeys | flag::runs_script;
inline constexpr KeySpec counted_keys_rw{0, 0, 0, 2,
                                         key_access::rw | key_access::access | key_access::update};
inline constexpr KeySpec counted_keys_ro{0, 0, 0, 2, key_access::ro | key_access::access};

inline constexpr CommandSpec specs[] = {
    // name, arity, flags, keys, handler, since, summary
    {"EVAL", -3, runs, counted_keys_rw, eval, "2.6.0", "Runs a Lua script."},
    {"EVALSHA", -3, runs, counted_keys_rw, evalsha, "2.6.0",
     "Runs a cached Lua script, named by its SHA1."},
    {"EVALSHA_RO", -3, runs | flag::readonly, counted_keys_ro, evalsha_ro, "7.0.0",
     "Runs a cached Lua script that may not write."},
    {"EVAL_RO", -3, runs | flag::readonly, counted_keys_ro, eval_ro, "7.0.0",
     "Runs a Lua script that may not write."},
    {"SCRIPT", -2, flag::none, no_keys, nullptr, "2.6.0", "Manages the script cache.",
     script_specs},
};
static_assert(well_formed(specs));

}  // namespace commands::script
