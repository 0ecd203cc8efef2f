// MEMORY: where the bytes are.
#include "commands/argument_reader.hpp"
#include "commands/command_context.hpp"
#include "commands/database_commands.hpp"
#include "commands/error_replies.hpp"
#include "commands/help_reply.hpp"
#include "commands/info_section_writers.hpp"
#include "commands/process_figures.hpp"

#include <algorithm>
#include <malloc.h>
#include <string>
#include <utility>

namespace commands::database {
namespace {

using Figure = std::pair<std::string, std::size_t>;

double percent(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

double ratio(std::size_t part, std::size_t whole) {
  return percent(part, whole) / 100;
}

// Replies of MEMORY STATS, one field each, under Redis' names.
class Fields {
 public:
  static constexpr std::size_t count = 27;
  explicit Fields(protocol::ReplySink& reply) : reply_(reply) { reply_.map(count); }
  void size(std::string_view name, std::size_t bytes) {
    number(name, static_cast<std::int64_t>(bytes));
  }
  void number(std::string_view name, std::int64_t value) {
    reply_.bulk(name);
    reply_.integer(value);
  }
  void real(std::string_view name, double value) {
    reply_.bulk(name);
    reply_.real(value);
  }
  void surplus(const std::string& name, std::size_t larger, std::size_t smaller) {
    real(name + ".ratio", ratio(larger, smaller));
    number(name + ".bytes", static_cast<std::int64_t>(larger) - static_cast<std::int64_t>(smaller));
  }

 private:
  protocol::ReplySink& reply_;
};

std::size_t keys_of_all(const CommandContext& c) {
  std::size_t keys = 0;
  for (int i = 0; i < engine::database_count; ++i) keys += c.keyspace.database(i).size();
  return keys;
}

}  // namespace

void memory_usage(CommandContext& c) {
  ArgumentReader args(c.args, 3);
  // Figures are exact here: how many values to sample makes no difference.
  while (args.has_more()) {
    const bool known = args.left() >= 2 && args.take_word("SAMPLES");
    if (!known || args.next_integer() < 0) args.fail(error_text::syntax);
  }
  if (!args.done()) return args.reply_error(c.reply);
  const engine::Entry* entry = c.db().peek(c.args[2]);
  if (entry == nullptr) return c.reply.null();
  c.reply.integer(static_cast<std::int64_t>(entry->memory_bytes()));
}

void memory_stats(CommandContext& c) {
  const MemoryFigures memory = memory_figures();
  const std::size_t data = c.keyspace.used_bytes();
  const std::size_t used = memory.in_use_bytes(data);
  const std::size_t peak = std::max(memory.resident_peak_bytes, used);
  const std::size_t overhead = used - std::min(used, data);
  const std::size_t startup = std::min(memory.startup_bytes, overhead);
  const std::size_t keys = keys_of_all(c);
  const std::size_t active = memory.active_bytes(data);
  const std::size_t resident = std::max(memory.resident_bytes, active);
  Fields fields(c.reply);
  fields.size("peak.allocated", peak);
  fields.size("total.allocated", used);
  fields.size("startup.allocated", startup);
  fields.size("replication.backlog", 0);
  fields.size("clients.slaves", 0);
  fields.size("clients.normal", info::client_bytes(c));
  fields.size("cluster.links", 0);
  fields.size("aof.buffer", 0);
  fields.size("lua.caches", c.scripts.memory_bytes());
  fields.size("overhead.total", overhead);
  fields.size("keys.count", keys);
  fields.size("keys.bytes-per-key", keys == 0 ? 0 : data / keys);
  fields.size("dataset.bytes", data);
  fields.size("dataset.pending-free.bytes", c.keyspace.pending_bytes());
  fields.real("dataset.percentage", percent(std::min(data, used - startup), used - startup));
  fields.real("peak.percentage", percent(used, peak));
  fields.size("allocator.allocated", used);
  fields.size("allocator.active", active);
  fields.size("allocator.resident", resident);
  fields.surplus("allocator-fragmentation", active, used);
  fields.surplus("allocator-rss", resident, active);
  fields.surplus("rss-overhead", memory.resident_bytes, resident);
  fields.real("fragmentation", ratio(memory.resident_bytes, used));
  fields.number("fragmentation.bytes",
                static_cast<std::int64_t>(memory.resident_bytes) - static_cast<std::int64_t>(used));
}

void memory_malloc_stats(CommandContext& c) {
  const struct mallinfo2 heap = mallinfo2();
  const Figure figures[] = {{"arena bytes", heap.arena},        {"mapped bytes", heap.hblkhd},
                            {"mapped blocks", heap.hblks},      {"used bytes", heap.uordblks},
                            {"free bytes", heap.fordblks},      {"free blocks", heap.ordblks},
                            {"releasable bytes", heap.keepcost}};
  std::string text;
  for (const auto& [name, value] : figures) text += name + ": " + std::to_string(value) + "\n";
  c.reply.verbatim("txt", text);
}

void memory_purge(CommandContext& c) {
  malloc_trim(0);
  c.reply.simple("OK");
}

void memory_doctor(CommandContext& c) {
  const std::size_t limit = c.keyspace.limits().bytes_max;
  const std::size_t used = c.keyspace.used_bytes();
  constexpr std::size_t nearly_full_percent = 90;
  if (limit > 0 && used / nearly_full_percent >= limit / 100) {
    return c.reply.verbatim("txt",
                            "Keys use more than 90% of maxmemory: raise it, or look for "
                            "keys without a deadline.\n");
  }
  c.reply.verbatim("txt", "Nothing looks wrong.\n");
}

void memory_help(CommandContext& c) {
  reply_help(c.reply, "MEMORY",
             {"DOCTOR", "    Tells whether anything about memory looks wrong.", "MALLOC-STATS",
              "    Figures of the C library's allocator.", "PURGE",
              "    Returns free memory to the system.", "STATS", "    What memory is used for.",
              "USAGE <key> [SAMPLES <count>]",
              "    Bytes of a key and its value, exact whatever <count> is."});
}

}  // namespace commands::database
