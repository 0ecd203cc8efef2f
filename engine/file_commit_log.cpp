#include "engine/file_commit_log.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <utility>

namespace engine {
namespace {

// `everysec`: so early that what was answered a second ago is on a healthy disk.
constexpr std::int64_t lax_us = 750'000;

}  // namespace

FileCommitLog::FileCommitLog(SyncWorker& worker, const base::Clock& clock, Options options)
    : worker_(worker), clock_(clock), options_(options) {}

IoResult FileCommitLog::start(FileSystem& files, Position position) {
  files_ = &files;
  position_ = position;
  synced_ = position;
  if (const auto opened = open_segment(); !opened) return opened;
  return flush();
}

IoResult FileCommitLog::open_segment() {
  const std::string name = journal::file_name(journal::FileKind::segment, position_);
  // One without a batch is left over when nothing was written since the last start; one that was
  // given up is superseded.
  static_cast<void>(files_->remove(name));
  auto file = files_->open(name, OpenMode::create);
  if (!file) return std::unexpected(file.error());
  directory_changed_ = true;
  Segment opened{.file = std::move(*file), .start = position_};
  record_.clear();
  journal::write_preamble(record_);
  journal::write_head(
      record_, {journal::FileKind::segment,
                position_,
                {clock_.lease_ms(), clock_.boottime_us(), clock_.wall_us(), clock_.boot_id()}});
  if (const auto written = write(opened, record_); !written) {
    // Batches may yet go to the segment before it: none may seem to begin here.
    unsynced_.pop_back();
    if (!files_->remove(name) && health_ == Health::good) {
      fail("removing half a journal segment", written.error());
    }
    return written;
  }
  segment_ = std::move(opened);
  return {};
}

IoResult FileCommitLog::write(Segment& segment, std::string_view bytes) {
  if (unsynced_.empty() || unsynced_.back() != segment.file) unsynced_.push_back(segment.file);
  if (segment.end + bytes.size() > segment.zeroed) {
    const std::string zeros(options_.zeros_bytes, '\0');
    const std::uint64_t from = std::max(segment.zeroed, segment.end + bytes.size());
    if (const auto zeroed = segment.file->write_at(from, zeros); !zeroed) return zeroed;
    segment.zeroed = from + options_.zeros_bytes;
  }
  if (const auto written = segment.file->write_at(segment.end, bytes); !written) return written;
  segment.end += bytes.size();
  written_bytes_ += bytes.size();
  return {};
}

bool FileCommitLog::write_batch(Position position, const Batch& batch) {
  if (segment_.end >= options_.segment_bytes_max) {
    if (const auto opened = open_segment(); !opened) {
      fail("opening a journal segment", opened.error());
      return false;
    }
  }
  record_.clear();
  journal::write_batch(record_, {position, synced_, batch.lease_ms, clock_.wall_us(), batch.bytes});
  if (const auto written = write(segment_, record_); !written) {
    fail("writing the journal", written.error());
    return false;
  }
  return true;
}

Position FileCommitLog::append(Batch&& batch) {
  const Position position = position_ + 1;
  const bool is_written = health_ != Health::bad && write_batch(position, batch);
  position_ = position;
  if (!is_written) return position;
  if (batch.policy == SyncPolicy::always) always_.push_back(position);
  if (batch.policy == SyncPolicy::everysec && !lax_since_us_) lax_since_us_ = clock_.monotonic_us();
  return position;
}

void FileCommitLog::end_turn() {
  if (wants_sync() && !is_syncing_) start_sync();
  const Position committed = committed_position();
  if (committed <= told_ || progress_ == nullptr) return;
  told_ = committed;
  progress_->committed(committed);
}

Position FileCommitLog::committed_position() const {
  if (health_ != Health::good) return committed_;
  return always_.empty() ? position_ : always_.front() - 1;
}

// --- syncs

SyncWorker::Job FileCommitLog::sync_job() {
  ++syncs_;
  sync_target_ = position_;
  lax_since_us_.reset();
  const bool directory = std::exchange(directory_changed_, false);
  return [files = std::exchange(unsynced_, {}), directory, &disk = *files_]() -> IoResult {
    for (const auto& file : files) {
      if (const auto synced = file->sync(); !synced) return synced;
    }
    if (directory) return disk.sync_directory();
    return {};
  };
}

// While a new segment waits for its snapshot nothing is committed by a sync.
bool FileCommitLog::wants_sync() const {
  if (health_ == Health::bad) return false;
  return syncs_ < rotation_sync_ || (health_ == Health::good && !always_.empty());
}

void FileCommitLog::start_sync() {
  is_syncing_ = true;
  worker_.start(sync_job());
}

void FileCommitLog::collect() {
  const auto result = worker_.finished();
  if (result) is_syncing_ = false;
  if (result && !*result) fail("syncing the journal", result->error());
  tell_failure();
  if (result && health_ != Health::bad) note_synced();
}

void FileCommitLog::note_synced() {
  synced_syncs_ = syncs_;
  if (health_ == Health::renewing) {
    renewed_to_ = sync_target_;
    return;
  }
  note_durable(sync_target_);
}

void FileCommitLog::note_durable(Position position) {
  synced_ = position;
  while (!always_.empty() && always_.front() <= synced_) always_.pop_front();
}

void FileCommitLog::check_time(std::int64_t now_us) {
  tell_failure();
  const auto due_us = next_check_us();
  if (due_us && now_us >= *due_us) start_sync();
}

std::optional<std::int64_t> FileCommitLog::next_check_us() const {
  if (health_ != Health::good || is_syncing_ || !lax_since_us_) return std::nullopt;
  return *lax_since_us_ + lax_us;
}

IoResult FileCommitLog::flush() {
  if (is_syncing_) {
    auto result = worker_.finished();
    while (!result) {
      std::this_thread::yield();
      result = worker_.finished();
    }
    is_syncing_ = false;
    if (!*result) return *result;
    if (health_ != Health::bad) note_synced();
  }
  if (health_ != Health::good) return std::unexpected(std::make_error_code(std::errc::io_error));
  if (!needs_sync()) return {};
  if (const auto synced = sync_job()(); !synced) return synced;
  note_synced();
  return {};
}

// --- snapshots

std::expected<Position, std::error_code> FileCommitLog::rotate() {
  const bool was_bad = health_ == Health::bad;
  if (was_bad && is_syncing_) {
    return std::unexpected(std::make_error_code(std::errc::resource_unavailable_try_again));
  }
  // What has failed is never synced again: the snapshot stands for it.
  if (was_bad) unsynced_.clear();
  if (was_bad || segment_.start != position_) {
    if (const auto opened = open_segment(); !opened) return std::unexpected(opened.error());
  }
  if (was_bad) health_ = Health::renewing;
  renewed_at_ = renewed_to_ = position_;
  rotation_sync_ = syncs_ + 1;
  if (!is_syncing_) start_sync();
  return position_;
}

void FileCommitLog::snapshot_taken(Position position) {
  if (health_ != Health::renewing || position != renewed_at_) return;
  ASSERT(is_rotated());
  health_ = Health::good;
  note_durable(renewed_to_);
}

// --- failures

void FileCommitLog::fail(const char* what, std::error_code error) {
  if (health_ == Health::good) committed_ = committed_position();
  health_ = Health::bad;
  ++failures_;
  failure_ = std::string(what) + ": " + error.message();
  always_.clear();
  lax_since_us_.reset();
}

void FileCommitLog::tell_failure() {
  if (failure_.empty() || progress_ == nullptr) return;
  progress_->log_failed(std::exchange(failure_, {}));
}

}  // namespace engine
