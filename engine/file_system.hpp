// The only door to the disk: one directory with plain files in it. Implemented over POSIX, and in
// memory for tests, where it tears writes, loses what was not synced, and fails on demand.
//
// What a crash of the machine leaves: bytes covered by a sync() of their file, names covered by a
// sync_directory(); of everything else any part, in any order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace engine {

using IoResult = std::expected<void, std::error_code>;

// Closed by its destructor. Not for two threads at once, but for sync().
class File {
 public:
  virtual ~File() = default;
  // All of it, or an error and any part of it.
  virtual IoResult write_at(std::uint64_t offset, std::string_view bytes) = 0;
  // Bytes read; fewer than asked for only at the end.
  virtual std::expected<std::size_t, std::error_code> read_at(std::uint64_t offset,
                                                              std::span<char> bytes) = 0;
  // Content and size are durable. May run on another thread than writes that it need not cover.
  virtual IoResult sync() = 0;
  // Cuts, or grows with zeros.
  virtual IoResult resize(std::uint64_t bytes) = 0;
  virtual std::expected<std::uint64_t, std::error_code> size() = 0;
};

enum class OpenMode : std::uint8_t { read, change, create };  // create: must not exist

class FileSystem {
 public:
  virtual ~FileSystem() = default;
  virtual std::expected<std::unique_ptr<File>, std::error_code> open(const std::string& name,
                                                                     OpenMode mode) = 0;
  // Replaces what is there.
  virtual IoResult rename(const std::string& from, const std::string& to) = 0;
  virtual IoResult remove(const std::string& name) = 0;
  virtual std::expected<std::vector<std::string>, std::error_code> list() = 0;
  // Names created, renamed and removed so far are durable.
  virtual IoResult sync_directory() = 0;
};

}  // namespace engine
