// Puts a file in place of another so that a crash leaves the old one or the new one, whole: a
// temporary file beside it, fsync, rename, fsync of the directory.
#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace server {

// Keeps the permissions of the old file; a new one gets 0644. The error is what the system says.
[[nodiscard]] std::expected<void, std::string> replace_file(const std::string& path,
                                                            std::string_view content);

}  // namespace server
