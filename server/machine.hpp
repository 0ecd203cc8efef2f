// What a journal needs of the machine: time, the disk, and threads that wait for the disk. An
// argument, so that a simulation runs the same start and the same log on a machine of its own.
#pragma once

#include "base/clock.hpp"
#include "engine/file_system.hpp"
#include "engine/sync_worker.hpp"

#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

namespace server {

class Machine {
 public:
  virtual ~Machine() = default;
  [[nodiscard]] virtual base::LeaseClock& clock() = 0;
  // For one process at a time: EWOULDBLOCK when another one has the directory.
  [[nodiscard]] virtual std::expected<std::unique_ptr<engine::FileSystem>, std::error_code>
  open_directory(const std::string& path) = 0;
  // Ends before the machine, and before the directory that it works on.
  [[nodiscard]] virtual std::unique_ptr<engine::SyncWorker> new_worker() = 0;
};

// This one.
class SystemMachine final : public Machine {
 public:
  // `wake` is called on other threads, after each job of a worker.
  explicit SystemMachine(std::function<void()> wake) : wake_(std::move(wake)) {}

  [[nodiscard]] base::SystemClock& clock() override { return clock_; }
  [[nodiscard]] std::expected<std::unique_ptr<engine::FileSystem>, std::error_code> open_directory(
      const std::string& path) override;
  [[nodiscard]] std::unique_ptr<engine::SyncWorker> new_worker() override;

 private:
  base::SystemClock clock_;
  std::function<void()> wake_;
};

}  // namespace server
