// A disk in memory that behaves as badly as a real one may: what was not synced is lost in any part
// and order when the machine crashes, and any call fails on demand.
#pragma once

#include "engine/file_system.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <system_error>
#include <vector>

namespace test {

class MemoryFileSystem final : public engine::FileSystem {
 public:
  // The content of one file, named or not.
  struct Node {
    struct Write {
      std::uint64_t offset;
      std::string bytes;
    };
    std::string content;          // what readers see
    std::string synced;           // what survives a crash
    std::vector<Write> unsynced;  // since then, in order
  };

  // --- faults
  // The call number `call` from now on (0: the next) that changes or syncs something fails with
  // `error`; a failing write leaves a part of its bytes.
  void fail_at(std::size_t call, std::errc error) {
    fail_at_ = call;
    fail_with_ = error;
  }
  // That call and every one after it.
  void fail_from(std::size_t call, std::errc error) {
    fail_at(call, error);
    fails_on_ = true;
  }
  void heal() {
    fail_at_.reset();
    fails_on_ = false;
  }
  [[nodiscard]] bool has_failed() const { return failures_ > 0; }
  // The machine goes down and comes up: of what was not synced some survives, as `random` says.
  // Open files are dead.
  void crash(std::mt19937_64& random);

  // --- looking and spoiling
  [[nodiscard]] std::string content(const std::string& name) const;
  void set_content(const std::string& name, std::string content);
  [[nodiscard]] std::vector<std::string> names() const;

  // --- FileSystem
  std::expected<std::unique_ptr<engine::File>, std::error_code> open(
      const std::string& name, engine::OpenMode mode) override;
  engine::IoResult rename(const std::string& from, const std::string& to) override;
  engine::IoResult remove(const std::string& name) override;
  std::expected<std::vector<std::string>, std::error_code> list() override { return names(); }
  engine::IoResult sync_directory() override;

  // --- for its files
  [[nodiscard]] std::optional<std::error_code> next_failure();

 private:
  using Directory = std::map<std::string, std::shared_ptr<Node>>;
  Directory names_;
  std::vector<Directory> unsynced_;  // what the directory was before each change since the sync
  std::optional<std::size_t> fail_at_;
  std::errc fail_with_ = std::errc::io_error;
  bool fails_on_ = false;
  std::size_t failures_ = 0;
};

}  // namespace test
