// A file of zeros beside the journal that keeps room on the disk: when it is otherwise full, the
// reserve becomes the next segment, so that releases and renewals stay durable.
#pragma once

#include "engine/file_system.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <system_error>

namespace engine {

class JournalReserve {
 public:
  static constexpr const char* name = "reserve";

  // 0 bytes: there is none.
  explicit JournalReserve(std::uint64_t bytes) : bytes_(bytes) {}

  // Makes the file, durably, but for its name; leaves nothing behind when it fails. May run on a
  // worker: touches only `files`.
  [[nodiscard]] static IoResult fill(FileSystem& files, std::uint64_t bytes);
  void set_ready(bool ready) { ready_ = ready; }
  [[nodiscard]] bool is_ready() const { return ready_; }
  [[nodiscard]] bool is_missing() const { return bytes_ > 0 && !ready_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  // It is called `segment` from now on (replacing what is called so), and no reserve any more.
  [[nodiscard]] std::expected<std::shared_ptr<File>, std::error_code> take(
      FileSystem& files, const std::string& segment);

 private:
  std::uint64_t bytes_;
  bool ready_ = false;
};

}  // namespace engine
