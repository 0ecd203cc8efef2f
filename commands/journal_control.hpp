// What INFO, SAVE and kin ask of the journal. Implemented in server/.
#pragma once

#include "engine/commit_log.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

namespace commands {

struct JournalFigures {
  bool is_on = false;
  engine::LogHealth health = engine::LogHealth::good;
  std::string trouble;  // one line, while it is not good
  // While the start loads what is there.
  bool is_loading = false;
  std::int64_t load_started_us = 0;  // wall
  std::uint64_t load_bytes = 0;      // to be loaded
  std::uint64_t loaded_bytes = 0;
  // What the start found.
  std::optional<std::uint64_t> recovered_position;  // nullopt: not yet
  std::uint64_t recovered_batches = 0;
  std::uint64_t dropped_bytes = 0;  // torn tail
  // Of the log.
  std::uint64_t position = 0;  // of the last batch
  std::uint64_t synced_position = 0;
  std::uint64_t bytes = 0;           // behind the last snapshot
  std::uint64_t snapshot_bytes = 0;  // of the last snapshot
  std::uint64_t written_bytes = 0;   // since the start
  std::uint64_t syncs = 0;
  // Snapshots.
  bool is_saving = false;
  bool last_save_failed = false;
  std::int64_t save_started_us = 0;  // wall
  std::int64_t last_saved_us = 0;    // wall; 0: there is none
  std::int64_t last_save_took_us = -1;
  std::uint64_t keys_saved = 0;  // of the one that runs
  std::uint64_t keys_to_save = 0;
  std::uint64_t saves = 0;
  std::uint64_t changes_at_save = 0;  // KeyspaceCounters::changes when the last one began
};

class JournalControl {
 public:
  virtual ~JournalControl() = default;
  [[nodiscard]] virtual JournalFigures figures() = 0;
  // Begins a snapshot, or another one behind the one that runs. The error is why it cannot.
  [[nodiscard]] virtual std::expected<void, std::string> begin_save() = 0;
};

// Keys live in memory only.
class NoJournal final : public JournalControl {
 public:
  [[nodiscard]] static NoJournal& instance();
  [[nodiscard]] JournalFigures figures() override { return {}; }
  [[nodiscard]] std::expected<void, std::string> begin_save() override;
};

}  // namespace commands
