// The arguments of mortise-check.
#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace check {

struct Options {
  std::string path;
  bool asks_help = false;
  bool asks_version = false;
  bool list = false;
  bool whole_values = false;
  bool statistics = false;
  bool replay = true;
  bool fix = false;
  std::optional<std::string> key_glob;
};

extern const std::string_view usage;

// The error: what is wrong with them, one line.
[[nodiscard]] std::expected<Options, std::string> read_options(
    std::span<const std::string> arguments);

}  // namespace check
