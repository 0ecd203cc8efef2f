// SLOWLOG, LATENCY, MONITOR: what operators watch calls with. Handlers are in slow_log_commands.cpp
// and latency_commands.cpp.
#pragma once

#include "commands/command_spec.hpp"

namespace commands::observation {

void latency_doctor(CommandContext& c);
void latency_graph(CommandContext& c);
void latency_help(CommandContext& c);
void latency_histogram(CommandContext& c);
void latency_history(CommandContext& c);
void latency_latest(CommandContext& c);
void latency_reset(CommandContext& c);
void monitor(CommandContext& c);
void slowlog_get(CommandContext& c);
void slowlog_help(CommandContext& c);
void slowlog_len(CommandContext& c);
void slowlog_reset(CommandContext& c);

namespace detail {
inline constexpr Flags of_slowlog = flag::admin | flag::loading | flag::stale;
inline constexpr Flags of_latency = of_slowlog | flag::noscript;
}  // namespace detail

inline constexpr CommandSpec latency_specs[] = {
    {"DOCTOR", 2, detail::of_latency, no_keys, latency_doctor, "2.8.13",
     "Tells in words what the latency events suggest."},
    {"GRAPH", 3, detail::of_latency, no_keys, latency_graph, "2.8.13",
     "Draws the samples of an event."},
    {"HELP", 2, flag::loading | flag::stale, no_keys, latency_help, "2.8.13",
     "Describes the subcommands."},
    {"HISTOGRAM", -2, detail::of_latency, no_keys, latency_histogram, "7.0.0",
     "Returns how long the calls of commands took, as cumulative counts."},
    {"HISTORY", 3, detail::of_latency, no_keys, latency_history, "2.8.13",
     "Returns the samples of an event."},
    {"LATEST", 2, detail::of_latency, no_keys, latency_latest, "2.8.13",
     "Returns the latest sample of each event."},
    {"RESET", -2, detail::of_latency, no_keys, latency_reset, "2.8.13",
     "Forgets the samples of all events, or some."},
};
static_assert(well_formed(latency_specs));

inline constexpr CommandSpec slowlog_specs[] = {
    {"GET", -2, detail::of_slowlog, no_keys, slowlog_get, "2.2.12",
     "Returns the latest calls that took long."},
    {"HELP", 2, flag::loading | flag::stale, no_keys, slowlog_help, "6.2.0",
     "Describes the subcommands."},
    {"LEN", 2, detail::of_slowlog, no_keys, slowlog_len, "2.2.12",
     "Returns how many slow calls are kept."},
    {"RESET", 2, detail::of_slowlog, no_keys, slowlog_reset, "2.2.12", "Forgets the slow calls."},
};
static_assert(well_formed(slowlog_specs));

inline constexpr CommandSpec specs[] = {
    {"LATENCY", -2, flag::none, no_keys, nullptr, "2.8.13",
     "Tells what held the server up, and how long calls take.", latency_specs},
    {"MONITOR", 1, flag::admin | flag::noscript | flag::loading | flag::stale, no_keys, monitor,
     "1.0.0", "Shows every call of every client to the connection."},
    {"SLOWLOG", -2, flag::none, no_keys, nullptr, "2.2.12", "Tells which calls took long.",
     slowlog_specs},
};
static_assert(well_formed(specs));

}  // namespace commands::observation
