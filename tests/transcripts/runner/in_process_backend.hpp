// Plays transcripts on the server's core in this process: the sessions, dispatcher, engine and
// scripts of the binary, without sockets, on a clock that stands still until it is told to move.
// Leases and timeouts end at their very millisecond.
#pragma once

#include "base/clock.hpp"
#include "engine/commit_log.hpp"
#include "server/config.hpp"
#include "server/core.hpp"
#include "server/log.hpp"
#include "server/session.hpp"
#include "tests/transcripts/runner/backend.hpp"

#include <cstdint>
#include <expected>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace transcripts {

class InProcessBackend final : public Backend {
 public:
  InProcessBackend() { restart(); }

  BackendResult connect(char client) override;
  BackendResult send(char client, std::string_view bytes) override;
  std::expected<Received, std::string> receive(char client,
                                               std::chrono::milliseconds limit) override;
  void disconnect(char client) override;
  void advance(std::int64_t ms) override;
  BackendResult reset() override;

 private:
  // The client's end: collects what the server says.
  class Connection final : public server::Transport {
   public:
    void flush() override;
    void session_ended() override { session = nullptr; }

    server::Session* session = nullptr;  // owned by the core, null once it has ended
    std::string received;
  };

  // A server with its surroundings, one per transcript. The order of the members is their lifetime.
  struct World {
    base::ManualClock clock;
    engine::NoneCommitLog commit_log;
    server::Log log;
    server::Config config;
    std::map<char, Connection> connections;
    std::unique_ptr<server::Core> core;
  };

  void restart();
  void run_turns();
  // How far the clock may go, at most `limit_us` (monotonic), before something happens by itself.
  [[nodiscard]] std::int64_t next_instant_us(std::int64_t limit_us) const;

  std::unique_ptr<World> world_;
};

}  // namespace transcripts
