#include "engine/unsynced_tail.hpp"

#include <algorithm>
#include <cstddef>

namespace engine::journal {
namespace {

constexpr std::uint64_t stretch_bytes = std::uint64_t{1} << 20U;

IoResult write_file_again(FileSystem& files, const std::string& name, std::uint64_t offset) {
  const auto file = files.open(name, OpenMode::change);
  if (!file) return std::unexpected(file.error());
  constexpr std::size_t piece_bytes = std::size_t{64} << 10U;
  std::string bytes(piece_bytes, '\0');
  while (true) {
    const auto read = (*file)->read_at(offset, bytes);
    if (!read) return std::unexpected(read.error());
    if (*read == 0) break;
    const auto written = (*file)->write_at(offset, std::string_view(bytes).substr(0, *read));
    if (!written) return written;
    offset += *read;
  }
  return (*file)->sync();
}

}  // namespace

void UnsyncedTail::note(Position position, const std::string& file, std::uint64_t offset) {
  if (marks_.empty() || marks_.back().file != file) {
    marks_.push_back({position, file, 0});  // with the head of the file
  } else if (offset - marks_.back().offset > stretch_bytes) {
    marks_.push_back({position, file, offset});
  }
}

// A mark stands for everything up to the next one.
void UnsyncedTail::forget(Position position) {
  while (marks_.size() > 1 && marks_[1].position <= position + 1) marks_.pop_front();
}

IoResult UnsyncedTail::write_again(FileSystem& files) const {
  const std::string* last = nullptr;
  for (const Mark& mark : marks_) {
    if (last != nullptr && *last == mark.file) continue;
    last = &mark.file;
    if (const auto done = write_file_again(files, mark.file, mark.offset); !done) return done;
  }
  return files.sync_directory();
}

}  // namespace engine::journal
