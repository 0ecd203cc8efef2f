// In place of server/machine.cpp, for a server that the crash loop must find out: no sync of a file
// or of the directory reaches the disk.
#include "engine/posix_file_system.hpp"
#include "server/machine.hpp"

namespace {

class FileWithoutSync final : public engine::File {
 public:
  explicit FileWithoutSync(std::unique_ptr<engine::File> file) : file_(std::move(file)) {}

  engine::IoResult write_at(std::uint64_t offset, std::string_view bytes) override {
    return file_->write_at(offset, bytes);
  }
  std::expected<std::size_t, std::error_code> read_at(std::uint64_t offset,
                                                      std::span<char> bytes) override {
    return file_->read_at(offset, bytes);
  }
  engine::IoResult sync() override { return {}; }
  engine::IoResult resize(std::uint64_t bytes) override { return file_->resize(bytes); }
  std::expected<std::uint64_t, std::error_code> size() override { return file_->size(); }

 private:
  std::unique_ptr<engine::File> file_;
};

class DirectoryWithoutSync final : public engine::FileSystem {
 public:
  explicit DirectoryWithoutSync(std::unique_ptr<engine::FileSystem> files)
      : files_(std::move(files)) {}

  std::expected<std::unique_ptr<engine::File>, std::error_code> open(
      const std::string& name, engine::OpenMode mode) override {
    auto file = files_->open(name, mode);
    if (!file) return std::unexpected(file.error());
    return std::make_unique<FileWithoutSync>(std::move(*file));
  }
  engine::IoResult rename(const std::string& from, const std::string& to) override {
    return files_->rename(from, to);
  }
  engine::IoResult remove(const std::string& name) override { return files_->remove(name); }
  std::expected<std::vector<std::string>, std::error_code> list() override {
    return files_->list();
  }
  engine::IoResult sync_directory() override { return {}; }

 private:
  std::unique_ptr<engine::FileSystem> files_;
};

}  // namespace

namespace server {

std::expected<std::unique_ptr<engine::FileSystem>, std::error_code> SystemMachine::open_directory(
    const std::string& path) {
  auto files = engine::PosixFileSystem::open_directory(path);
  if (!files) return std::unexpected(files.error());
  return std::make_unique<DirectoryWithoutSync>(std::move(*files));
}

std::unique_ptr<engine::SyncWorker> SystemMachine::new_worker() {
  return std::make_unique<engine::SyncThread>(wake_);
}

}  // namespace server
