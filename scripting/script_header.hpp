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

// A script without such a line is all body. On failure Redis' error text, "ERR …".
std::expected<ScriptHeader, std::string> read_script_header(std::string_view text);

}  // namespace scripting
