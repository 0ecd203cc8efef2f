// INFO: the process and its clients.
#include "commands/call_observers.hpp"
#include "commands/info_section_writers.hpp"
#include "commands/info_sections.hpp"
#include "commands/process_figures.hpp"
#include "commands/server_version.hpp"

#include <algorithm>
#include <string>

namespace commands {
namespace {

// How often DEBUG CHANGE-REPL-ID was called.
std::uint64_t replication_id_changes = 0;

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

}  // namespace

void change_replication_id() {
  ++replication_id_changes;
}

namespace info {

std::int64_t started_at_wall_us(const CommandContext& c) {
  const ProcessFigures figures = c.server.process.figures();
  return c.clock.wall_us() - (c.clock.monotonic_us() - figures.started_at_us);
}

void server(const CommandContext& c, InfoWriter& out) {
  const ProcessFigures figures = c.server.process.figures();
  const std::int64_t uptime_s = (c.clock.monotonic_us() - figures.started_at_us) / 1'000'000;
  out.text("redis_version", redis_version);
  out.text("mortise_version", mortise_version);
  out.text("redis_git_sha1", "00000000");
  out.number("redis_git_dirty", 0);
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
  // The low 24 bits of lease time in seconds: what DEBUG OBJECT's lru is counted in.
  out.number("lru_clock", (c.now_ms() / 1000) & 0xffffff);
  out.text("executable", figures.executable);
  out.text("config_file", figures.config_file);
  out.number("io_threads_active", 0);
}

void clients(const CommandContext& c, InfoWriter& out) {
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

void replication(const CommandContext& c, InfoWriter& out) {
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

void cpu(const CommandContext& /*c*/, InfoWriter& out) {
  const CpuFigures cpu = cpu_figures();
  out.seconds("used_cpu_sys", cpu.system_us);
  out.seconds("used_cpu_user", cpu.user_us);
  out.seconds("used_cpu_sys_children", cpu.children_system_us);
  out.seconds("used_cpu_user_children", cpu.children_user_us);
  out.seconds("used_cpu_sys_main_thread", cpu.thread_system_us);
  out.seconds("used_cpu_user_main_thread", cpu.thread_user_us);
}

void modules(const CommandContext& /*c*/, InfoWriter& /*out*/) {}

void cluster(const CommandContext& /*c*/, InfoWriter& out) {
  out.number("cluster_enabled", 0);
}

}  // namespace info
}  // namespace commands
