// COMMAND: what the command table says, for clients.
#pragma once

#include "commands/command_spec.hpp"

namespace commands::command {

void command(CommandContext& c);
void count(CommandContext& c);
void docs(CommandContext& c);
void getkeys(CommandContext& c);
void getkeysandflags(CommandContext& c);
void help(CommandContext& c);
void info(CommandContext& c);
void list(CommandContext& c);

inline constexpr Flags describes = flag::loading | flag::stale;

inline constexpr CommandSpec specs[] = {
    // name, arity, flags, keys, handler, since, summary
    {"COUNT", 2, describes, no_keys, count, "2.8.13", "Counts the commands."},
    {"DOCS", -2, describes, no_keys, docs, "7.0.0", "Explains commands, all without arguments."},
    {"GETKEYS", -4, describes, no_keys, getkeys, "2.8.13", "Extracts the keys of a call."},
    {"GETKEYSANDFLAGS", -4, describes, no_keys, getkeysandflags, "7.0.0",
     "Extracts the keys of a call and what it does to them."},
    {"HELP", 2, describes, no_keys, help, "5.0.0", "Describes the subcommands."},
    {"INFO", -2, describes, no_keys, info, "2.8.13", "Describes commands, all without arguments."},
    {"LIST", -2, describes, no_keys, list, "7.0.0", "Lists the names of commands, or some."},
};
static_assert(well_formed(specs));

}  // namespace commands::command
