// One process of the server on a simulated machine: everything but sockets, and the loop that a
// real one has around it (server/turn.cpp, server/server.cpp). No real time decides anything.
#pragma once

#include "server/config.hpp"
#include "server/core.hpp"
#include "server/journal.hpp"
#include "server/log.hpp"
#include "tests/simulation/model.hpp"
#include "tests/simulation/simulated_machine.hpp"
#include "tests/simulation/watched_log.hpp"

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace simulation {

struct ProcessOptions {
  Rules rules;
  std::uint64_t segment_bytes = 4096;
  std::uint64_t reserve_bytes = 0;
  std::uint64_t snapshot_growth_percent = 0;  // 0: no snapshots by themselves
  std::uint64_t snapshot_bytes_min = 0;
  std::uint64_t token_block = 1'000;  // of numbers
  std::uint64_t seed = 1;
  Lie lie = Lie::none;
};

class ServerProcess {
 public:
  // `turn_ended` is called behind each turn. All outlive it.
  ServerProcess(SimulatedMachine& machine, Random& random, const ProcessOptions& options,
                std::function<void()> turn_ended);
  // kill -9, unless it has stopped.
  ~ServerProcess();
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  std::expected<void, server::StartError> start();
  // A round of I/O is over: ends the turn, and goes on with whatever is left over.
  void finish();
  // What is due now: a worker that is done, a timer, keys.
  void run_due();
  // When run_due() has something to do; boottime.
  [[nodiscard]] std::optional<std::int64_t> next_due_us();
  // SIGTERM: everything is synced, and what was held back leaves.
  void stop();
  [[nodiscard]] bool wants_to_stop() const { return core_->is_stopping(); }

  [[nodiscard]] server::Core& core() { return *core_; }
  // Keys that have expired since the last time this was asked.
  [[nodiscard]] std::vector<std::string> take_expired() { return watched_->take_expired(); }
  [[nodiscard]] commands::JournalFigures figures() { return journal_->figures(); }

 private:
  class Slices;

  void end_turn();

  SimulatedMachine& machine_;
  std::function<void()> turn_ended_;
  server::Config config_;
  server::ServerSettings settings_;
  server::Log log_;
  std::unique_ptr<server::Journal> journal_;
  std::unique_ptr<WatchedLog> watched_;
  std::unique_ptr<Slices> slices_;
  std::unique_ptr<server::Core> core_;
};

}  // namespace simulation
