// A journal on a disk in memory, with batches whose frames are mere texts and a worker that syncs
// when it is told to.
#pragma once

#include "base/clock.hpp"
#include "engine/file_commit_log.hpp"
#include "engine/journal_recovery.hpp"
#include "tests/support/disk/heard_progress.hpp"
#include "tests/support/disk/memory_file_system.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace test {

class ManualWorker final : public engine::SyncWorker {
 public:
  void start(Job job) override { job_ = std::move(job); }
  std::optional<engine::IoResult> finished() override {
    if (!job_ || held) return std::nullopt;
    return std::exchange(job_, nullptr)();
  }
  bool held = false;

 private:
  Job job_;
};

// What was recovered: the texts of the frames, in order.
class RecordedState final : public engine::CommittedState {
 public:
  bool apply(engine::Position position, std::string_view frames) override {
    if (refused == position) return false;
    texts.emplace_back(frames);
    positions.push_back(position);
    return true;
  }
  std::vector<std::string> texts;
  std::vector<engine::Position> positions;
  std::optional<engine::Position> refused;
};

class JournalWorld : public HeardProgress {
 public:
  explicit JournalWorld(MemoryFileSystem& files, engine::FileCommitLog::Options options = {})
      : files_(files), options_(options) {}

  // Recovers and opens a log behind what was recovered. False: see failure.
  bool start() {
    state = {};
    failure = {};
    engine::journal::Recovery recovery(files_, state);
    const auto found = recovery.run();
    if (!found) {
      failure = found.error();
      return false;
    }
    recovered = *found;
    log = std::make_unique<engine::FileCommitLog>(worker, clock, options_);
    log->set_progress(this);
    return log->start(files_, recovered.position).has_value();
  }
  engine::Position append(std::string text,
                          engine::SyncPolicy policy = engine::SyncPolicy::always) {
    engine::Batch batch;
    batch.bytes = std::move(text);
    batch.frames = 1;
    batch.lease_ms = clock.lease_ms();
    batch.policy = policy;
    const engine::Position position = log->append(std::move(batch));
    log->end_turn();
    return position;
  }

  // The worker may have finished.
  void collect() {
    log->collect();
    log->end_turn();
  }

  base::ManualClock clock;
  ManualWorker worker;
  RecordedState state;
  engine::journal::Recovered recovered;
  engine::journal::RecoveryFailure failure;  // without a reason: none
  std::unique_ptr<engine::FileCommitLog> log;

 private:
  MemoryFileSystem& files_;
  engine::FileCommitLog::Options options_;
};

}  // namespace test
