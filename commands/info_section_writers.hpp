// The sections of INFO, one function each. A field that a Redis without some feature shows as 0 is
// here too, where this server lacks the feature.
#pragma once

#include "commands/command_context.hpp"
#include "commands/info_writer.hpp"

#include <cstddef>
#include <cstdint>

namespace commands::info {

void server(const CommandContext& c, InfoWriter& out);
void clients(const CommandContext& c, InfoWriter& out);
void memory(const CommandContext& c, InfoWriter& out);
void persistence(const CommandContext& c, InfoWriter& out);
void stats(const CommandContext& c, InfoWriter& out);
void replication(const CommandContext& c, InfoWriter& out);
void cpu(const CommandContext& c, InfoWriter& out);
void modules(const CommandContext& c, InfoWriter& out);
void commandstats(const CommandContext& c, InfoWriter& out);
void errorstats(const CommandContext& c, InfoWriter& out);
void latencystats(const CommandContext& c, InfoWriter& out);
void cluster(const CommandContext& c, InfoWriter& out);
void keyspace(const CommandContext& c, InfoWriter& out);

// Bytes of all connections.
[[nodiscard]] std::size_t client_bytes(const CommandContext& c);
// Wall clock, microseconds.
[[nodiscard]] std::int64_t started_at_wall_us(const CommandContext& c);

}  // namespace commands::info
