#include "server/journal_directory.hpp"

#include <cerrno>
#include <utility>

namespace server {

std::expected<std::unique_ptr<engine::FileSystem>, StartError> open_journal_directory(
    Machine& machine, const std::string& path) {
  auto opened = machine.open_directory(path);
  if (opened) return std::move(*opened);
  if (opened.error().value() == EWOULDBLOCK) {
    return std::unexpected(
        StartError{"another server has the journal directory " + path,
                   "two servers cannot share one: give this one another dir or appenddirname"});
  }
  return std::unexpected(
      StartError{"cannot open the journal directory " + path + ": " + opened.error().message(),
                 "dir must exist, and the server must be allowed to write there"});
}

}  // namespace server
