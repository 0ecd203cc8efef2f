// Fills a Config at the start: from a file in redis.conf syntax and from arguments as redis-server
// takes them.
//
//   line      = blank | "#" … | name word…       words quoted as in protocol/quoting.hpp
//   include   = "include" path-or-glob…          read in place, later lines win
//   arguments = [file] { "--name" word… | "-" }  "-" reads standard input, after the file
#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>

namespace server {

class Config;

// What is wrong, where, and what may help: "mortise.conf:3: …".
struct LoadError {
  std::string place;
  std::string reason;
  std::string hint;  // may be empty
  [[nodiscard]] std::string message() const { return place + ": " + reason; }
};
using LoadResult = std::expected<void, LoadError>;

[[nodiscard]] LoadResult load_config_text(Config& config, std::string_view content,
                                          const std::string& place);
[[nodiscard]] LoadResult load_config_file(Config& config, const std::string& path);
// Without the program's name.
[[nodiscard]] LoadResult load_arguments(Config& config, std::span<const std::string> arguments);

}  // namespace server
