// The "#!lua flags=no-writes,allow-oom" line a script may begin with.
#pragma once

#include "scripting/script_engine.hpp"

#include <expected>
#include <string>
#include <string_view>

namespace scripting {

struct ScriptHeader {
  ScriptFlags flags;
  std::string_view body;  // from the line break on, so that line numbers hold
};

// The first line of a function library: "#!lua name=mylib".
struct LibraryHeader {
  std::string name;
  std::string_view body;  // from the line break on
};

inline constexpr const char* library_name_rule =
    "Library names can only contain letters, numbers, or underscores(_) and must be at least one "
    "character long";
// Of libraries and of functions.
[[nodiscard]] bool is_library_name(std::string_view name);
// False for a name that is no flag. Exact case.
bool set_script_flag(ScriptFlags& flags, std::string_view name);

// A script without such a line is all body. On failure Redis' error text, "ERR …".
std::expected<ScriptHeader, std::string> read_script_header(std::string_view text);
std::expected<LibraryHeader, std::string> read_library_header(std::string_view code);

}  // namespace scripting
