// INFO: what is kept, and how durably.
#include "commands/info_section_writers.hpp"
#include "commands/info_sections.hpp"
#include "commands/journal_control.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace commands::info {

namespace {

constexpr std::int64_t second_us = 1'000'000;

void loading(const JournalFigures& journal, const CommandContext& c, InfoWriter& out) {
  const std::uint64_t total = std::max<std::uint64_t>(journal.load_bytes, 1);
  const std::uint64_t loaded = std::min(journal.loaded_bytes, total);
  const auto elapsed_s = (c.clock.wall_us() - journal.load_started_us) / second_us;
  const auto left = static_cast<double>(total - loaded) / static_cast<double>(loaded + 1);
  out.number("loading_start_time", journal.load_started_us / second_us);
  out.size("loading_total_bytes", total);
  out.size("loading_loaded_bytes", loaded);
  out.ratio("loading_loaded_perc", 100 * loaded, total);
  out.number("loading_eta_seconds",
             static_cast<std::int64_t>(static_cast<double>(elapsed_s) * left) + 1);
}

// What Redis has no word for.
void own_journal(const JournalFigures& journal, InfoWriter& out) {
  constexpr std::string_view health_names[] = {"ok", "disk-full", "failed"};
  out.text("journal_health", health_names[static_cast<std::size_t>(journal.health)]);
  out.text("journal_trouble", journal.trouble);
  out.size("journal_position", journal.position);
  out.size("journal_synced_position", journal.synced_position);
  out.size("journal_written_bytes", journal.written_bytes);
  out.size("journal_syncs", journal.syncs);
  out.size("journal_recovered_batches", journal.recovered_batches);
  out.size("journal_dropped_bytes", journal.dropped_bytes);
}

}  // namespace

// Redis' fields: its AOF is our journal, its RDB our snapshots.
void persistence(const CommandContext& c, InfoWriter& out) {
  const JournalFigures journal = c.server.journal->figures();
  const std::int64_t saving_s =
      journal.is_saving ? (c.clock.wall_us() - journal.save_started_us) / second_us : -1;
  const std::int64_t took_s =
      journal.last_save_took_us < 0 ? -1 : journal.last_save_took_us / second_us;
  const std::string_view save_status = journal.last_save_failed ? "err" : "ok";
  const bool is_healthy = journal.health == engine::LogHealth::good;
  out.number("loading", journal.is_loading ? 1 : 0);
  out.number("async_loading", 0);
  out.number("current_cow_peak", 0);
  out.number("current_cow_size", 0);
  out.number("current_cow_size_age", 0);
  out.text("current_fork_perc", "0.00");
  out.size("current_save_keys_processed", journal.keys_saved);
  out.size("current_save_keys_total", journal.keys_to_save);
  out.number("rdb_changes_since_last_save",
             static_cast<std::int64_t>(c.keyspace.counters().changes - journal.changes_at_save));
  out.number("rdb_bgsave_in_progress", journal.is_saving ? 1 : 0);
  out.number("rdb_last_save_time", last_save_time_s(c));
  out.text("rdb_last_bgsave_status", save_status);
  out.number("rdb_last_bgsave_time_sec", took_s);
  out.number("rdb_current_bgsave_time_sec", saving_s);
  out.size("rdb_saves", journal.saves);
  out.number("rdb_last_cow_size", 0);
  out.number("rdb_last_load_keys_expired", 0);
  out.number("rdb_last_load_keys_loaded", 0);
  out.number("aof_enabled", journal.is_on ? 1 : 0);
  out.number("aof_rewrite_in_progress", journal.is_saving ? 1 : 0);
  out.number("aof_rewrite_scheduled", 0);
  out.number("aof_last_rewrite_time_sec", took_s);
  out.number("aof_current_rewrite_time_sec", saving_s);
  out.text("aof_last_bgrewrite_status", save_status);
  out.size("aof_rewrites", journal.saves);
  out.number("aof_rewrites_consecutive_failures", journal.last_save_failed ? 1 : 0);
  out.text("aof_last_write_status", is_healthy ? "ok" : "err");
  out.number("aof_last_cow_size", 0);
  out.number("module_fork_in_progress", 0);
  out.number("module_fork_last_cow_size", 0);
  if (journal.is_loading) loading(journal, c, out);
  if (!journal.is_on) return;
  out.size("aof_current_size", journal.snapshot_bytes + journal.bytes);
  out.size("aof_base_size", journal.snapshot_bytes);
  out.number("aof_pending_rewrite", 0);
  out.number("aof_buffer_length", 0);
  out.number("aof_pending_bio_fsync", journal.synced_position < journal.position ? 1 : 0);
  out.number("aof_delayed_fsync", 0);  // no write waits for a sync
  own_journal(journal, out);
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
