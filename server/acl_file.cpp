#include "server/acl_file.hpp"

#include "server/config.hpp"
#include "server/file_replacement.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

namespace server {

std::string AclFileOnDisk::path() const {
  return config_.server().acl_file;
}

std::expected<std::string, std::string> AclFileOnDisk::read() {
  errno = 0;
  std::ifstream file(path(), std::ios::binary);
  if (!file) return std::unexpected(std::string(std::strerror(errno)));
  std::error_code ignored;
  if (std::filesystem::is_directory(path(), ignored)) {
    return std::unexpected(std::string(std::strerror(EISDIR)));
  }
  return std::string(std::istreambuf_iterator<char>(file), {});
}

std::expected<void, std::string> AclFileOnDisk::write(std::string_view content) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path(), ignored)) {
    return std::unexpected(std::string(std::strerror(EISDIR)));
  }
  return replace_file(path(), content);
}

}  // namespace server
