#include "engine/file_commit_log.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace engine {
namespace {

// `everysec`: so early that what was answered a second ago is on a healthy disk.
constexpr std::int64_t lax_us = 750'000;
constexpr std::int64_t refill_interval_us = 1'000'000;

std::unexpected<std::error_code> no_room() {
  return std::unexpected(std::make_error_code(std::errc::no_space_on_device));
}

bool is_no_room(std::error_code error) {
  return error == std::errc::no_space_on_device ||
         error == std::error_code(EDQUOT, std::generic_category());
}

}  // namespace

FileCommitLog::FileCommitLog(SyncWorker& worker, const base::Clock& clock, Options options)
    : worker_(worker), clock_(clock), options_(options), reserve_(options.reserve_bytes) {}

IoResult FileCommitLog::start(FileSystem& files, Position position) {
  files_ = &files;
  position_ = position;
  synced_ = position;
  if (const auto opened = open_segment(); !opened) return opened;
  // Without room for it the server starts all the same, and tries again.
  if (reserve_.is_missing()) refilled(JournalReserve::fill(files, reserve_.bytes()));
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
  if (const auto written = write_head(opened); !written) {
    // Batches may yet go to the segment before it: none may seem to begin here.
    unsynced_.pop_back();
    if (!files_->remove(name) && is_well()) {
      fail("removing half a journal segment", written.error());
    }
    return written;
  }
  segment_ = std::move(opened);
  return {};
}

IoResult FileCommitLog::write_head(Segment& segment) {
  record_.clear();
  journal::write_preamble(record_);
  journal::write_head(record_, {journal::FileKind::segment, position_, journal::stamp_of(clock_)});
  return write(segment, record_);
}

void FileCommitLog::note_unsynced(const Segment& segment) {
  if (unsynced_.empty() || unsynced_.back() != segment.file) unsynced_.push_back(segment.file);
}

IoResult FileCommitLog::write(Segment& segment, std::string_view bytes) {
  note_unsynced(segment);
  if (segment.end + bytes.size() > segment.zeroed) {
    if (segment.is_reserve) return no_room();
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

IoResult FileCommitLog::write_record(Position position, const Batch& batch) {
  if (segment_.end >= options_.segment_bytes_max && health_ != Health::full) {
    if (const auto opened = open_segment(); !opened) return opened;
  }
  record_.clear();
  journal::write_batch(record_, {position, synced_, batch.lease_ms, clock_.wall_us(), batch.bytes});
  return write(segment_, record_);
}

bool FileCommitLog::write_batch(Position position, const Batch& batch) {
  auto written = write_record(position, batch);
  if (!written && health_ == Health::good && is_no_room(written.error()) &&
      take_reserve(written.error())) {
    written = write_record(position, batch);
  }
  if (!written) fail("writing the journal", written.error());
  return written.has_value();
}

Position FileCommitLog::append(Batch&& batch) {
  const Position position = position_ + 1;
  const bool is_written = health_ != Health::bad && write_batch(position, batch);
  if (batch.policy == SyncPolicy::always) newest_always_ = position;
  position_ = position;
  if (!is_written) return position;
  if (batch.policy == SyncPolicy::always) always_.push_back(position);
  if (batch.policy == SyncPolicy::everysec && !lax_since_us_) lax_since_us_ = clock_.monotonic_us();
  return position;
}

void FileCommitLog::end_turn() {
  if (wants_sync() && !is_syncing_ && !is_refilling_) start_sync();
  const Position committed = committed_position();
  if (committed <= told_ || progress_ == nullptr) return;
  told_ = committed;
  progress_->committed(committed);
}

Position FileCommitLog::committed_position() const {
  if (!is_well()) return committed_;
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
  return syncs_ < rotation_sync_ || (is_well() && !always_.empty());
}

void FileCommitLog::start_sync() {
  is_syncing_ = true;
  worker_.start(sync_job());
}

void FileCommitLog::collect() {
  if (const auto result = worker_.finished()) job_ended(*result);
  tell_health();
}

void FileCommitLog::job_ended(const IoResult& result) {
  if (std::exchange(is_refilling_, false)) return refilled(result);
  is_syncing_ = false;
  if (!result) return fail("syncing the journal", result.error());
  if (health_ != Health::bad) note_synced();
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
  tell_health();
  // While a start loads the journal the loop runs already.
  if (files_ == nullptr || is_syncing_ || is_refilling_ || !is_well()) return;
  if (lax_since_us_ && now_us >= *lax_since_us_ + lax_us) return start_sync();
  if (wants_room() && now_us >= refill_at_us_) start_refill();
}

std::optional<std::int64_t> FileCommitLog::next_check_us() const {
  if (!is_health_told_) return 0;
  if (files_ == nullptr || is_syncing_ || is_refilling_ || !is_well()) return std::nullopt;
  std::optional<std::int64_t> next;
  if (lax_since_us_) next = *lax_since_us_ + lax_us;
  if (wants_room()) next = std::min(next.value_or(refill_at_us_), refill_at_us_);
  return next;
}

IoResult FileCommitLog::flush() {
  while (is_syncing_ || is_refilling_) {
    const auto result = worker_.finished();
    if (result) {
      job_ended(*result);
    } else {
      std::this_thread::yield();
    }
  }
  if (!is_well()) return std::unexpected(std::make_error_code(std::errc::io_error));
  if (synced_ >= position_ && !directory_changed_) return {};
  if (const auto synced = sync_job()(); !synced) {
    fail("syncing the journal", synced.error());
    return synced;
  }
  note_synced();
  return {};
}

// --- a full disk

bool FileCommitLog::take_reserve(std::error_code why) {
  // What was torn goes, with the zeros: the records go on in the next file.
  if (const auto cut = segment_.file->resize(segment_.end); !cut) return false;
  note_unsynced(segment_);
  const std::string name = journal::file_name(journal::FileKind::segment, position_);
  auto file = reserve_.take(*files_, name);
  if (!file) return false;
  directory_changed_ = true;
  segment_ = {.file = std::move(*file), .start = position_, .zeroed = reserve_.bytes()};
  segment_.is_reserve = true;
  set_health(Health::full, "writing the journal: " + why.message());
  refill_at_us_ = clock_.monotonic_us() + refill_interval_us;
  return write_head(segment_).has_value();
}

bool FileCommitLog::wants_room() const {
  return reserve_.is_missing() || health_ == Health::full;
}

void FileCommitLog::start_refill() {
  // Only the segment behind it did not fit the last time.
  if (!reserve_.is_missing()) return refilled({});
  is_refilling_ = true;
  worker_.start(
      [&files = *files_, bytes = reserve_.bytes()] { return JournalReserve::fill(files, bytes); });
}

void FileCommitLog::refilled(const IoResult& result) {
  refill_at_us_ = clock_.monotonic_us() + refill_interval_us;
  reserve_.set_ready(result.has_value());
  // Room for a new segment, too: all is well. Else what was the reserve stays the segment for now.
  if (result && health_ == Health::full && open_segment()) set_health(Health::good, {});
}

// --- snapshots

std::expected<Position, std::error_code> FileCommitLog::rotate() {
  if (health_ == Health::full) return no_room();
  const bool was_bad = health_ == Health::bad;
  if (was_bad && (is_syncing_ || is_refilling_)) {
    return std::unexpected(std::make_error_code(std::errc::resource_unavailable_try_again));
  }
  // What has failed is never synced again: the snapshot stands for it.
  if (was_bad) unsynced_.clear();
  if (was_bad || segment_.start != position_) {
    if (const auto opened = open_segment(); !opened) return std::unexpected(opened.error());
  }
  if (was_bad) set_health(Health::renewing, trouble_);
  renewed_at_ = renewed_to_ = position_;
  rotation_sync_ = syncs_ + 1;
  if (!is_syncing_ && !is_refilling_) start_sync();
  return position_;
}

void FileCommitLog::snapshot_taken(Position position) {
  if (health_ != Health::renewing || position != renewed_at_) return;
  ASSERT(is_rotated());
  set_health(Health::good, {});
  note_durable(renewed_to_);
}

// --- failures

void FileCommitLog::fail(const char* what, std::error_code error) {
  if (is_well()) committed_ = committed_position();
  ++failures_;
  always_.clear();
  lax_since_us_.reset();
  set_health(Health::bad, std::string(what) + ": " + error.message());
}

LogHealth FileCommitLog::health() const {
  if (health_ == Health::full) return LogHealth::full;
  return health_ == Health::good ? LogHealth::good : LogHealth::failed;
}

void FileCommitLog::set_health(Health health, std::string trouble) {
  health_ = health;
  trouble_ = std::move(trouble);
  // Another failure is news, too.
  if (health == Health::bad || this->health() != told_health_) is_health_told_ = false;
}

void FileCommitLog::tell_health() {
  if (progress_ == nullptr || std::exchange(is_health_told_, true)) return;
  told_health_ = health();
  progress_->health_changed(told_health_, trouble_);
}

}  // namespace engine
