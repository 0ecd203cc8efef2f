#include "commands/info_sections.hpp"

#include "commands/argument_reader.hpp"
#include "commands/call_observers.hpp"
#include "commands/command_table.hpp"
#include "commands/info_writer.hpp"
#include "commands/process_figures.hpp"
#include "commands/server_version.hpp"

#include <algorithm>

namespace commands {
namespace {

using engine::ChannelKind;

// How often DEBUG CHANGE-REPL-ID was called.
std::uint64_t replication_id_changes = 0;

std::int64_t started_at_wall_us(const CommandContext& c, const ProcessFigures& figures) {
  return c.clock.wall_us() - (c.clock.monotonic_us() - figures.started_at_us);
}

// 40 hex digits that tell this run from others: mixed from the start time and the process number.
std::string run_identity(const ProcessFigures& figures, std::uint64_t salt) {
  static constexpr char digits[] = "0123456789abcdef";
  std::uint64_t state = static_cast<std::uint64_t>(figures.started_at_us) ^
                        (static_cast<std::uint64_t>(process_number()) << 40u) ^ (salt << 32u);
  std::string text;
  while (text.size() < 40) {
    // splitmix64
    state += 0x9e3779b97f4a7c15u;
    std::uint64_t bits = state;
    bits = (bits ^ (bits >> 30u)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27u)) * 0x94d049bb133111ebu;
    bits ^= bits >> 31u;
    for (int i = 0; i < 8; ++i, bits >>= 4u) text += digits[bits & 15u];
  }
  return text;
}

void server_section(const CommandContext& c, InfoWriter& out) {
  const ProcessFigures figures = c.server.process.figures();
  const std::int64_t uptime_s = (c.clock.monotonic_us() - figures.started_at_us) / 1'000'000;
  out.text("redis_version", redis_version);
  out.text("mortise_version", mortise_version);
  out.text("redis_mode", "standalone");
  out.text("os", operating_system());
  out.number("arch_bits", static_cast<std::int64_t>(sizeof(void*)) * 8);
  out.text("monotonic_clock", "POSIX clock_gettime");
  out.text("multiplexing_api", "epoll");
  out.text("gcc_version", compiler_version);
  out.number("process_id", process_number());
  out.text("process_supervised", "no");
  out.text("run_id", run_identity(figures, 1));
  out.number("tcp_port", figures.tcp_port);
  out.number("server_time_usec", c.clock.wall_us());
  out.number("wall_clock_steps", static_cast<std::int64_t>(c.wall.steps()));
  out.number("uptime_in_seconds", uptime_s);
  out.number("uptime_in_days", uptime_s / 86'400);
  out.text("executable", figures.executable);
  out.text("config_file", figures.config_file);
  out.number("io_threads_active", 0);
}

void clients_section(const CommandContext& c, InfoWriter& out) {
  const ProcessFigures figures = c.server.process.figures();
  std::size_t input_max = 0;
  std::size_t output_max = 0;
  std::size_t timed_waits = 0;
  c.server.clients.for_each([&](ClientState& client) {
    input_max = std::max(input_max, client.figures.query_bytes);
    output_max = std::max(output_max, client.figures.output_bytes);
    if (client.blocked != nullptr && client.blocked_until_us) ++timed_waits;
  });
  out.size("connected_clients", figures.clients);
  out.number("cluster_connections", 0);
  out.size("maxclients", figures.clients_max);
  out.size("client_recent_max_input_buffer", input_max);
  out.size("client_recent_max_output_buffer", output_max);
  out.size("blocked_clients", figures.clients_blocked);
  out.size("tracking_clients", c.runner.observers().tracking.clients());
  out.size("clients_in_timeout_table", timed_waits);
}

void memory_section(const CommandContext& c, InfoWriter& out) {
  const MemoryFigures memory = memory_figures();
  const std::size_t lua_bytes = c.scripts.memory_bytes();
  const std::size_t data_bytes = c.keyspace.used_bytes();
  const std::size_t used = memory.in_use_bytes(data_bytes);
  out.bytes("used_memory", used);
  out.bytes("used_memory_rss", memory.resident_bytes);
  out.bytes("used_memory_peak", std::max(memory.resident_peak_bytes, used));
  out.size("used_memory_overhead", used > data_bytes ? used - data_bytes : 0);
  out.size("used_memory_dataset", data_bytes);
  out.bytes("total_system_memory", memory.system_bytes);
  out.bytes("used_memory_lua", lua_bytes);
  out.size("used_memory_vm_eval", lua_bytes);
  out.bytes("used_memory_vm_total", lua_bytes);
  out.size("number_of_cached_scripts", c.scripts.cached_scripts());
  out.number("number_of_functions", 0);
  out.number("number_of_libraries", 0);
  out.bytes("maxmemory", c.settings.memory_bytes_max);
  out.text("maxmemory_policy", "noeviction");
  out.ratio("mem_fragmentation_ratio", memory.resident_bytes, used);
  out.number("mem_fragmentation_bytes",
             static_cast<std::int64_t>(memory.resident_bytes) - static_cast<std::int64_t>(used));
  out.number("mem_replication_backlog", 0);
  out.number("mem_clients_slaves", 0);
  out.number("mem_aof_buffer", 0);
  out.text("mem_allocator", "libc");
  out.number("active_defrag_running", 0);
  out.size("lazyfree_pending_bytes", c.keyspace.pending_bytes());
}

// Everything is in memory: Redis' fields, with what a Redis that saves nothing would show.
void persistence_section(const CommandContext& c, InfoWriter& out) {
  out.number("loading", 0);
  out.number("async_loading", 0);
  out.number("rdb_changes_since_last_save",
             static_cast<std::int64_t>(c.keyspace.counters().changes));
  out.number("rdb_bgsave_in_progress", 0);
  out.number("rdb_last_save_time", last_save_time_s(c));
  out.text("rdb_last_bgsave_status", "ok");
  out.number("rdb_last_bgsave_time_sec", -1);
  out.number("rdb_current_bgsave_time_sec", -1);
  out.number("rdb_saves", 0);
  out.number("rdb_last_cow_size", 0);
  out.number("aof_enabled", 0);
  out.number("aof_rewrite_in_progress", 0);
  out.number("aof_rewrite_scheduled", 0);
  out.number("aof_last_rewrite_time_sec", -1);
  out.number("aof_current_rewrite_time_sec", -1);
  out.text("aof_last_bgrewrite_status", "ok");
  out.text("aof_last_write_status", "ok");
  out.number("aof_last_cow_size", 0);
}

void stats_section(const CommandContext& c, InfoWriter& out) {
  const ProcessFigures figures = c.server.process.figures();
  const engine::KeyspaceCounters& counters = c.keyspace.counters();
  out.count("total_connections_received", figures.connections_received);
  out.count("total_commands_processed", c.runner.observers().statistics.processed);
  out.count("total_net_input_bytes", figures.input_bytes);
  out.count("total_net_output_bytes", figures.output_bytes);
  out.number("total_net_repl_input_bytes", 0);
  out.number("total_net_repl_output_bytes", 0);
  out.count("rejected_connections", figures.connections_rejected);
  out.number("sync_full", 0);
  out.number("sync_partial_ok", 0);
  out.number("sync_partial_err", 0);
  out.count("expired_keys", counters.expired);
  out.number("evicted_keys", 0);
  out.number("evicted_clients", 0);
  out.count("keyspace_hits", counters.hits);
  out.count("keyspace_misses", counters.misses);
  out.size("pubsub_channels", c.channels.names(ChannelKind::channel));
  out.size("pubsub_patterns", c.channels.names(ChannelKind::pattern));
  out.size("pubsubshard_channels", c.channels.names(ChannelKind::shard));
  out.number("latest_fork_usec", 0);
  out.number("total_forks", 0);
  out.number("migrate_cached_sockets", 0);
  out.count("total_error_replies", c.runner.observers().statistics.errors_total());
  const TrackingTable& tracking = c.runner.observers().tracking;
  out.size("tracking_total_keys", tracking.keys());
  out.size("tracking_total_items", tracking.items());
  out.size("tracking_total_prefixes", tracking.prefixes());
  out.count("client_query_buffer_limit_disconnections", figures.query_buffer_limit_disconnections);
  out.count("client_output_buffer_limit_disconnections",
            figures.output_buffer_limit_disconnections);
}

void replication_section(const CommandContext& c, InfoWriter& out) {
  const ProcessFigures figures = c.server.process.figures();
  out.text("role", "master");
  out.number("connected_slaves", 0);
  out.text("master_failover_state", "no-failover");
  out.text("master_replid", run_identity(figures, 2 + replication_id_changes));
  out.text("master_replid2", std::string(40, '0'));
  out.number("master_repl_offset", 0);
  out.number("second_repl_offset", -1);
  out.number("repl_backlog_active", 0);
  out.number("repl_backlog_size", 0);
  out.number("repl_backlog_first_byte_offset", 0);
  out.number("repl_backlog_histlen", 0);
}

void cpu_section(const CommandContext& /*c*/, InfoWriter& out) {
  const CpuFigures cpu = cpu_figures();
  out.seconds("used_cpu_sys", cpu.system_us);
  out.seconds("used_cpu_user", cpu.user_us);
  out.seconds("used_cpu_sys_children", cpu.children_system_us);
  out.seconds("used_cpu_user_children", cpu.children_user_us);
  out.seconds("used_cpu_sys_main_thread", cpu.thread_system_us);
  out.seconds("used_cpu_user_main_thread", cpu.thread_user_us);
}

void modules_section(const CommandContext& /*c*/, InfoWriter& /*out*/) {}

void commandstats_section(const CommandContext& c, InfoWriter& out) {
  c.runner.observers().statistics.for_each([&](const CommandSpec& spec, const CallRow& row) {
    if (!row.is_untouched()) out.call_row("cmdstat_" + full_name(spec), row);
  });
}

void errorstats_section(const CommandContext& c, InfoWriter& out) {
  for (const auto& [code, count] : c.runner.observers().statistics.errors()) {
    out.text("errorstat_" + code, "count=" + std::to_string(count));
  }
}

void latencystats_section(const CommandContext& c, InfoWriter& out) {
  if (!c.settings.tracks_latency) return;
  c.runner.observers().statistics.for_each([&](const CommandSpec& spec, const CallRow& row) {
    if (row.latencies == nullptr) return;
    out.percentiles("latency_percentiles_usec_" + full_name(spec), *row.latencies,
                    c.settings.latency_percentiles);
  });
}

void cluster_section(const CommandContext& /*c*/, InfoWriter& out) {
  out.number("cluster_enabled", 0);
}

void keyspace_section(const CommandContext& c, InfoWriter& out) {
  for (int index = 0; index < engine::database_count; ++index) {
    const engine::Database& database = c.keyspace.database(index);
    if (database.size() == 0) continue;
    out.text("db" + std::to_string(index),
             "keys=" + std::to_string(database.size()) +
                 ",expires=" + std::to_string(database.with_deadline()) + ",avg_ttl=0");
  }
}

enum class Shown : std::uint8_t { by_default, in_all };

struct Section {
  std::string_view title;
  std::string_view name;  // upper case, as asked for
  Shown shown;
  void (*write)(const CommandContext&, InfoWriter&);
};

constexpr Section sections[] = {
    {"Server", "SERVER", Shown::by_default, server_section},
    {"Clients", "CLIENTS", Shown::by_default, clients_section},
    {"Memory", "MEMORY", Shown::by_default, memory_section},
    {"Persistence", "PERSISTENCE", Shown::by_default, persistence_section},
    {"Stats", "STATS", Shown::by_default, stats_section},
    {"Replication", "REPLICATION", Shown::by_default, replication_section},
    {"CPU", "CPU", Shown::by_default, cpu_section},
    {"Modules", "MODULES", Shown::by_default, modules_section},
    {"Commandstats", "COMMANDSTATS", Shown::in_all, commandstats_section},
    {"Errorstats", "ERRORSTATS", Shown::by_default, errorstats_section},
    {"Latencystats", "LATENCYSTATS", Shown::in_all, latencystats_section},
    {"Cluster", "CLUSTER", Shown::by_default, cluster_section},
    {"Keyspace", "KEYSPACE", Shown::by_default, keyspace_section},
};

bool asks_for(std::string_view name, const Section& section) {
  if (is_word(name, section.name)) return true;
  if (is_word(name, "DEFAULT")) return section.shown == Shown::by_default;
  return is_word(name, "ALL") || is_word(name, "EVERYTHING");
}

}  // namespace

std::string info_text(const CommandContext& c, std::span<const std::string_view> names) {
  static constexpr std::string_view default_names[] = {"DEFAULT"};
  if (names.empty()) names = default_names;
  InfoWriter out;
  for (const Section& section : sections) {
    const bool asked = std::any_of(names.begin(), names.end(),
                                   [&](std::string_view name) { return asks_for(name, section); });
    if (!asked) continue;
    out.begin_section(section.title);
    section.write(c, out);
  }
  return out.take();
}

std::int64_t last_save_time_s(const CommandContext& c) {
  return started_at_wall_us(c, c.server.process.figures()) / 1'000'000;
}

void change_replication_id() {
  ++replication_id_changes;
}

}  // namespace commands
