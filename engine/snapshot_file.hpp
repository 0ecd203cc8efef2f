// The file of a snapshot on its way from draft to the one in force. Every call waits for the disk:
// they are made on a worker, one at a time. Whatever fails, the snapshot and the segments that were
// in force before still are.
#pragma once

#include "engine/commit_log.hpp"
#include "engine/file_system.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace engine {

class SnapshotFile {
 public:
  // `files` outlive it. Syncs itself after every `sync_bytes`, so that no sync has much to write:
  // those of the journal come in between.
  SnapshotFile(FileSystem& files, Position position, std::uint64_t sync_bytes);

  // Appends to the draft; the first call makes it.
  [[nodiscard]] IoResult write(std::string_view bytes);
  [[nodiscard]] IoResult sync();
  // The draft, complete and synced, becomes the snapshot, durably.
  [[nodiscard]] IoResult publish();
  // After publish(): removes the older snapshots, drafts that were left, and the segments that end
  // at its position or below, as one starts there.
  [[nodiscard]] IoResult remove_superseded();
  // Removes the draft, if there is one.
  [[nodiscard]] IoResult drop();

 private:
  FileSystem& files_;
  Position position_;
  std::uint64_t sync_bytes_;
  std::string draft_name_;
  std::unique_ptr<File> file_;
  bool has_draft_ = false;
  std::uint64_t end_ = 0;
  std::uint64_t unsynced_ = 0;
};

}  // namespace engine
