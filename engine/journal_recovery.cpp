#include "engine/journal_recovery.hpp"

#include "engine/journal_reader.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace engine::journal {
namespace {

std::unexpected<RecoveryFailure> failure(std::string reason, std::string file,
                                         std::uint64_t offset = 0) {
  return std::unexpected(RecoveryFailure{
      .reason = std::move(reason), .file = std::move(file), .offset = offset, .error = {}});
}

std::unexpected<RecoveryFailure> io_failure(std::error_code error, const std::string& file) {
  return std::unexpected(RecoveryFailure{.reason = error.message(), .file = file, .error = error});
}

// Never cut: the program that wrote it can read it.
std::unexpected<RecoveryFailure> version_failure(const std::string& file) {
  return std::unexpected(RecoveryFailure{.reason = "a newer version of this program wrote the file",
                                         .file = file,
                                         .error = std::make_error_code(std::errc::not_supported)});
}

}  // namespace

std::expected<Recovered, RecoveryFailure> Recovery::run() {
  for (const auto step : {&Recovery::look_around, &Recovery::load_snapshot,
                          &Recovery::load_segments, &Recovery::make_durable}) {
    if (auto done = (this->*step)(); !done) {
      done.error().position = found_.position;
      return std::unexpected(std::move(done.error()));
    }
  }
  return found_;
}

std::uint64_t Recovery::bytes_to_read() {
  std::uint64_t bytes = 0;
  const auto names = files_.list();
  for (const std::string& name : names.value_or(std::vector<std::string>{})) {
    if (!parse_file_name(name)) continue;
    const auto file = files_.open(name, OpenMode::read);
    if (file) bytes += (*file)->size().value_or(0);
  }
  return bytes;
}

Recovery::Step Recovery::remove(const std::string& name) {
  if (const auto removed = files_.remove(name); !removed) return io_failure(removed.error(), name);
  return {};
}

Recovery::Step Recovery::look_around() {
  const auto names = files_.list();
  if (!names) return io_failure(names.error(), ".");
  for (const std::string& name : *names) {
    if (is_draft_name(name)) {
      if (const auto removed = remove(name); !removed) return removed;
      continue;
    }
    const auto file = parse_file_name(name);
    if (!file) continue;
    (file->kind == FileKind::segment ? segments_ : snapshots_).push_back(file->position);
  }
  std::ranges::sort(segments_);
  std::ranges::sort(snapshots_);
  return {};
}

// A snapshot gets its name when it is complete and durable, and only then do older files go: the
// newest must be whole.
Recovery::Step Recovery::load_snapshot() {
  if (snapshots_.empty()) return {};
  const Position position = snapshots_.back();
  const std::string name = file_name(FileKind::snapshot, position);
  const auto file = files_.open(name, OpenMode::read);
  if (!file) return io_failure(file.error(), name);
  Reader reader(**file);
  const auto head = reader.read_head();
  if (head && (head->kind != FileKind::snapshot || head->position != position)) {
    return failure("the file is not what its name says", name);
  }
  if (const auto applied = apply_images(reader, name, position); !applied) return applied;
  found_.position = found_.snapshot_position = durable_ = position;
  if (head) note_head(head->stamp);
  // Its name may not be durable yet: the process was killed. What follows removes what it replaces.
  if (const auto synced = files_.sync_directory(); !synced) return io_failure(synced.error(), name);
  for (std::size_t older = 0; older + 1 < snapshots_.size(); ++older) {
    const auto removed = remove(file_name(FileKind::snapshot, snapshots_[older]));
    if (!removed) return removed;
  }
  return {};
}

// To the end record. What was applied before a failure does not matter: the start ends with it.
Recovery::Step Recovery::apply_images(Reader& reader, const std::string& name, Position position) {
  std::uint64_t images = 0;
  while (const auto record = reader.next()) {
    if (record->kind == RecordKind::end && read_end(record->payload) == images) {
      found_.bytes += reader.offset();
      return {};
    }
    if (record->kind != RecordKind::image) break;
    ++images;
    if (!state_.apply(position, record->payload)) {
      return failure("an image does not fit", name, record->offset);
    }
  }
  if (reader.end() == Reader::End::failed) return io_failure(reader.error(), name);
  if (reader.end() == Reader::End::unknown_version) return version_failure(name);
  return failure("the snapshot is damaged", name, reader.offset());
}

Recovery::Step Recovery::load_segments() {
  // The last segment that starts at or below the snapshot holds the batch behind it.
  const auto above = std::ranges::upper_bound(segments_, found_.position);
  if (above == segments_.begin()) {
    if (segments_.empty()) return {};
    return failure("batches behind position " + std::to_string(found_.position) + " are missing",
                   file_name(FileKind::segment, segments_.front()));
  }
  const auto first = static_cast<std::size_t>(above - segments_.begin()) - 1;
  for (std::size_t old = 0; old < first; ++old) {
    const auto removed = remove(file_name(FileKind::segment, segments_[old]));
    if (!removed) return removed;
  }
  for (std::size_t at = first; at < segments_.size(); ++at) {
    if (const auto loaded = load_segment(segments_[at]); !loaded) return loaded;
    if (!damage_) continue;
    // One that begins where the damage does was begun after a start that has cut it off, and could
    // not make that durable.
    const bool is_cut =
        damage_->offset != 0 && at + 1 < segments_.size() && segments_[at + 1] == found_.position;
    const auto may = check_loss(*damage_, at + 1, is_cut ? at + 1 : segments_.size());
    if (!may) return may;
    if (!is_cut) return cut(*damage_, at);
    if (const auto done = cut_tail(*damage_); !done) return done;
    damage_.reset();
  }
  return {};
}

Recovery::Step Recovery::load_segment(Position start) {
  const std::string name = file_name(FileKind::segment, start);
  const auto file = files_.open(name, OpenMode::read);
  if (!file) return io_failure(file.error(), name);
  Reader reader(**file);
  const auto head = reader.read_head();
  if (head && (head->kind != FileKind::segment || head->position != start)) {
    return failure("the file is not what its name says", name);
  }
  if (head && start > found_.position) {
    // The end of the segment before it never reached the disk: torn off, unless it was durable.
    damage_ = Damage{name, 0, reader.file_bytes()};
    return {};
  }
  if (head) {
    note_head(head->stamp);
    if (const auto applied = apply_batches(reader, name); !applied) return applied;
  }
  if (reader.end() == Reader::End::failed) return io_failure(reader.error(), name);
  if (reader.end() == Reader::End::unknown_version) return version_failure(name);
  found_.bytes += reader.offset();
  if (reader.end() == Reader::End::clean) return {};
  damage_ = Damage{name, reader.offset(), reader.file_bytes()};
  return {};
}

void Recovery::note_head(const Stamp& stamp) {
  found_.started = stamp;
  note_time(stamp.lease_ms, stamp.wall_us);
}

// The newest record is not always read last: a snapshot is newer than the segment that goes on
// behind it.
void Recovery::note_time(std::int64_t lease_ms, std::int64_t wall_us) {
  if (lease_ms < found_.lease_ms) return;
  found_.lease_ms = lease_ms;
  found_.wall_us = wall_us;
}

Recovery::Step Recovery::apply_batches(Reader& reader, const std::string& name) {
  while (const auto record = reader.next()) {
    const auto batch =
        record->kind == RecordKind::batch ? read_batch(record->payload) : std::nullopt;
    if (!batch) return failure("a record that does not belong there", name, record->offset);
    durable_ = std::max(durable_, batch->durable);
    unsynced_.note(batch->position, name, record->offset);
    unsynced_.forget(durable_);
    note_time(batch->lease_ms, batch->wall_us);
    if (batch->position <= found_.position) continue;
    if (batch->position != found_.position + 1) {
      return failure("batches behind position " + std::to_string(found_.position) + " are missing",
                     name, record->offset);
    }
    if (!state_.apply(batch->position, batch->frames)) {
      return failure("a batch does not fit", name, record->offset);
    }
    found_.position = batch->position;
    ++found_.batches;
    found_.batch_bytes += batch->frames.size();
  }
  return {};
}

std::expected<bool, RecoveryFailure> Recovery::was_durable(Reader& damaged, std::size_t later,
                                                           std::size_t end) {
  const Position missing = found_.position + 1;
  while (const auto batch = damaged.find_batch_above(found_.position)) {
    durable_ = std::max(durable_, batch->durable);
  }
  for (; later < end; ++later) {
    const std::string name = file_name(FileKind::segment, segments_[later]);
    const auto file = files_.open(name, OpenMode::read);
    if (!file) return io_failure(file.error(), name);
    Reader reader(**file);
    while (const auto batch = reader.find_batch_above(found_.position)) {
      durable_ = std::max(durable_, batch->durable);
    }
  }
  return durable_ >= missing;
}

// Unsynced pages reach the disk in any order: what follows a hole is torn off, too.
Recovery::Step Recovery::cut(const Damage& damage, std::size_t segment) {
  found_.dropped_bytes = damage.offset == 0 ? 0 : damage.file_bytes - damage.offset;
  found_.dropped_from = damage.file;
  found_.dropped_offset = damage.offset;
  for (std::size_t later = segments_.size(); later-- > segment + 1;) {
    if (const auto dropped = drop(segments_[later]); !dropped) return dropped;
  }
  if (damage.offset == 0) return drop(segments_[segment]);
  return cut_tail(damage);
}

// Whatever is lost with `damage`, and what the segments from `later` to `end` know of it, must not
// have been durable.
Recovery::Step Recovery::check_loss(const Damage& damage, std::size_t later, std::size_t end) {
  const auto file = files_.open(damage.file, OpenMode::read);
  if (!file) return io_failure(file.error(), damage.file);
  Reader reader(**file, damage.offset);
  const auto durable = was_durable(reader, later, end);
  if (!durable) return std::unexpected(durable.error());
  if (!*durable) return {};
  return failure("batch " + std::to_string(found_.position + 1) +
                     " is damaged or missing although all up to " + std::to_string(durable_) +
                     " were durable",
                 damage.file, damage.offset);
}

Recovery::Step Recovery::cut_tail(const Damage& damage) {
  const auto file = files_.open(damage.file, OpenMode::change);
  if (!file) return io_failure(file.error(), damage.file);
  if (const auto resized = (*file)->resize(damage.offset); !resized) {
    return io_failure(resized.error(), damage.file);
  }
  if (const auto synced = (*file)->sync(); !synced) return io_failure(synced.error(), damage.file);
  return {};
}

// What follows names everything recovered as durable.
Recovery::Step Recovery::make_durable() {
  if (const auto written = unsynced_.write_again(files_); !written) {
    return io_failure(written.error(), ".");
  }
  return {};
}

// Durably, before the next: none may come back behind one that is gone.
Recovery::Step Recovery::drop(Position start) {
  const std::string name = file_name(FileKind::segment, start);
  const auto torn = files_.open(name, OpenMode::read);
  if (torn) found_.dropped_bytes += (*torn)->size().value_or(0);
  if (const auto removed = remove(name); !removed) return removed;
  if (const auto synced = files_.sync_directory(); !synced) return io_failure(synced.error(), name);
  return {};
}

}  // namespace engine::journal
