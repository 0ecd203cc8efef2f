// INFO: what was asked of the server, how often, how long it took.
#include "commands/call_observers.hpp"
#include "commands/command_table.hpp"
#include "commands/info_section_writers.hpp"

#include <string>

namespace commands::info {
namespace {

using engine::ChannelKind;

void no_defragmentation(InfoWriter& out) {
  for (const std::string_view field :
       {"active_defrag_hits", "active_defrag_misses", "active_defrag_key_hits",
        "active_defrag_key_misses", "total_active_defrag_time", "current_active_defrag_time"}) {
    out.number(field, 0);
  }
}

void traffic_fields(const CommandContext& c, const ProcessFigures& figures, InfoWriter& out) {
  const CallObservers& observers = c.runner.observers();
  no_defragmentation(out);
  out.size("tracking_total_keys", observers.tracking.keys());
  out.size("tracking_total_items", observers.tracking.items());
  out.size("tracking_total_prefixes", observers.tracking.prefixes());
  out.number("unexpected_error_replies", 0);
  out.count("total_error_replies", observers.statistics.errors_total());
  out.number("dump_payload_sanitizations", 0);
  out.count("total_reads_processed", figures.reads);
  out.count("total_writes_processed", figures.writes);
  out.number("io_threaded_reads_processed", 0);
  out.number("io_threaded_writes_processed", 0);
  out.count("client_query_buffer_limit_disconnections", figures.query_buffer_limit_disconnections);
  out.count("client_output_buffer_limit_disconnections",
            figures.output_buffer_limit_disconnections);
}

}  // namespace

void stats(const CommandContext& c, InfoWriter& out) {
  const ProcessFigures figures = c.server.process.figures();
  const engine::KeyspaceCounters& counters = c.keyspace.counters();
  out.count("total_connections_received", figures.connections_received);
  out.count("total_commands_processed", c.runner.observers().statistics.processed);
  out.count("instantaneous_ops_per_sec", figures.commands_per_second);
  out.count("total_net_input_bytes", figures.input_bytes);
  out.count("total_net_output_bytes", figures.output_bytes);
  out.number("total_net_repl_input_bytes", 0);
  out.number("total_net_repl_output_bytes", 0);
  out.ratio("instantaneous_input_kbps", figures.input_bytes_per_second, 1024);
  out.ratio("instantaneous_output_kbps", figures.output_bytes_per_second, 1024);
  out.ratio("instantaneous_input_repl_kbps", 0, 1024);
  out.ratio("instantaneous_output_repl_kbps", 0, 1024);
  out.count("rejected_connections", figures.connections_rejected);
  out.number("sync_full", 0);
  out.number("sync_partial_ok", 0);
  out.number("sync_partial_err", 0);
  out.count("expired_keys", counters.expired);
  // Keys go when they are due: none is ever found stale.
  out.text("expired_stale_perc", "0.00");
  out.count("expired_time_cap_reached_count", figures.expiry_slices_cut);
  out.count("expire_cycle_cpu_milliseconds", figures.expiry_us / 1000);
  out.number("evicted_keys", 0);
  out.number("evicted_clients", 0);
  out.number("total_eviction_exceeded_time", 0);
  out.number("current_eviction_exceeded_time", 0);
  out.count("keyspace_hits", counters.hits);
  out.count("keyspace_misses", counters.misses);
  out.size("pubsub_channels", c.channels.names(ChannelKind::channel));
  out.size("pubsub_patterns", c.channels.names(ChannelKind::pattern));
  out.size("pubsubshard_channels", c.channels.names(ChannelKind::shard));
  out.number("latest_fork_usec", 0);
  out.number("total_forks", 0);
  out.number("migrate_cached_sockets", 0);
  out.number("slave_expires_tracked_keys", 0);
  traffic_fields(c, figures, out);
}

void commandstats(const CommandContext& c, InfoWriter& out) {
  c.runner.observers().statistics.for_each([&](const CommandSpec& spec, const CallRow& row) {
    if (!row.is_untouched()) out.call_row("cmdstat_" + full_name(spec), row);
  });
}

void errorstats(const CommandContext& c, InfoWriter& out) {
  for (const auto& [code, count] : c.runner.observers().statistics.errors()) {
    out.text("errorstat_" + code, "count=" + std::to_string(count));
  }
}

void latencystats(const CommandContext& c, InfoWriter& out) {
  if (!c.settings.tracks_latency) return;
  c.runner.observers().statistics.for_each([&](const CommandSpec& spec, const CallRow& row) {
    if (row.latencies == nullptr) return;
    out.percentiles("latency_percentiles_usec_" + full_name(spec), *row.latencies,
                    c.settings.latency_percentiles);
  });
}

}  // namespace commands::info
