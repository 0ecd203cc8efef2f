// The first line is the pattern, the rest the text: no pattern crashes or hangs, "*" matches all,
// and a pattern without special bytes matches itself alone.
#include "base/assert.hpp"
#include "base/glob.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line_end = input.find('\n');
  if (line_end == std::string_view::npos) return 0;
  const std::string_view pattern = input.substr(0, line_end);
  const std::string_view text = input.substr(line_end + 1);
  const bool matches = base::glob_matches(pattern, text);
  static_cast<void>(base::glob_matches(pattern, text, base::LetterCase::ignored));
  ASSERT(base::glob_matches("*", text) == !text.empty());
  if (pattern.find_first_of("*?[\\") == std::string_view::npos)
    ASSERT(matches == (pattern == text));
  return 0;
}
