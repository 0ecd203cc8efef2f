// A server reached over TCP: Mortise's binary or the oracle redis-server. Time is real, so
// advance() sleeps.
#pragma once

#include "tests/transcripts/runner/backend.hpp"
#include "tests/transcripts/runner/server_process.hpp"

#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace transcripts {

class TcpBackend : public Backend {
 public:
  // A server that runs already. reset() empties it.
  TcpBackend(std::string host, std::uint16_t port);
  // Owns the server process.
  explicit TcpBackend(std::unique_ptr<ServerProcess> server);
  ~TcpBackend() override;

  BackendResult connect(char client) override;
  BackendResult send(char client, std::string_view bytes) override;
  std::expected<Received, std::string> receive(char client,
                                               std::chrono::milliseconds limit) override;
  void disconnect(char client) override;
  void advance(std::int64_t ms) override;
  BackendResult reset() override;

 private:
  std::expected<int, std::string> open_socket();
  BackendResult control(std::string_view command);
  void close_all();

  std::string host_;
  std::uint16_t port_;
  std::unique_ptr<ServerProcess> server_;
  std::map<char, int> sockets_;
  // Stays open from transcript to transcript, so that a password set by one of them cannot lock the
  // runner out.
  int control_ = -1;
};

}  // namespace transcripts
