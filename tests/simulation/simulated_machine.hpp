// A machine whose time moves when told to, whose disk fails and forgets, and whose workers are done
// when its time has come for it. It outlives the processes on it, of which there is one at a time.
#pragma once

#include "base/clock.hpp"
#include "server/machine.hpp"
#include "tests/simulation/random.hpp"
#include "tests/support/disk/memory_file_system.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace simulation {

// Of the world, which goes on through crashes, and of the machine in it.
struct Time {
  static constexpr std::int64_t epoch_us = 1'700'000'000'000'000;
  std::int64_t true_us = 0;
  std::int64_t wall_step_us = 0;  // by how much the wall clock was set wrong
  std::int64_t booted_us = -1'000'000;
  std::uint64_t boots = 1;
  [[nodiscard]] std::int64_t wall_us() const { return epoch_us + true_us + wall_step_us; }
  [[nodiscard]] std::int64_t boottime_us() const { return true_us - booted_us; }
};

class SimulatedClock final : public base::LeaseClock {
 public:
  // Of a process that starts now.
  explicit SimulatedClock(const Time& time)
      : LeaseClock(time.wall_us(), time.boottime_us()), time_(time) {}
  [[nodiscard]] std::int64_t wall_us() const override { return time_.wall_us(); }
  [[nodiscard]] std::int64_t monotonic_us() const override { return time_.boottime_us(); }
  [[nodiscard]] std::int64_t boottime_us() const override { return time_.boottime_us(); }
  [[nodiscard]] std::string boot_id() const override { return std::to_string(time_.boots); }

 private:
  const Time& time_;
};

class SimulatedWorker;

class SimulatedMachine final : public server::Machine {
 public:
  // `random` outlives it.
  explicit SimulatedMachine(Random& random) : random_(random) {}

  // --- Machine
  [[nodiscard]] SimulatedClock& clock() override { return *clock_; }
  [[nodiscard]] std::expected<std::unique_ptr<engine::FileSystem>, std::error_code> open_directory(
      const std::string& path) override;
  [[nodiscard]] std::unique_ptr<engine::SyncWorker> new_worker() override;

  // --- what happens to it
  // Before a process: it has a clock of its own.
  void begin_process();
  // Its power is gone for a while; `wall_step_us`: how its clock is set when it is back.
  void crash(std::int64_t down_us, std::int64_t wall_step_us);
  // Workers do what is due.
  void run_workers();
  // When the next worker has something to do or to say; boottime.
  [[nodiscard]] std::optional<std::int64_t> next_work_us() const;
  // Whether a worker has something to say now.
  [[nodiscard]] bool has_work_done() const;

  Time time;
  test::MemoryFileSystem disk;
  std::int64_t sync_us_max = 1000;  // a job begins, and ends, within about half of it each
  bool hurries = false;             // jobs are done at once, for callers that wait

 private:
  friend class SimulatedWorker;

  Random& random_;
  std::unique_ptr<SimulatedClock> clock_;
  std::vector<SimulatedWorker*> workers_;
};

class SimulatedWorker final : public engine::SyncWorker {
 public:
  explicit SimulatedWorker(SimulatedMachine& machine);
  ~SimulatedWorker() override;
  SimulatedWorker(const SimulatedWorker&) = delete;
  SimulatedWorker& operator=(const SimulatedWorker&) = delete;

  void start(Job job) override;
  std::optional<engine::IoResult> finished() override;

  void run();
  [[nodiscard]] std::optional<std::int64_t> next_us() const;
  [[nodiscard]] bool is_done() const;

 private:
  SimulatedMachine& machine_;
  Job job_;
  std::optional<engine::IoResult> result_;
  std::int64_t runs_at_us_ = 0;
  std::int64_t ends_at_us_ = 0;
};

}  // namespace simulation
