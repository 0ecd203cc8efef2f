// A transcript file as steps. The format is described in tests/transcripts/README.md. Captured
// names (`<name>`) are put in when a step is executed, so steps keep their text.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace transcripts {

struct Step {
  enum class Kind {
    note,            // comment or empty line: kept for recording
    send_command,    // A> SET k v
    send_bytes,      // A>> "PING\r\n"
    expect_reply,    // A< +OK          one line of a reply
    expect_silence,  // @expect-silence A
    expect_closed,   // @expect-closed A
    disconnect,      // @disconnect A
    advance,         // @advance 20ms
    skip,            // @skip redis: reason   (the rest of the file is not for that backend)
  };

  Kind kind = Kind::note;
  int line = 0;  // from 1
  char client = 0;
  std::string text;  // arguments, raw bytes, reply line or backend name
  std::int64_t advance_ms = 0;
  std::string source;  // the whole line
};

struct Transcript {
  std::string description;  // the first line, without '#'
  std::vector<Step> steps;

  // False when the file as a whole is not for `backend` (its @skip stands before the first
  // request).
  bool runs_on(std::string_view backend) const;
};

// The error names file and line.
std::expected<Transcript, std::string> load_transcript(const std::filesystem::path& file);

}  // namespace transcripts
