// The journal of a server: its directory and the lock on it, what a start brings back from there,
// the log that goes on behind it. With `appendonly no` the log keeps nothing and there is no
// directory.
#pragma once

#include "base/function_ref.hpp"
#include "commands/journal_control.hpp"
#include "engine/commit_log.hpp"
#include "engine/file_commit_log.hpp"
#include "engine/keyspace.hpp"
#include "server/background.hpp"
#include "server/log.hpp"
#include "server/machine.hpp"
#include "server/server_settings.hpp"
#include "server/snapshots.hpp"
#include "server/start_error.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>

namespace server {

class Journal final : public commands::JournalControl, public Background {
 public:
  // All outlive it. When a worker of `machine` is done the loop shall call on_wake().
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
  // The orderly end: waits until everything is durable. The keyspace lives until here.
  void close();
  void on_wake();
  // Told how each snapshot has ended.
  void set_saved(Snapshots::Ended saved) { saved_ = std::move(saved); }

  // --- Background: snapshots
  [[nodiscard]] bool has_work() override;
  void run_slice(std::int64_t budget_us) override;
  [[nodiscard]] std::optional<std::int64_t> next_check_us() const override;

  // --- JournalControl
  [[nodiscard]] commands::JournalFigures figures() override;
  [[nodiscard]] std::expected<void, std::string> begin_save() override;

 private:
  class Loader;
  [[nodiscard]] std::expected<void, StartError> start_log(engine::Keyspace& keyspace,
                                                          engine::Position position);
  // 0: there is none.
  [[nodiscard]] std::uint64_t snapshot_bytes(engine::Position position);
  void report(const Loader& loader, engine::Keyspace& keyspace);

  const ServerSettings& settings_;
  Log& log_;
  Machine& machine_;
  base::LeaseClock& clock_;
  engine::NoneCommitLog none_;
  std::unique_ptr<engine::FileSystem> directory_;
  std::unique_ptr<engine::SyncWorker> worker_;   // null: appendonly no
  std::unique_ptr<engine::FileCommitLog> file_;  // null: appendonly no
  std::unique_ptr<Snapshots> snapshots_;         // null: appendonly no, or not open
  Snapshots::Ended saved_;
  commands::JournalFigures figures_;
};

}  // namespace server
