// MODULE: there are none, and none can be loaded.
#pragma once

#include "commands/command_spec.hpp"

namespace commands::module {

void help(CommandContext& c);
void list(CommandContext& c);
void refuse(CommandContext& c);

inline constexpr Flags changes = flag::admin | flag::noscript | flag::no_async_loading;

inline constexpr CommandSpec module_specs[] = {
    // name, arity, flags, keys, handler, since, summary
    {"HELP", 2, flag::loading | flag::stale, no_keys, help, "5.0.0", "Describes the subcommands."},
    {"LIST", 2, flag::admin | flag::noscript, no_keys, list, "4.0.0",
     "Lists the loaded modules: none."},
    {"LOAD", -3, changes, no_keys, refuse, "4.0.0", "Refused: the server loads no modules."},
    {"LOADEX", -3, changes, no_keys, refuse, "7.0.0", "Refused: the server loads no modules."},
    {"UNLOAD", 3, changes, no_keys, refuse, "4.0.0", "Refused: the server loads no modules."},
};
static_assert(well_formed(module_specs));

inline constexpr CommandSpec specs[] = {
    {"MODULE", -2, flag::none, no_keys, nullptr, "4.0.0", "Says that there are no modules.",
     module_specs},
};
static_assert(well_formed(specs));

}  // namespace commands::module
