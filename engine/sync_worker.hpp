// Runs the calls that wait for the disk, off the loop.
#pragma once

#include "engine/file_system.hpp"

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace engine {

// Used from the loop thread. One job at a time: start() the next when finished() gave the last.
class SyncWorker {
 public:
  using Job = std::function<IoResult()>;
  virtual ~SyncWorker() = default;
  virtual void start(Job job) = 0;
  // The outcome of the job, once; nullopt while it runs and when there is none.
  virtual std::optional<IoResult> finished() = 0;
};

// On a thread of its own.
class SyncThread final : public SyncWorker {
 public:
  // `wake` is called on that thread after each job.
  explicit SyncThread(std::function<void()> wake);
  // Waits for the job that runs.
  ~SyncThread() override;
  SyncThread(const SyncThread&) = delete;
  SyncThread& operator=(const SyncThread&) = delete;

  void start(Job job) override;
  std::optional<IoResult> finished() override;

 private:
  void run();

  std::function<void()> wake_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Job job_;
  std::optional<IoResult> result_;
  bool stopping_ = false;
  std::thread thread_;  // last: it uses the others
};

}  // namespace engine
