// When snapshots of the journal are taken: on demand, when the journal has grown, and until one is
// taken when the journal has failed. After one that failed the next waits, longer each time.
#pragma once

#include "base/clock.hpp"
#include "engine/file_commit_log.hpp"
#include "engine/keyspace.hpp"
#include "engine/snapshot.hpp"
#include "engine/sync_worker.hpp"
#include "server/background.hpp"
#include "server/log.hpp"
#include "server/machine.hpp"
#include "server/server_settings.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace server {

class Snapshots final : public Background {
 public:
  // What the start found on the disk.
  struct Found {
    std::uint64_t snapshot_bytes = 0;  // 0: there is none
    std::uint64_t journal_bytes = 0;   // behind it
  };
  using Ended = std::function<void(const engine::Snapshot::Report&)>;

  // All outlive it.
  Snapshots(const ServerSettings& settings, Log& log, Machine& machine, engine::Keyspace& keyspace,
            engine::FileCommitLog& journal);
  ~Snapshots() override;
  Snapshots(const Snapshots&) = delete;
  Snapshots& operator=(const Snapshots&) = delete;

  void set_found(Found found) { found_ = found; }
  void set_ended(Ended ended) { ended_ = std::move(ended); }
  // One as soon as can be, whatever happened to those before.
  void request();
  // A worker has done something.
  void on_wake() { waits_ = false; }

  [[nodiscard]] bool has_work() override;
  void run_slice(std::int64_t budget_us) override;
  [[nodiscard]] std::optional<std::int64_t> next_check_us() const override;

  [[nodiscard]] engine::Snapshot::Figures figures() const { return snapshot_->figures(); }
  // Of the journal behind the last snapshot, and of that.
  [[nodiscard]] std::uint64_t journal_bytes() const;
  [[nodiscard]] std::uint64_t snapshot_bytes() const;
  // KeyspaceCounters::changes when the last one taken was asked for.
  [[nodiscard]] std::uint64_t changes_at_last() const { return changes_at_last_; }

 private:
  [[nodiscard]] bool is_due() const;
  void ended(const engine::Snapshot::Report& report);

  const ServerSettings& settings_;
  Log& log_;
  engine::Keyspace& keyspace_;
  engine::FileCommitLog& journal_;
  const base::Clock& clock_;
  Found found_;
  std::unique_ptr<engine::Snapshot> snapshot_;
  std::unique_ptr<engine::SyncWorker> worker_;  // behind: it ends before what it works for
  Ended ended_;
  bool waits_ = false;  // for a worker
  int failures_ = 0;    // in a row
  std::int64_t not_before_us_ = 0;
  std::uint64_t changes_at_request_ = 0;
  std::uint64_t changes_at_last_ = 0;
};

}  // namespace server
