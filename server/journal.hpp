// The journal of a server: its directory and the lock on it, what a start brings back from there,
// the log that goes on behind it. With `appendonly no` the log keeps nothing and there is no
// directory.
#pragma once

#include "base/function_ref.hpp"
#include "commands/journal_control.hpp"
#include "engine/commit_log.hpp"
#include "engine/file_commit_log.hpp"
#include "engine/keyspace.hpp"
#include "server/log.hpp"
#include "server/machine.hpp"
#include "server/server_settings.hpp"
#include "server/start_error.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <string>

namespace server {

class Journal final : public commands::JournalControl {
 public:
  // All outlive it. When a worker of `machine` is done the loop shall call commit_log().collect().
  Journal(const ServerSettings& settings, Log& log, Machine& machine);
  ~Journal() override;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  [[nodiscard]] engine::CommitLog& commit_log();
  void set_progress(engine::CommitProgress* progress);

  // Brings back what the directory holds into the empty `keyspace`, sets the clock of leases to go
  // on from there, and opens the log. `serve` is called now and then; false: give up (no error).
  [[nodiscard]] std::expected<void, StartError> open(engine::Keyspace& keyspace,
                                                     base::FunctionRef<bool()> serve);
  // The orderly end: waits until everything is durable.
  void close();
  [[nodiscard]] bool is_loading() const { return figures_.is_loading; }

  // --- JournalControl
  [[nodiscard]] commands::JournalFigures figures() override;
  [[nodiscard]] std::expected<void, std::string> begin_save() override;

 private:
  class Loader;
  struct Files;
  [[nodiscard]] std::expected<void, StartError> start_log(engine::Keyspace& keyspace,
                                                          engine::Position position);
  void report(const Loader& loader, const engine::Keyspace& keyspace);

  const ServerSettings& settings_;
  Log& log_;
  Machine& machine_;
  base::LeaseClock& clock_;
  engine::NoneCommitLog none_;
  std::unique_ptr<engine::FileSystem> directory_;
  std::unique_ptr<engine::SyncWorker> worker_;   // null: appendonly no
  std::unique_ptr<engine::FileCommitLog> file_;  // null: appendonly no
  commands::JournalFigures figures_;
};

}  // namespace server
