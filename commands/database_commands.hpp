// Whole databases, and MEMORY. Handlers are in database_commands.cpp and memory_commands.cpp.
#pragma once

#include "commands/key_specs.hpp"

namespace commands::database {

void dbsize(CommandContext& c);
void flushall(CommandContext& c);
void flushdb(CommandContext& c);
void swapdb(CommandContext& c);
void memory_doctor(CommandContext& c);
void memory_help(CommandContext& c);
void memory_malloc_stats(CommandContext& c);
void memory_purge(CommandContext& c);
void memory_stats(CommandContext& c);
void memory_usage(CommandContext& c);

namespace detail {
inline constexpr Flags flushes = flag::write | flag::dangerous | flag::keyspace_category;
}  // namespace detail

inline constexpr CommandSpec memory_specs[] = {
    {"DOCTOR", 2, flag::none, no_keys, memory_doctor, "4.0.0",
     "Tells whether anything about memory looks wrong."},
    {"HELP", 2, flag::loading | flag::stale, no_keys, memory_help, "4.0.0",
     "Describes the subcommands."},
    {"MALLOC-STATS", 2, flag::none, no_keys, memory_malloc_stats, "4.0.0",
     "Returns the figures of the C library's allocator."},
    {"PURGE", 2, flag::none, no_keys, memory_purge, "4.0.0", "Returns free memory to the system."},
    {"STATS", 2, flag::none, no_keys, memory_stats, "4.0.0", "Returns what memory is used for."},
    {"USAGE", -3, flag::readonly, subcommand_key_looked_at, memory_usage, "4.0.0",
     "Returns the bytes a key takes, its value included."},
};
static_assert(well_formed(memory_specs));

inline constexpr CommandSpec specs[] = {
    {"DBSIZE", 1, flag::readonly | flag::fast | flag::keyspace_category, no_keys, dbsize, "1.0.0",
     "Returns the number of keys in the database."},
    {"FLUSHALL", -1, detail::flushes, no_keys, flushall, "1.0.0",
     "Deletes all keys of all databases."},
    {"FLUSHDB", -1, detail::flushes, no_keys, flushdb, "1.0.0",
     "Deletes all keys of the database."},
    {"MEMORY", -2, flag::none, no_keys, nullptr, "4.0.0", "Tells how memory is used.",
     memory_specs},
    {"SWAPDB", 3, detail::flushes | flag::fast, no_keys, swapdb, "4.0.0",
     "Exchanges two databases."},
};
static_assert(well_formed(specs));

}  // namespace commands::database
