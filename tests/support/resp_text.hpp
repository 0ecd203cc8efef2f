// Replies as tests write them: RESP bytes with a space for each line end but the last.
#pragma once

#include <string>
#include <string_view>

namespace tests {

inline std::string with_spaces(std::string_view resp) {
  std::string text;
  for (std::size_t i = 0; i < resp.size(); ++i) {
    if (resp.substr(i, 2) != "\r\n") {
      text += resp[i];
    } else if (++i + 1 < resp.size()) {
      text += ' ';
    }
  }
  return text;
}

}  // namespace tests
