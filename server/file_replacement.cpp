#include "server/file_replacement.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace server {
namespace {

using Result = std::expected<void, std::string>;

Result failed() {
  return std::unexpected(std::string(std::strerror(errno)));
}

Result write_whole(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = ::write(descriptor, content.data(), content.size());
    if (written < 0) return failed();
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fsync(descriptor) != 0) return failed();
  return {};
}

// The rename lasts once the directory is on disk.
Result sync_directory_of(const std::string& path) {
  const std::string directory = std::filesystem::path(path).parent_path().string();
  const int descriptor =
      ::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return failed();
  Result synced;
  if (::fsync(descriptor) != 0) synced = failed();
  ::close(descriptor);
  return synced;
}

}  // namespace

Result replace_file(const std::string& path, std::string_view content) {
  struct stat found{};
  const mode_t mode = ::stat(path.c_str(), &found) == 0 ? found.st_mode & 0777U : 0644U;
  std::string temporary = path + ".XXXXXX";
  const int descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (descriptor < 0) return failed();
  Result written = write_whole(descriptor, content);
  if (written && ::fchmod(descriptor, mode) != 0) written = failed();
  ::close(descriptor);
  if (written && ::rename(temporary.c_str(), path.c_str()) != 0) written = failed();
  if (!written) {
    ::unlink(temporary.c_str());
    return written;
  }
  return sync_directory_of(path);
}

}  // namespace server
