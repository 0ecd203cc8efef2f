// A reply as the transcripts see it: one RESP2 or RESP3 element with its children. The reader is
// deliberately its own, so that an error in the server's protocol code cannot hide itself.
#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace transcripts {

struct RespValue {
  char type = 0;                    // the byte on the wire: + - : $ * _ # , ( = ! % ~ > |
  std::string text;                 // payload of everything that is not an aggregate
  bool absent = false;              // $-1 and *-1
  std::vector<RespValue> elements;  // a map's keys and values alternate
};

constexpr bool is_aggregate(char type) {
  return type == '*' || type == '%' || type == '~' || type == '>' || type == '|';
}

// Collects bytes and hands out complete elements. After an error the reader is of no more use.
class RespReader {
 public:
  void feed(std::string_view bytes) { buffer_ += bytes; }
  // The next whole element; nullopt while more bytes are needed; an error when the bytes are not
  // RESP.
  std::expected<std::optional<RespValue>, std::string> next();
  // What was fed and is not yet part of an element handed out.
  std::string_view pending() const { return std::string_view(buffer_).substr(position_); }

 private:
  std::string buffer_;
  std::size_t position_ = 0;
};

// One line per element, two blanks of indentation per level: the form transcripts are written in.
std::vector<std::string> written_lines(const RespValue& value);

}  // namespace transcripts
