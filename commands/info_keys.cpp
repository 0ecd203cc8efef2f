// INFO: what is kept, and how durably.
#include "commands/info_section_writers.hpp"
#include "commands/info_sections.hpp"

#include <string>

namespace commands::info {

// Everything is in memory: Redis' fields, with what a Redis that saves nothing would show.
void persistence(const CommandContext& c, InfoWriter& out) {
  out.number("loading", 0);
  out.number("async_loading", 0);
  out.number("current_cow_peak", 0);
  out.number("current_cow_size", 0);
  out.number("current_cow_size_age", 0);
  out.text("current_fork_perc", "0.00");
  out.number("current_save_keys_processed", 0);
  out.number("current_save_keys_total", 0);
  out.number("rdb_changes_since_last_save",
             static_cast<std::int64_t>(c.keyspace.counters().changes));
  out.number("rdb_bgsave_in_progress", 0);
  out.number("rdb_last_save_time", last_save_time_s(c));
  out.text("rdb_last_bgsave_status", "ok");
  out.number("rdb_last_bgsave_time_sec", -1);
  out.number("rdb_current_bgsave_time_sec", -1);
  out.number("rdb_saves", 0);
  out.number("rdb_last_cow_size", 0);
  out.number("rdb_last_load_keys_expired", 0);
  out.number("rdb_last_load_keys_loaded", 0);
  out.number("aof_enabled", 0);
  out.number("aof_rewrite_in_progress", 0);
  out.number("aof_rewrite_scheduled", 0);
  out.number("aof_last_rewrite_time_sec", -1);
  out.number("aof_current_rewrite_time_sec", -1);
  out.text("aof_last_bgrewrite_status", "ok");
  out.number("aof_rewrites", 0);
  out.number("aof_rewrites_consecutive_failures", 0);
  out.text("aof_last_write_status", "ok");
  out.number("aof_last_cow_size", 0);
  out.number("module_fork_in_progress", 0);
  out.number("module_fork_last_cow_size", 0);
}

namespace {

// Mean of the time left, in milliseconds, of some keys that have a deadline: names are hashed, so
// the first are as good as any.
std::int64_t average_ttl_ms(const CommandContext& c, const engine::Database& database) {
  constexpr std::size_t keys_looked_at = 200;
  std::int64_t sum_ms = 0;
  std::int64_t count = 0;
  const auto note = [&](const engine::Entry& entry) {
    if (entry.deadline_ms() == engine::no_deadline) return;
    sum_ms += (entry.deadline_ms() - c.now_ms() - sum_ms) / (count + 1);
    ++count;
  };
  database.scan(0, keys_looked_at, note);
  return sum_ms;
}

}  // namespace

void keyspace(const CommandContext& c, InfoWriter& out) {
  for (int index = 0; index < engine::database_count; ++index) {
    const engine::Database& database = c.keyspace.database(index);
    if (database.size() == 0) continue;
    out.text("db" + std::to_string(index),
             "keys=" + std::to_string(database.size()) +
                 ",expires=" + std::to_string(database.with_deadline()) +
                 ",avg_ttl=" + std::to_string(average_ttl_ms(c, database)));
  }
}

}  // namespace commands::info
