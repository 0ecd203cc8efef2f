#include "tests/simulation/simulated_machine.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <utility>

namespace simulation {
namespace {

// A process opens and closes the directory; the disk stays.
class OpenDirectory final : public engine::FileSystem {
 public:
  explicit OpenDirectory(test::MemoryFileSystem& disk) : disk_(disk) {}
  std::expected<std::unique_ptr<engine::File>, std::error_code> open(
      const std::string& name, engine::OpenMode mode) override {
    return disk_.open(name, mode);
  }
  engine::IoResult rename(const std::string& from, const std::string& to) override {
    return disk_.rename(from, to);
  }
  engine::IoResult remove(const std::string& name) override { return disk_.remove(name); }
  std::expected<std::vector<std::string>, std::error_code> list() override { return disk_.list(); }
  engine::IoResult sync_directory() override { return disk_.sync_directory(); }

 private:
  test::MemoryFileSystem& disk_;
};

}  // namespace

std::expected<std::unique_ptr<engine::FileSystem>, std::error_code>
SimulatedMachine::open_directory(const std::string& /*path*/) {
  return std::make_unique<OpenDirectory>(disk);
}

std::unique_ptr<engine::SyncWorker> SimulatedMachine::new_worker() {
  return std::make_unique<SimulatedWorker>(*this);
}

void SimulatedMachine::begin_process() {
  clock_ = std::make_unique<SimulatedClock>(time);
  hurries = false;
}

void SimulatedMachine::crash(std::int64_t down_us, std::int64_t wall_step_us) {
  disk.crash(random_.engine());
  time.true_us += down_us;
  time.booted_us = time.true_us;
  time.wall_step_us += wall_step_us;
  ++time.boots;
}

void SimulatedMachine::run_workers() {
  for (SimulatedWorker* const worker : workers_) worker->run();
}

std::optional<std::int64_t> SimulatedMachine::next_work_us() const {
  std::optional<std::int64_t> next;
  for (const SimulatedWorker* const worker : workers_) {
    const auto at_us = worker->next_us();
    if (at_us) next = std::min(next.value_or(*at_us), *at_us);
  }
  return next;
}

bool SimulatedMachine::has_work_done() const {
  return std::ranges::any_of(workers_,
                             [](const SimulatedWorker* worker) { return worker->is_done(); });
}

// --- SimulatedWorker

SimulatedWorker::SimulatedWorker(SimulatedMachine& machine) : machine_(machine) {
  machine.workers_.push_back(this);
}

SimulatedWorker::~SimulatedWorker() {
  std::erase(machine_.workers_, this);
}

void SimulatedWorker::start(Job job) {
  ASSERT(!job_ && !result_);
  job_ = std::move(job);
  const std::int64_t half_us = machine_.sync_us_max / 2;
  runs_at_us_ = machine_.time.boottime_us() + machine_.random_.between(0, half_us);
  ends_at_us_ = runs_at_us_ + machine_.random_.between(0, half_us);
}

void SimulatedWorker::run() {
  if (job_ && (machine_.hurries || machine_.time.boottime_us() >= runs_at_us_)) {
    result_ = std::exchange(job_, nullptr)();
  }
}

bool SimulatedWorker::is_done() const {
  return result_ && (machine_.hurries || machine_.time.boottime_us() >= ends_at_us_);
}

std::optional<engine::IoResult> SimulatedWorker::finished() {
  run();
  if (!is_done()) return std::nullopt;
  return std::exchange(result_, std::nullopt);
}

std::optional<std::int64_t> SimulatedWorker::next_us() const {
  if (job_) return runs_at_us_;
  if (result_) return ends_at_us_;
  return std::nullopt;
}

}  // namespace simulation
