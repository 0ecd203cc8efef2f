// Replication, failover and Sentinel: one process holds the locks, so each is refused with a word
// on what to do instead. REPLICAOF NO ONE is what this server is already.
#pragma once

#include "commands/command_spec.hpp"

namespace commands::replication {

void failover(CommandContext& c);
void refuse(CommandContext& c);
void replicaof(CommandContext& c);
void sentinel(CommandContext& c);

inline constexpr Flags directs = flag::admin | flag::noscript | flag::stale;
inline constexpr Flags streams =
    flag::admin | flag::noscript | flag::no_async_loading | flag::no_multi;

inline constexpr CommandSpec specs[] = {
    // name, arity, flags, keys, handler, since, summary
    {"FAILOVER", -1, directs, no_keys, failover, "6.2.0", "Refused: there are no replicas."},
    {"PSYNC", -3, streams, no_keys, refuse, "2.8.0", "Refused: there is no replication."},
    {"REPLICAOF", 3, directs | flag::no_async_loading, no_keys, replicaof, "5.0.0",
     "Grants NO ONE, which it is already."},
    {"SENTINEL", -1, flag::admin | flag::noscript, no_keys, sentinel, "2.8.4",
     "Refused: the server is no Sentinel."},
    {"SLAVEOF", 3, directs | flag::no_async_loading, no_keys, replicaof, "1.0.0",
     "REPLICAOF by its old name."},
    {"SYNC", 1, streams, no_keys, refuse, "1.0.0", "Refused: there is no replication."},
};
static_assert(well_formed(specs));

}  // namespace commands::replication
