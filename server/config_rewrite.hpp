// CONFIG REWRITE: brings a configuration file up to date. Comments, order and unknown directives
// stay; a changed option is replaced where it stands, a new one is added at the end. The file is
// replaced whole or not at all (a temporary file beside it, then rename).
#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace server {

class Config;

[[nodiscard]] std::string rewritten_config(std::string_view content, const Config& config);
// The error is what the system says.
[[nodiscard]] std::expected<void, std::string> rewrite_config_file(const std::string& path,
                                                                   const Config& config);

}  // namespace server
