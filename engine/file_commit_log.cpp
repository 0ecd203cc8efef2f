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
  // One without a batch is left over when nothing was written since the last start.
  static_cast<void>(files_->remove(name));
  auto file = files_->open(name, OpenMode::create);
  if (!file) return std::unexpected(file.error());
  segment_ = {.file = std::move(*file)};
  directory_changed_ = true;
  record_.clear();
  journal::write_preamble(record_);
  journal::write_head(
      record_, {journal::FileKind::segment,
                position_,
                {clock_.lease_ms(), clock_.boottime_us(), clock_.wall_us(), clock_.boot_id()}});
  return write(record_);
}

IoResult FileCommitLog::write(std::string_view bytes) {
  if (segment_.end + bytes.size() > segment_.zeroed) {
    const std::string zeros(options_.zeros_bytes, '\0');
    const std::uint64_t from = std::max(segment_.zeroed, segment_.end + bytes.size());
    if (const auto zeroed = segment_.file->write_at(from, zeros); !zeroed) return zeroed;
    segment_.zeroed = from + options_.zeros_bytes;
  }
  if (unsynced_.empty() || unsynced_.back() != segment_.file) unsynced_.push_back(segment_.file);
  if (const auto written = segment_.file->write_at(segment_.end, bytes); !written) return written;
  segment_.end += bytes.size();
  written_bytes_ += bytes.size();
  return {};
}

Position FileCommitLog::append(Batch&& batch) {
  const Position position = position_ + 1;
  if (failed_) return position;
  if (segment_.end >= options_.segment_bytes_max) {
    if (const auto opened = open_segment(); !opened) {
      fail("opening a journal segment", opened.error());
      return position;
    }
  }
  record_.clear();
  journal::write_batch(record_, {position, synced_, batch.lease_ms, clock_.wall_us(), batch.bytes});
  if (const auto written = write(record_); !written) {
    fail("writing the journal", written.error());
    return position;
  }
  position_ = position;
  if (batch.policy == SyncPolicy::always) always_.push_back(position);
  if (batch.policy == SyncPolicy::everysec && !lax_since_us_) lax_since_us_ = clock_.monotonic_us();
  return position;
}

void FileCommitLog::end_turn() {
  if (failed_) return;
  if (!always_.empty() && !is_syncing_) start_sync();
  const Position committed = committed_position();
  if (committed <= told_ || progress_ == nullptr) return;
  told_ = committed;
  progress_->committed(committed);
}

Position FileCommitLog::committed_position() const {
  return always_.empty() ? position_ : always_.front() - 1;
}

SyncWorker::Job FileCommitLog::sync_job() {
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

void FileCommitLog::start_sync() {
  is_syncing_ = true;
  ++syncs_;
  worker_.start(sync_job());
}

void FileCommitLog::collect() {
  const auto result = worker_.finished();
  if (result) is_syncing_ = false;
  if (result && !*result) fail("syncing the journal", result->error());
  tell_failure();
  if (result && !failed_) note_synced(sync_target_);
}

void FileCommitLog::note_synced(Position position) {
  synced_ = position;
  while (!always_.empty() && always_.front() <= synced_) always_.pop_front();
}

void FileCommitLog::check_time(std::int64_t now_us) {
  tell_failure();
  if (failed_ || is_syncing_ || !lax_since_us_) return;
  if (now_us - *lax_since_us_ >= lax_us) start_sync();
}

std::optional<std::int64_t> FileCommitLog::next_check_us() const {
  if (failed_ || is_syncing_ || !lax_since_us_) return std::nullopt;
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
    note_synced(sync_target_);
  }
  if (!needs_sync()) return {};
  ++syncs_;
  if (const auto synced = sync_job()(); !synced) return synced;
  note_synced(sync_target_);
  return {};
}

void FileCommitLog::snapshot_taken(Position position) {
  static_cast<void>(position);
}

void FileCommitLog::fail(const char* what, std::error_code error) {
  failed_ = true;
  failure_ = std::string(what) + ": " + error.message();
}

void FileCommitLog::tell_failure() {
  if (!failed_ || failure_.empty() || progress_ == nullptr) return;
  progress_->log_failed(std::exchange(failure_, {}));
}

}  // namespace engine
