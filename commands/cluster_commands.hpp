// CLUSTER as a node with cluster mode off answers: every subcommand is known, none is served.
#pragma once

#include "commands/command_spec.hpp"

namespace commands::cluster {

void refuse(CommandContext& c);

inline constexpr Flags asks = flag::stale;
inline constexpr Flags inspects = flag::admin | flag::stale;
inline constexpr Flags changes = flag::admin | flag::stale | flag::no_async_loading;

inline constexpr CommandSpec cluster_specs[] = {
    // name, arity, flags, keys, handler, since, summary
    {"ADDSLOTS", -3, changes, no_keys, refuse, "3.0.0", "Refused: not a cluster."},
    {"ADDSLOTSRANGE", -4, changes, no_keys, refuse, "7.0.0", "Refused: not a cluster."},
    {"BUMPEPOCH", 2, changes, no_keys, refuse, "3.0.0", "Refused: not a cluster."},
    {"COUNT-FAILURE-REPORTS", 3, inspects, no_keys, refuse, "3.0.0", "Refused: not a cluster."},
    {"COUNTKEYSINSLOT", 3, asks, no_keys, refuse, "3.0.0", "Refused: not a cluster."},
    {"DELSLOTS", -3, changes, no_keys, refuse, "3.0.0", "Refused: not a cluster."},
    {"DELSLOTSRANGE", -4, changes, no_keys, refuse, "7.0.0", "Refused: not a cluster."},
    {"FAILOVER", -2, changes, no_keys, refuse, "3.0.0", "Refused: not a cluster."},
    {"FLUSHSLOTS", 2, changes, no_keys, refuse, "3.0.0", "Refused: not a cluster."},
    {"FORGET", 3, changes, no_keys, refuse, "3.0.0", "Refused: not a cluster."},
    {"GETKEYSINSLOT", 4, asks, no_keys, refuse, "3.0.0", "Refused: not a cluster."},
    {"HELP", 2, flag::loading | flag::stale, no_keys, refuse, "5.0.0", "Refused: not a cluster."},
    {"INFO", 2, asks, no_keys, refuse, "3.0.0", "Refused: not a cluster."},
    {"KEYSLOT", 3, asks, no_keys, refuse, "3.0.0", "Refused: not a cluster."},
    {"LINKS", 2, asks, no_keys, refuse, "7.0.0", "Refused: not a cluster."},
    {"MEET", -4, changes, no_keys, refuse, "3.0.0", "Refused: not a cluster."},
    {"MYID", 2, asks, no_keys, refuse, "3.0.0", "Refused: not a cluster."},
    {"NODES", 2, asks, no_keys, refuse, "3.0.0", "Refused: not a cluster."},
    {"REPLICAS", 3, inspects, no_keys, refuse, "5.0.0", "Refused: not a cluster."},
    {"REPLICATE", 3, changes, no_keys, refuse, "3.0.0", "Refused: not a cluster."},
    {"RESET", -2, inspects | flag::noscript, no_keys, refuse, "3.0.0", "Refused: not a cluster."},
    {"SAVECONFIG", 2, changes, no_keys, refuse, "3.0.0", "Refused: not a cluster."},
    {"SET-CONFIG-EPOCH", 3, changes, no_keys, refuse, "3.0.0", "Refused: not a cluster."},
    {"SETSLOT", -4, changes, no_keys, refuse, "3.0.0", "Refused: not a cluster."},
    {"SHARDS", 2, asks, no_keys, refuse, "7.0.0", "Refused: not a cluster."},
    {"SLAVES", 3, inspects, no_keys, refuse, "3.0.0", "Refused: not a cluster."},
    {"SLOTS", 2, asks, no_keys, refuse, "3.0.0", "Refused: not a cluster."},
};
static_assert(well_formed(cluster_specs));

inline constexpr CommandSpec specs[] = {
    {"CLUSTER", -2, flag::none, no_keys, nullptr, "3.0.0", "Says that cluster mode is off.",
     cluster_specs},
};
static_assert(well_formed(specs));

}  // namespace commands::cluster
