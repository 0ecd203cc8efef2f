// A keyspace with journal and snapshots on a disk in memory, and workers that do their job when
// they are asked for it. start() again is the next life of the process.
#pragma once

#include "base/clock.hpp"
#include "engine/file_commit_log.hpp"
#include "engine/journal_recovery.hpp"
#include "engine/keyspace.hpp"
#include "engine/snapshot.hpp"
#include "tests/support/disk/heard_progress.hpp"
#include "tests/support/disk/journal_world.hpp"
#include "tests/support/disk/keyspace_text.hpp"
#include "tests/support/disk/memory_file_system.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace test {

class SnapshotWorld : public HeardProgress, public engine::CommittedState {
 public:
  struct Options {
    engine::FileCommitLog::Options log;
    // Small, so that few keys take many steps and pieces.
    engine::Snapshot::Options snapshot{
        .buckets_per_step = 4, .image_bytes = 64, .piece_bytes = 200, .sync_bytes = 1000};
  };

  explicit SnapshotWorld(MemoryFileSystem& files) : SnapshotWorld(files, Options()) {}
  SnapshotWorld(MemoryFileSystem& files, Options options) : files_(files), options_(options) {}

  // Recovers and opens a log behind what was recovered. False: see failure, or the disk failed.
  bool start() {
    ++lives_;
    snapshot.reset();
    keyspace = std::make_unique<engine::Keyspace>(0, lives_);
    reports.clear();
    reasons.clear();
    failure = {};
    log_worker = {};
    snapshot_worker = {};
    engine::journal::Recovery recovery(files_, *this);
    const auto found = recovery.run();
    if (!found) {
      failure = found.error();
      return false;
    }
    recovered = *found;
    log = std::make_unique<engine::FileCommitLog>(log_worker, clock, options_.log);
    log->set_progress(this);
    if (!log->start(files_, recovered.position)) return false;
    keyspace->set_frames_wanted(true);
    snapshot = std::make_unique<engine::Snapshot>(*keyspace, *log, snapshot_worker, clock,
                                                  options_.snapshot);
    snapshot->set_told([this](const engine::Snapshot::Report& ended) { reports.push_back(ended); });
    return true;
  }

  // One frame, which is a turn and a batch of its own.
  template <typename Change>
  engine::Position turn(Change change) {
    keyspace->begin_frame(clock.lease_ms());
    change(*keyspace);
    keyspace->end_frame();
    return end_turn();
  }
  // Appends what has been done. 0: nothing.
  engine::Position end_turn() {
    engine::Batch batch = keyspace->take_batch();
    if (batch.empty()) return 0;
    last_batch = batch.bytes;
    last_policy = batch.policy;
    const engine::Position position = log->append(std::move(batch));
    log->end_turn();
    return position;
  }
  // Until nothing is left to do. False: it hangs.
  bool run_to_idle() {
    constexpr int steps_max = 100'000;
    for (int step = 0; step < steps_max; ++step) {
      log->collect();
      log->end_turn();
      if (!snapshot->is_busy()) return true;
      snapshot->step(0);
    }
    return false;
  }
  [[nodiscard]] std::string text() const { return text_of(*keyspace); }

  // --- CommittedState
  bool apply(engine::Position, std::string_view frames) override {
    return keyspace->replay(frames);
  }

  base::ManualClock clock;
  ManualWorker log_worker;
  ManualWorker snapshot_worker;
  std::unique_ptr<engine::Keyspace> keyspace;
  std::unique_ptr<engine::FileCommitLog> log;
  std::unique_ptr<engine::Snapshot> snapshot;
  engine::journal::Recovered recovered;
  engine::journal::RecoveryFailure failure;  // without a reason: none
  std::vector<engine::Snapshot::Report> reports;
  std::string last_batch;
  engine::SyncPolicy last_policy = engine::SyncPolicy::no;

 private:
  MemoryFileSystem& files_;
  Options options_;
  std::uint64_t lives_ = 0;  // also the seed of the keyspace
};

}  // namespace test
