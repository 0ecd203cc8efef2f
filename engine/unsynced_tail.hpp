// What a start of the server read and cannot know to be on the disk: a former process may have
// written it without a sync, or in spite of one that failed; after that no sync of the same pages
// means anything. So it is written once more, then synced.
//
// Keeps one mark per stretch of a file, not one per batch: a little more than needed is written.
#pragma once

#include "engine/commit_log.hpp"
#include "engine/file_system.hpp"

#include <cstdint>
#include <deque>
#include <string>

namespace engine::journal {

class UnsyncedTail {
 public:
  // In the order in which they are read: batch `position` starts at `offset` of `file`.
  void note(Position position, const std::string& file, std::uint64_t offset);
  // All up to `position` are durable.
  void forget(Position position);
  // Afterwards everything noted, and the names in the directory, are durable.
  [[nodiscard]] IoResult write_again(FileSystem& files) const;

 private:
  struct Mark {
    Position position;
    std::string file;
    std::uint64_t offset;
  };
  std::deque<Mark> marks_;
};

}  // namespace engine::journal
