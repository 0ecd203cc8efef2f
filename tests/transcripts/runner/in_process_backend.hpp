// Plays transcripts on the server's core in this process, in virtual time: see
// in_process_server.hpp.
#pragma once

#include "tests/transcripts/runner/backend.hpp"
#include "tests/transcripts/runner/in_process_server.hpp"

#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace transcripts {

class InProcessBackend final : public Backend {
 public:
  InProcessBackend() : server_(std::make_unique<InProcessServer>()) {}

  BackendResult connect(char client) override;
  BackendResult send(char client, std::string_view bytes) override;
  std::expected<Received, std::string> receive(char client,
                                               std::chrono::milliseconds limit) override;
  void disconnect(char client) override;
  void advance(std::int64_t ms) override { server_->advance(ms); }
  BackendResult reset() override;

 private:
  std::unique_ptr<InProcessServer> server_;
  std::map<char, InProcessConnection*> connections_;
};

}  // namespace transcripts
