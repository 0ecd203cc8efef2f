// Text forms of bytes as redis-cli reads them: "a\x00\r\n" with escapes, 'single quoted', or bare
// words.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

namespace transcripts {

// Splits a command line into arguments. Fails on unbalanced quotes or a closing quote that is not
// followed by a blank.
std::expected<std::vector<std::string>, std::string> split_arguments(std::string_view line);

// One run of quoted strings, each optionally repeated: `"PING\r\n" "x"*70000`. Blanks between them
// are not sent.
std::expected<std::string, std::string> read_raw_bytes(std::string_view line);

// Reads the double-quoted string at the start of `text`; `text` is moved behind the closing quote.
std::expected<std::string, std::string> read_quoted(std::string_view& text);

// `bytes` as one double-quoted string on one line.
std::string quoted(std::string_view bytes);

}  // namespace transcripts
