// Where a transcript is played: a server over TCP, or the server's core in process with a clock
// that stands still until it is told to move. Clients are named by a letter and connect at their
// first use.
//
// One backend serves all transcripts of a run; reset() lies between them.
#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace transcripts {

struct Received {
  std::string bytes;    // empty when nothing came in time
  bool closed = false;  // the server ended the connection, after `bytes`
};

// An error is a failure of the backend itself (no connection, server gone), in words.
using BackendResult = std::expected<void, std::string>;

class Backend {
 public:
  Backend() = default;
  Backend(const Backend&) = delete;
  Backend& operator=(const Backend&) = delete;
  virtual ~Backend() = default;

  virtual BackendResult connect(char client) = 0;
  virtual BackendResult send(char client, std::string_view bytes) = 0;
  // Whatever has arrived, waiting for at most `limit` for the first byte. In process nothing ever
  // waits.
  virtual std::expected<Received, std::string> receive(char client,
                                                       std::chrono::milliseconds limit) = 0;
  virtual void disconnect(char client) = 0;
  virtual void advance(std::int64_t ms) = 0;
  // No clients, no keys, no scripts, settings as at the start.
  virtual BackendResult reset() = 0;
};

}  // namespace transcripts
