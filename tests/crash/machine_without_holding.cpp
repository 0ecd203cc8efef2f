// In place of server/machine.cpp, for a server that the crash loop must find out: a sync counts as
// done when it begins, so replies leave without waiting for the disk.
#include "engine/posix_file_system.hpp"
#include "server/machine.hpp"

#include <deque>
#include <mutex>
#include <thread>

namespace {

// Does every job, a little later.
class HastyWorker final : public engine::SyncWorker {
 public:
  explicit HastyWorker(std::function<void()> wake)
      : wake_(std::move(wake)), thread_([this](const std::stop_token& stop) { run(stop); }) {}

  void start(Job job) override {
    {
      const std::lock_guard lock(mutex_);
      jobs_.push_back(std::move(job));
    }
    is_answered_ = false;
    wake_();
  }
  std::optional<engine::IoResult> finished() override {
    if (is_answered_) return std::nullopt;
    is_answered_ = true;
    return engine::IoResult{};
  }

 private:
  void run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      Job job;
      {
        const std::lock_guard lock(mutex_);
        if (!jobs_.empty()) {
          job = std::move(jobs_.front());
          jobs_.pop_front();
        }
      }
      if (job) {
        static_cast<void>(job());
      } else {
        std::this_thread::sleep_for(std::chrono::microseconds(200));
      }
    }
  }

  std::function<void()> wake_;
  std::mutex mutex_;
  std::deque<Job> jobs_;
  bool is_answered_ = true;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace

namespace server {

std::expected<std::unique_ptr<engine::FileSystem>, std::error_code> SystemMachine::open_directory(
    const std::string& path) {
  return engine::PosixFileSystem::open_directory(path);
}

std::unique_ptr<engine::SyncWorker> SystemMachine::new_worker() {
  return std::make_unique<HastyWorker>(wake_);
}

}  // namespace server
