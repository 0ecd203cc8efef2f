// MEMORY: where the bytes are.
#include "commands/argument_reader.hpp"
#include "commands/command_context.hpp"
#include "commands/database_commands.hpp"
#include "commands/error_replies.hpp"
#include "commands/help_reply.hpp"
#include "commands/process_figures.hpp"

#include <malloc.h>
#include <string>
#include <utility>
#include <vector>

namespace commands::database {
namespace {

using Figure = std::pair<std::string, std::size_t>;

std::vector<Figure> figures_of(const CommandContext& c) {
  std::size_t keys = 0;
  for (int i = 0; i < engine::database_count; ++i) keys += c.keyspace.database(i).size();
  const std::size_t data = c.keyspace.used_bytes();
  const MemoryFigures memory = memory_figures();
  return {{"total.allocated", memory.in_use_bytes(data)},
          {"lua.caches", c.scripts.memory_bytes()},
          {"keys.count", keys},
          {"keys.bytes-per-key", keys == 0 ? 0 : data / keys},
          {"dataset.bytes", data},
          {"dataset.pending-free.bytes", c.keyspace.pending_bytes()},
          {"allocator.allocated", memory.allocated_bytes},
          {"allocator.resident", memory.resident_bytes}};
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
  const std::vector<Figure> figures = figures_of(c);
  c.reply.map(figures.size());
  for (const auto& [name, bytes] : figures) {
    c.reply.bulk(name);
    c.reply.integer(static_cast<std::int64_t>(bytes));
  }
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
