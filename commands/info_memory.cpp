// INFO memory.
#include "commands/info_section_writers.hpp"
#include "commands/process_figures.hpp"
#include "scripting/function_libraries.hpp"

#include <algorithm>

namespace commands::info {
namespace {

void allocator_fields(const MemoryFigures& memory, std::size_t used, std::size_t data,
                      InfoWriter& out) {
  out.size("allocator_allocated", used);
  out.size("allocator_active", memory.active_bytes(data));
  out.size("allocator_resident", std::max(memory.resident_bytes, memory.active_bytes(data)));
}

// Scripts and functions share one Lua state, whose bytes stand under eval.
void script_fields(const CommandContext& c, InfoWriter& out) {
  const std::size_t lua_bytes = c.scripts.memory_bytes();
  out.bytes("used_memory_lua", lua_bytes);
  out.size("used_memory_vm_eval", lua_bytes);
  out.size("number_of_cached_scripts", c.scripts.cached_scripts());
  out.size("number_of_functions", c.scripts.functions().functions());
  out.size("number_of_libraries", c.scripts.functions().all().size());
  out.number("used_memory_vm_functions", 0);
  out.bytes("used_memory_vm_total", lua_bytes);
}

void ratio_fields(const MemoryFigures& memory, std::size_t used, std::size_t data,
                  InfoWriter& out) {
  const std::size_t active = memory.active_bytes(data);
  const std::size_t resident = std::max(memory.resident_bytes, active);
  out.ratio("allocator_frag_ratio", active, used);
  out.difference("allocator_frag_bytes", active, used);
  out.ratio("allocator_rss_ratio", resident, active);
  out.difference("allocator_rss_bytes", resident, active);
  out.ratio("rss_overhead_ratio", memory.resident_bytes, resident);
  out.difference("rss_overhead_bytes", memory.resident_bytes, resident);
  out.ratio("mem_fragmentation_ratio", memory.resident_bytes, used);
  out.difference("mem_fragmentation_bytes", memory.resident_bytes, used);
}

}  // namespace

std::size_t client_bytes(const CommandContext& c) {
  std::size_t bytes = 0;
  c.server.clients.for_each(
      [&](const ClientState& client) { bytes += client.figures.memory_bytes; });
  return bytes;
}

// Where this much comes from: keys from the engine's own figures, the rest from the C library.
void memory(const CommandContext& c, InfoWriter& out) {
  const MemoryFigures memory = memory_figures();
  const std::size_t data = c.keyspace.used_bytes();
  const std::size_t used = memory.in_use_bytes(data);
  const std::size_t peak = std::max(memory.resident_peak_bytes, used);
  const std::size_t startup = std::min(memory.startup_bytes, used - std::min(used, data));
  const std::size_t net = used - startup;
  out.bytes("used_memory", used);
  out.bytes("used_memory_rss", memory.resident_bytes);
  out.bytes("used_memory_peak", peak);
  out.percent("used_memory_peak_perc", used, peak);
  out.size("used_memory_overhead", used > data ? used - data : 0);
  out.size("used_memory_startup", startup);
  out.size("used_memory_dataset", data);
  out.percent("used_memory_dataset_perc", std::min(data, net), net);
  allocator_fields(memory, used, data, out);
  out.bytes("total_system_memory", memory.system_bytes);
  script_fields(c, out);
  out.bytes("maxmemory", c.settings.memory_bytes_max);
  out.text("maxmemory_policy", "noeviction");
  ratio_fields(memory, used, data, out);
  out.number("mem_not_counted_for_evict", 0);
  out.number("mem_replication_backlog", 0);
  out.number("mem_total_replication_buffers", 0);
  out.number("mem_clients_slaves", 0);
  out.size("mem_clients_normal", client_bytes(c));
  out.number("mem_cluster_links", 0);
  out.number("mem_aof_buffer", 0);
  out.text("mem_allocator", "libc");
  out.number("active_defrag_running", 0);
  out.size("lazyfree_pending_bytes", c.keyspace.pending_bytes());
}

}  // namespace commands::info
