#include "engine/snapshot_file.hpp"

#include "engine/journal_format.hpp"

#include <utility>

namespace engine {

SnapshotFile::SnapshotFile(FileSystem& files, Position position, std::uint64_t sync_bytes)
    : files_(files),
      position_(position),
      sync_bytes_(sync_bytes),
      draft_name_(journal::draft_name(position)) {}

IoResult SnapshotFile::write(std::string_view bytes) {
  if (!file_) {
    // An attempt at the same position may have left one that it could not remove.
    static_cast<void>(files_.remove(draft_name_));
    has_draft_ = true;
    auto file = files_.open(draft_name_, OpenMode::create);
    if (!file) return std::unexpected(file.error());
    file_ = std::move(*file);
  }
  if (const auto written = file_->write_at(end_, bytes); !written) return written;
  end_ += bytes.size();
  unsynced_ += bytes.size();
  return unsynced_ < sync_bytes_ ? IoResult() : sync();
}

IoResult SnapshotFile::sync() {
  unsynced_ = 0;
  return file_->sync();
}

IoResult SnapshotFile::publish() {
  file_.reset();
  const std::string name = journal::file_name(journal::FileKind::snapshot, position_);
  if (const auto renamed = files_.rename(draft_name_, name); !renamed) return renamed;
  return files_.sync_directory();
}

IoResult SnapshotFile::remove_superseded() {
  const auto names = files_.list();
  if (!names) return std::unexpected(names.error());
  bool removed_any = false;
  for (const std::string& name : *names) {
    const auto file = journal::parse_file_name(name);
    const bool is_superseded = file ? file->position < position_ : journal::is_draft_name(name);
    if (!is_superseded) continue;
    if (const auto removed = files_.remove(name); !removed) return removed;
    removed_any = true;
  }
  return removed_any ? files_.sync_directory() : IoResult();
}

IoResult SnapshotFile::drop() {
  if (!has_draft_) return {};
  file_.reset();
  return files_.remove(draft_name_);
}

}  // namespace engine
