// Snapshots while service goes on, without a second process: the state at one position of the
// journal goes to a file, in slices of the loop; the disk is written to by a worker, so that the
// loop never waits for it. Of the walk's bytes at most two pieces are in memory; images of entries
// that change meanwhile come on top.
//
// Order, which makes every step safe to crash at: a segment starts at the position; the draft is
// written and synced; the journal is durable through the position; the draft gets its name,
// durably; older snapshots and segments go. A failure before it has its name leaves everything as
// it was. When the journal has failed, a snapshot is what brings it back (FileCommitLog::rotate).
#pragma once

#include "base/clock.hpp"
#include "engine/file_commit_log.hpp"
#include "engine/image_writer.hpp"
#include "engine/keyspace.hpp"
#include "engine/snapshot_file.hpp"
#include "engine/sync_worker.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace engine {

class Snapshot {
 public:
  struct Options {
    std::size_t buckets_per_step = 32;  // walked between two looks at the time
    std::size_t image_bytes = std::size_t{64} << 10U;
    std::size_t piece_bytes = std::size_t{512} << 10U;   // handed to the worker at once
    std::uint64_t sync_bytes = std::uint64_t{8} << 20U;  // written between two syncs
  };

  // How one ended.
  struct Report {
    bool taken = false;
    Position position = 0;
    std::uint64_t keys = 0;
    std::uint64_t bytes = 0;
    std::int64_t duration_us = 0;
    std::int64_t ended_wall_us = 0;
    std::string text;  // one line for people: why not, or what is left to clean up; else empty
  };

  struct Figures {
    bool is_running = false;
    std::int64_t started_us = 0;  // monotonic; of the one that runs
    std::uint64_t keys = 0;
    std::uint64_t keys_done = 0;
    std::uint64_t bytes_done = 0;
    std::uint64_t taken = 0;
    std::uint64_t failed = 0;
    std::uint64_t journal_bytes = 0;  // written since the last one taken began
    Report last;
    Report last_taken;
  };

  // All outlive it; `worker` is its own, wakes the loop, and ends before the keyspace.
  Snapshot(Keyspace& keyspace, FileCommitLog& log, SyncWorker& worker, const base::Clock& clock,
           Options options);
  ~Snapshot();
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

  // One more, as soon as one can begin: told is called once when it has ended. Asked for twice
  // before it begins, it is one.
  void request() { wanted_ = true; }
  void set_told(std::function<void(const Report&)> told) { told_ = std::move(told); }
  // Works for about `budget_us`. Between frames, with everything appended to the log. True: there
  // is more to do at once; else call it again when a worker, its own or the log's, has woken the
  // loop.
  bool step(std::int64_t budget_us);
  // Whether step() has anything to do, now or later. Also while a failed one is cleaned up.
  [[nodiscard]] bool is_busy() const { return wanted_ || phase_ != Phase::idle; }
  [[nodiscard]] Figures figures() const;
  // --- of these, for free
  [[nodiscard]] std::uint64_t taken() const { return figures_.taken; }
  [[nodiscard]] std::uint64_t last_taken_bytes() const { return figures_.last_taken.bytes; }
  [[nodiscard]] std::uint64_t journal_bytes() const {
    return log_.written_bytes() - log_bytes_at_last_;
  }

 private:
  enum class Phase : std::uint8_t { idle, walking, finishing, publishing, tidying, dropping };

  bool begin();
  bool walk(std::int64_t budget_us);
  bool finish();
  bool drop(std::int64_t budget_us);
  void hand_over(bool is_last);
  void start_job(std::string_view what, SyncWorker::Job job);
  // What the worker has done.
  void collect();
  void published();
  void fail(std::string text);
  void report(bool taken, std::string text);

  Keyspace& keyspace_;
  FileCommitLog& log_;
  SyncWorker& worker_;
  const base::Clock& clock_;
  Options options_;
  std::function<void(const Report&)> told_;

  bool wanted_ = false;
  Phase phase_ = Phase::idle;
  ImageWriter images_;
  std::shared_ptr<SnapshotFile> file_;
  std::shared_ptr<std::string> piece_;  // with the worker, or spare
  bool is_worker_busy_ = false;
  std::string_view job_;  // what the worker does, for people
  bool is_draft_whole_ = false;
  bool is_drop_begun_ = false;
  std::uint64_t log_failures_ = 0;       // of the log when this one began
  std::uint64_t log_bytes_ = 0;          // written when this one began
  std::uint64_t log_bytes_at_last_ = 0;  // when the last one taken began
  Figures figures_;
  Report current_;
};

}  // namespace engine
