// A FileSystem that answers as if it had removed and cut files, and leaves them alone: what a start
// of the server would do to a directory, tried out. Reads go to the directory below.
#pragma once

#include "engine/file_system.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace check {

class DryFileSystem final : public engine::FileSystem {
 public:
  // `files` outlive it.
  explicit DryFileSystem(engine::FileSystem& files) : files_(files) {}

  [[nodiscard]] const std::set<std::string>& removed() const { return removed_; }

  // Nothing is created: the error is EROFS.
  std::expected<std::unique_ptr<engine::File>, std::error_code> open(
      const std::string& name, engine::OpenMode mode) override;
  engine::IoResult rename(const std::string& from, const std::string& to) override;
  engine::IoResult remove(const std::string& name) override;
  std::expected<std::vector<std::string>, std::error_code> list() override;
  engine::IoResult sync_directory() override { return {}; }

 private:
  engine::FileSystem& files_;
  std::set<std::string> removed_;
  std::map<std::string, std::shared_ptr<std::uint64_t>> cuts_;  // name → size
};

}  // namespace check
