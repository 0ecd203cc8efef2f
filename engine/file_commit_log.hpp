// CommitLog in segments of a directory. Every batch is written before its turn ends, so that the
// end of the process loses nothing; syncs run on a worker, at most one at a time, and take along
// all that was written before they began (group commit).
//
// A position is committed when it is written and every batch up to it that asked for `always` is
// synced.
// After a failed write or sync what is on disk is unknown: nothing more is written, and nothing
// more is committed; positions go on. rotate() then opens a segment behind all that was appended,
// which is written to again; until snapshot_taken() says that the state where it starts is safe,
// its records name as durable what was so before the failure: a start of the server drops it.
// When there is no room on the disk, the reserve becomes the segment (journal_reserve.hpp): all
// that is appended still becomes durable. Once a second a new reserve and segment are tried; when
// both fit, all is well again.
#pragma once

#include "base/clock.hpp"
#include "engine/commit_log.hpp"
#include "engine/file_system.hpp"
#include "engine/journal_format.hpp"
#include "engine/journal_reserve.hpp"
#include "engine/sync_worker.hpp"

#include <cstdint>
#include <deque>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace engine {

class FileCommitLog final : public CommitLog {
 public:
  struct Options {
    std::uint64_t segment_bytes_max = std::uint64_t{64} << 20U;
    // Files grow by zeros ahead of the records, in steps: a sync then has no new size to write.
    std::uint64_t zeros_bytes = std::uint64_t{256} << 10U;
    std::uint64_t reserve_bytes = 0;
  };

  // Both outlive the log.
  FileCommitLog(SyncWorker& worker, const base::Clock& clock, Options options);

  // Opens the first segment in `files`, which outlive the log, durably, behind `position`.
  [[nodiscard]] IoResult start(FileSystem& files, Position position);
  void set_progress(CommitProgress* progress) { progress_ = progress; }
  // --- CommitLog
  Position append(Batch&& batch) override;
  void collect() override;
  // Begins a sync when a batch waits for one, then tells what is committed.
  void end_turn() override;
  // Syncs what is nearly a second old. What append() met is told here, or by collect().
  void check_time(std::int64_t now_us) override;
  [[nodiscard]] std::optional<std::int64_t> next_check_us() const override;
  [[nodiscard]] IoResult flush() override;
  std::optional<ReadTicket> read_barrier() override { return std::nullopt; }
  void snapshot_taken(Position position) override;
  [[nodiscard]] Position committed_position() const override;
  // Of the newest batch that asked for `always`.
  [[nodiscard]] Position read_position() const override { return newest_always_; }
  [[nodiscard]] Role role() const override { return Role::active; }
  [[nodiscard]] bool wants_frames() const override { return true; }

  // --- for snapshots (snapshot.hpp)
  // Opens a segment behind all that was appended and begins to sync everything; tells where it
  // starts. resource_unavailable_try_again: when the sync that runs has ended.
  [[nodiscard]] std::expected<Position, std::error_code> rotate();
  // Whether a sync that began behind the last rotate() has succeeded.
  [[nodiscard]] bool is_rotated() const { return synced_syncs_ >= rotation_sync_; }
  [[nodiscard]] FileSystem& files() { return *files_; }
  // --- figures
  [[nodiscard]] Position position() const { return position_; }
  [[nodiscard]] Position synced_position() const { return synced_; }
  [[nodiscard]] std::uint64_t written_bytes() const { return written_bytes_; }
  [[nodiscard]] std::uint64_t syncs() const { return syncs_; }
  // Failed also while a new segment waits for its snapshot.
  [[nodiscard]] LogHealth health() const;
  [[nodiscard]] bool has_failed() const { return health() == LogHealth::failed; }
  [[nodiscard]] const std::string& trouble() const { return trouble_; }
  [[nodiscard]] std::uint64_t failures() const { return failures_; }

 private:
  // renewing: a new segment is written to, of which nothing is committed yet.
  enum class Health : std::uint8_t { good, full, bad, renewing };
  struct Segment {
    std::shared_ptr<File> file;
    Position start = 0;
    std::uint64_t end = 0;     // of what is written
    std::uint64_t zeroed = 0;  // the file reaches to here
    bool is_reserve = false;   // and no further
  };

  [[nodiscard]] IoResult open_segment();
  [[nodiscard]] IoResult write_head(Segment& segment);
  void note_unsynced(const Segment& segment);
  [[nodiscard]] IoResult write(Segment& segment, std::string_view bytes);
  [[nodiscard]] IoResult write_record(Position position, const Batch& batch);
  [[nodiscard]] bool write_batch(Position position, const Batch& batch);
  [[nodiscard]] bool is_well() const { return health_ == Health::good || health_ == Health::full; }
  [[nodiscard]] bool take_reserve(std::error_code why);
  [[nodiscard]] bool wants_room() const;
  void start_refill();
  void refilled(const IoResult& result);
  [[nodiscard]] bool wants_sync() const;
  void start_sync();
  void note_synced();
  void note_durable(Position position);
  [[nodiscard]] SyncWorker::Job sync_job();
  void job_ended(const IoResult& result);
  void fail(const char* what, std::error_code error);
  void set_health(Health health, std::string trouble);
  void tell_health();

  FileSystem* files_ = nullptr;
  SyncWorker& worker_;
  const base::Clock& clock_;
  Options options_;
  CommitProgress* progress_ = nullptr;
  Segment segment_;                              // the one that is written to
  std::vector<std::shared_ptr<File>> unsynced_;  // files written to since the last sync began
  Position position_ = 0;                        // of the last batch
  Position synced_ = 0;
  Position sync_target_ = 0;                  // of the last sync that began
  std::uint64_t syncs_ = 0;                   // begun
  std::uint64_t synced_syncs_ = 0;            // the last one that succeeded
  std::uint64_t rotation_sync_ = 0;           // the first one behind the last rotate()
  Position told_ = 0;                         // committed, as progress_ knows
  std::deque<Position> always_;               // batches that wait for a sync, rising
  std::optional<std::int64_t> lax_since_us_;  // when the oldest `everysec` batch was written
  bool directory_changed_ = false;
  bool is_syncing_ = false;
  bool is_refilling_ = false;  // the worker makes a reserve
  JournalReserve reserve_;
  std::int64_t refill_at_us_ = 0;
  Position newest_always_ = 0;
  Health health_ = Health::good;
  Position committed_ = 0;   // unless health_ is good: since the failure
  Position renewed_at_ = 0;  // renewing: where the snapshot must be
  Position renewed_to_ = 0;  // renewing: what is durable behind it
  std::string trouble_;
  LogHealth told_health_ = LogHealth::good;
  bool is_health_told_ = true;
  std::uint64_t failures_ = 0;
  std::uint64_t written_bytes_ = 0;
  std::string record_;
};

}  // namespace engine
