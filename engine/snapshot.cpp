#include "engine/snapshot.hpp"

#include "base/assert.hpp"
#include "engine/budget.hpp"
#include "engine/journal_format.hpp"
#include "engine/keyspace_walk.hpp"

#include <utility>

namespace engine {

Snapshot::Snapshot(Keyspace& keyspace, FileCommitLog& log, SyncWorker& worker,
                   const base::Clock& clock, Options options)
    : keyspace_(keyspace),
      log_(log),
      worker_(worker),
      clock_(clock),
      options_(options),
      images_(options.image_bytes),
      piece_(std::make_shared<std::string>()) {}

Snapshot::~Snapshot() {
  if (phase_ == Phase::walking) keyspace_.walk().discard();
}

bool Snapshot::step(std::int64_t budget_us) {
  if (keyspace_.in_frame()) return false;
  collect();
  const bool is_open = phase_ == Phase::walking || phase_ == Phase::finishing;
  if (is_open && log_.failures() != log_failures_) fail("the journal has failed meanwhile");
  switch (phase_) {
    case Phase::idle:
      return wanted_ && begin();
    case Phase::walking:
      return walk(budget_us);
    case Phase::finishing:
      return finish();
    case Phase::dropping:
      return drop(budget_us);
    case Phase::publishing:
    case Phase::tidying:
      return false;
  }
  return false;
}

bool Snapshot::begin() {
  const auto position = log_.rotate();
  // A sync of what has failed is still on its way.
  if (!position && position.error() == std::errc::resource_unavailable_try_again) return false;
  wanted_ = false;
  current_ = {};
  figures_.started_us = clock_.monotonic_us();
  figures_.keys_done = figures_.bytes_done = 0;
  if (!position) {
    report(false, "opening a journal segment: " + position.error().message());
    return wanted_;
  }
  current_.position = *position;
  log_failures_ = log_.failures();
  log_bytes_ = log_.written_bytes();
  is_draft_whole_ = is_drop_begun_ = false;
  file_ = std::make_shared<SnapshotFile>(log_.files(), *position, options_.sync_bytes);
  images_.begin({journal::FileKind::snapshot, *position, journal::stamp_of(clock_)});
  keyspace_.begin_walk(images_);
  figures_.keys = keyspace_.walk().keys_total();
  phase_ = Phase::walking;
  return true;
}

bool Snapshot::walk(std::int64_t budget_us) {
  const Budget budget(budget_us);
  do {
    if (images_.records().size() >= options_.piece_bytes) {
      if (is_worker_busy_) return false;
      hand_over(false);
    }
    if (!keyspace_.walk().step(options_.buckets_per_step)) {
      images_.end();
      phase_ = Phase::finishing;
      return finish();
    }
  } while (!budget.is_spent());
  return true;
}

bool Snapshot::finish() {
  if (is_worker_busy_) return false;
  if (images_.has_overflown()) {
    fail("a value is too large for a record");
  } else if (!is_draft_whole_) {
    is_draft_whole_ = true;
    hand_over(true);
  } else if (log_.is_rotated()) {
    phase_ = Phase::publishing;
    start_job("publishing it", [file = file_] { return file->publish(); });
  }
  return false;
}

void Snapshot::hand_over(bool is_last) {
  piece_->clear();
  // Changes may have brought more at once than a piece ought to be: that room is given back.
  if (piece_->capacity() > 4 * options_.piece_bytes) *piece_ = {};
  std::swap(*piece_, images_.records());
  figures_.bytes_done += piece_->size();
  start_job("writing its draft", [file = file_, piece = piece_, is_last]() -> IoResult {
    if (const auto written = file->write(*piece); !written) return written;
    return is_last ? file->sync() : IoResult();
  });
}

void Snapshot::start_job(std::string_view what, SyncWorker::Job job) {
  ASSERT(!is_worker_busy_);
  is_worker_busy_ = true;
  job_ = what;
  worker_.start(std::move(job));
}

void Snapshot::collect() {
  const auto result = is_worker_busy_ ? worker_.finished() : std::nullopt;
  if (!result) return;
  is_worker_busy_ = false;
  if (phase_ == Phase::publishing && *result) return published();
  if (phase_ == Phase::tidying) {
    phase_ = Phase::idle;
    const std::string left = "removing what it supersedes: ";
    return report(true, *result ? std::string() : left + result->error().message());
  }
  // What cannot be dropped is removed by the next start.
  if (*result || phase_ == Phase::dropping) return;
  fail(std::string(job_) + ": " + result->error().message());
}

void Snapshot::published() {
  log_.snapshot_taken(current_.position);
  phase_ = Phase::tidying;
  start_job("tidying", [file = file_] { return file->remove_superseded(); });
}

void Snapshot::fail(std::string text) {
  phase_ = Phase::dropping;
  if (keyspace_.walk().is_running()) keyspace_.walk().discard();
  images_.records() = {};
  report(false, std::move(text));
}

bool Snapshot::drop(std::int64_t budget_us) {
  if (!is_worker_busy_ && !is_drop_begun_) {
    is_drop_begun_ = true;
    start_job("removing its draft", [file = file_] { return file->drop(); });
  }
  const Budget budget(budget_us);
  while (keyspace_.walk().step(options_.buckets_per_step)) {
    if (budget.is_spent()) return true;
  }
  if (is_worker_busy_) return false;
  phase_ = Phase::idle;
  return wanted_;
}

void Snapshot::report(bool taken, std::string text) {
  current_.taken = taken;
  current_.keys = figures_.keys;
  current_.bytes = figures_.bytes_done;
  current_.duration_us = clock_.monotonic_us() - figures_.started_us;
  current_.ended_wall_us = clock_.wall_us();
  current_.text = std::move(text);
  figures_.last = current_;
  if (taken) figures_.last_taken = current_;
  ++(taken ? figures_.taken : figures_.failed);
  if (taken) log_bytes_at_last_ = log_bytes_;
  if (told_) told_(figures_.last);
}

Snapshot::Figures Snapshot::figures() const {
  Figures figures = figures_;
  figures.is_running = wanted_ || (phase_ != Phase::idle && phase_ != Phase::dropping);
  if (phase_ == Phase::walking) figures.keys_done = keyspace_.walk().keys_seen();
  if (phase_ == Phase::finishing || phase_ == Phase::publishing) figures.keys_done = figures.keys;
  figures.journal_bytes = journal_bytes();
  return figures;
}

}  // namespace engine
