#pragma once

#include <string>
#include <string_view>

namespace scripting {

// 40 lower-case hex digits.
std::string sha1_hex(std::string_view bytes);

}  // namespace scripting
