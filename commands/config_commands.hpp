// CONFIG: the settings themselves live in server/, behind ConfigControl.
#pragma once

#include "commands/command_spec.hpp"

namespace commands::config {

void get(CommandContext& c);
void help(CommandContext& c);
void resetstat(CommandContext& c);
void rewrite(CommandContext& c);
void set(CommandContext& c);

inline constexpr Flags administers = flag::admin | flag::noscript | flag::loading | flag::stale;

inline constexpr CommandSpec specs[] = {
    // name, arity, flags, keys, handler, since, summary
    {"GET", -3, administers, no_keys, get, "2.0.0", "Returns settings by name patterns."},
    {"HELP", 2, flag::loading | flag::stale, no_keys, help, "5.0.0", "Describes the subcommands."},
    {"RESETSTAT", 2, administers, no_keys, resetstat, "2.0.0", "Sets the figures of INFO to zero."},
    {"REWRITE", 2, administers, no_keys, rewrite, "2.8.0",
     "Writes the settings into the configuration file."},
    {"SET", -4, administers, no_keys, set, "2.0.0", "Changes settings, all or none of them."},
};
static_assert(well_formed(specs));

}  // namespace commands::config
