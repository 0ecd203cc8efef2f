// Plays one transcript on one backend. In check mode it stops at the first reply that is not as
// written; in record mode it writes down what came instead, keeps every line that matched, and so
// turns a list of commands into a transcript.
#pragma once

#include "tests/transcripts/runner/backend.hpp"
#include "tests/transcripts/runner/expectation.hpp"
#include "tests/transcripts/runner/resp_value.hpp"
#include "tests/transcripts/runner/transcript.hpp"

#include <chrono>
#include <cstddef>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace transcripts {

// Failures are texts for a person: line, what was expected, what came.
using PlayResult = std::expected<void, std::string>;

class Replay {
 public:
  enum class Mode { check, record };

  // `transcript` and `backend` outlive the replay.
  Replay(const Transcript& transcript, Backend& backend, std::string backend_name, Mode mode);

  PlayResult run();
  // After a run in record mode: the lines of the file as they should be.
  const std::vector<std::string>& recorded() const { return recorded_; }

 private:
  struct Client {
    RespReader reader;
    bool closed = false;
  };
  // nullopt: nothing came within the limit.
  using Arrived = std::expected<std::optional<RespValue>, std::string>;

  // Each plays what starts at step next_ and moves next_ behind it.
  PlayResult play_next();
  PlayResult play_requests();
  PlayResult play_reply();

  PlayResult expect_silence(char name);
  PlayResult expect_closed(char name);
  PlayResult expect_nothing_more();
  Arrived next_element(char name, std::chrono::milliseconds limit);
  // The lines of the reply block at next_, captures put in.
  std::vector<std::string> reply_lines() const;
  bool reply_is_written(char name) const;
  PlayResult record_what_comes(char name);
  void record(char name, const RespValue& value);
  std::string with_captures(std::string_view text) const;

  const Transcript& transcript_;
  Backend& backend_;
  std::string backend_name_;
  Mode mode_;
  std::size_t next_ = 0;
  std::map<char, Client> clients_;
  Captures captures_;
  std::vector<std::string> recorded_;
};

}  // namespace transcripts
