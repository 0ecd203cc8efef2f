#include "engine/posix_file_system.hpp"

#include <cerrno>
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace engine {
namespace {

std::unexpected<std::error_code> last_error() {
  return std::unexpected(std::error_code(errno, std::generic_category()));
}

IoResult done(int returned) {
  if (returned != 0) return last_error();
  return {};
}

class PosixFile final : public File {
 public:
  explicit PosixFile(int descriptor) : descriptor_(descriptor) {}
  ~PosixFile() override { ::close(descriptor_); }
  PosixFile(const PosixFile&) = delete;
  PosixFile& operator=(const PosixFile&) = delete;

  IoResult write_at(std::uint64_t offset, std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t written =
          ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return last_error();
      bytes.remove_prefix(static_cast<std::size_t>(written));
      offset += static_cast<std::uint64_t>(written);
    }
    return {};
  }

  std::expected<std::size_t, std::error_code> read_at(std::uint64_t offset,
                                                      std::span<char> bytes) override {
    std::size_t total = 0;
    while (total < bytes.size()) {
      const ssize_t read = ::pread(descriptor_, bytes.data() + total, bytes.size() - total,
                                   static_cast<off_t>(offset + total));
      if (read < 0 && errno == EINTR) continue;
      if (read < 0) return last_error();
      if (read == 0) break;
      total += static_cast<std::size_t>(read);
    }
    return total;
  }

  IoResult sync() override { return done(::fdatasync(descriptor_)); }

  IoResult resize(std::uint64_t bytes) override {
    return done(::ftruncate(descriptor_, static_cast<off_t>(bytes)));
  }

  std::expected<std::uint64_t, std::error_code> size() override {
    struct stat status{};
    if (::fstat(descriptor_, &status) != 0) return last_error();
    return static_cast<std::uint64_t>(status.st_size);
  }

 private:
  int descriptor_;
};

int flags_of(OpenMode mode) {
  switch (mode) {
    case OpenMode::read:
      return O_RDONLY | O_CLOEXEC;
    case OpenMode::change:
      return O_RDWR | O_CLOEXEC;
    case OpenMode::create:
      return O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC;
  }
  return O_RDONLY | O_CLOEXEC;
}

// The name of the directory itself: whoever made it may have been killed before this.
IoResult sync_parent(int directory) {
  const int parent = ::openat(directory, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (parent < 0) return last_error();
  const auto synced = done(::fsync(parent));
  ::close(parent);
  return synced;
}

constexpr mode_t file_mode = 0640;
constexpr mode_t directory_mode = 0750;

}  // namespace

std::expected<std::unique_ptr<PosixFileSystem>, std::error_code> PosixFileSystem::open_directory(
    const std::string& path) {
  if (::mkdir(path.c_str(), directory_mode) != 0 && errno != EEXIST) return last_error();
  const int directory = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return last_error();
  std::unique_ptr<PosixFileSystem> opened(new PosixFileSystem(directory));
  opened->lock_ = ::openat(directory, lock_name, O_RDWR | O_CREAT | O_CLOEXEC, file_mode);
  if (opened->lock_ < 0 || ::flock(opened->lock_, LOCK_EX | LOCK_NB) != 0) return last_error();
  if (const auto synced = sync_parent(directory); !synced) return std::unexpected(synced.error());
  return opened;
}

std::expected<std::unique_ptr<PosixFileSystem>, std::error_code> PosixFileSystem::look_into(
    const std::string& path) {
  const int directory = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return last_error();
  return std::unique_ptr<PosixFileSystem>(new PosixFileSystem(directory));
}

std::expected<bool, std::error_code> PosixFileSystem::is_in_use() const {
  const int lock = ::openat(directory_, lock_name, O_RDONLY | O_CLOEXEC);
  if (lock < 0 && errno == ENOENT) return false;
  if (lock < 0) return last_error();
  std::expected<bool, std::error_code> in_use = false;
  if (::flock(lock, LOCK_SH | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) {
      in_use = true;
    } else {
      in_use = last_error();
    }
  }
  ::close(lock);
  return in_use;
}

PosixFileSystem::~PosixFileSystem() {
  if (lock_ >= 0) ::close(lock_);
  ::close(directory_);
}

std::expected<std::unique_ptr<File>, std::error_code> PosixFileSystem::open(const std::string& name,
                                                                            OpenMode mode) {
  const int descriptor = ::openat(directory_, name.c_str(), flags_of(mode), file_mode);
  if (descriptor < 0) return last_error();
  return std::make_unique<PosixFile>(descriptor);
}

IoResult PosixFileSystem::rename(const std::string& from, const std::string& to) {
  return done(::renameat(directory_, from.c_str(), directory_, to.c_str()));
}

IoResult PosixFileSystem::remove(const std::string& name) {
  return done(::unlinkat(directory_, name.c_str(), 0));
}

std::expected<std::vector<std::string>, std::error_code> PosixFileSystem::list() {
  const int copy = ::openat(directory_, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (copy < 0) return last_error();
  DIR* stream = ::fdopendir(copy);
  if (stream == nullptr) {
    const auto error = last_error();
    ::close(copy);
    return error;
  }
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* found = ::readdir(stream)) {
    const std::string name = found->d_name;
    if (name != "." && name != "..") names.push_back(name);
  }
  const int failed = errno;
  ::closedir(stream);
  if (failed != 0) return std::unexpected(std::error_code(failed, std::generic_category()));
  return names;
}

IoResult PosixFileSystem::sync_directory() {
  return done(::fsync(directory_));
}

std::expected<std::unique_ptr<File>, std::error_code> open_for_reading(const std::string& path) {
  const int descriptor = ::open(path.c_str(), flags_of(OpenMode::read));
  if (descriptor < 0) return last_error();
  return std::make_unique<PosixFile>(descriptor);
}

}  // namespace engine
