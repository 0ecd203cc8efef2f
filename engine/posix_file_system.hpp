// FileSystem over a directory of the machine, which one process at a time may have.
#pragma once

#include "engine/file_system.hpp"

#include <memory>
#include <string>

namespace engine {

class PosixFileSystem final : public FileSystem {
 public:
  // Opens the directory, creating it (not its parents) when it is not there, durably, and takes the
  // lock on it: a file `lock_name`, held until the end of this object or of the process. The error
  // is EWOULDBLOCK when another process has it.
  static std::expected<std::unique_ptr<PosixFileSystem>, std::error_code> open_directory(
      const std::string& path);
  // Without the lock, and nothing is created: for reading what another process may write.
  static std::expected<std::unique_ptr<PosixFileSystem>, std::error_code> look_into(
      const std::string& path);
  // Whether a process has the lock. Takes it for an instant, to see that it can.
  [[nodiscard]] std::expected<bool, std::error_code> is_in_use() const;
  ~PosixFileSystem() override;
  PosixFileSystem(const PosixFileSystem&) = delete;
  PosixFileSystem& operator=(const PosixFileSystem&) = delete;

  static constexpr const char* lock_name = "lock";

  std::expected<std::unique_ptr<File>, std::error_code> open(const std::string& name,
                                                             OpenMode mode) override;
  IoResult rename(const std::string& from, const std::string& to) override;
  IoResult remove(const std::string& name) override;
  std::expected<std::vector<std::string>, std::error_code> list() override;
  IoResult sync_directory() override;

 private:
  explicit PosixFileSystem(int directory) : directory_(directory) {}

  int directory_;
  int lock_ = -1;
};

// A file anywhere, for reading.
[[nodiscard]] std::expected<std::unique_ptr<File>, std::error_code> open_for_reading(
    const std::string& path);

}  // namespace engine
