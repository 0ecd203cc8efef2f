#include "engine/sync_worker.hpp"

#include "base/assert.hpp"

#include <utility>

namespace engine {

SyncThread::SyncThread(std::function<void()> wake)
    : wake_(std::move(wake)), thread_([this] { run(); }) {}

SyncThread::~SyncThread() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void SyncThread::start(Job job) {
  {
    const std::lock_guard lock(mutex_);
    ASSERT(!job_ && !result_);
    job_ = std::move(job);
  }
  changed_.notify_one();
}

std::optional<IoResult> SyncThread::finished() {
  const std::lock_guard lock(mutex_);
  return std::exchange(result_, std::nullopt);
}

void SyncThread::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || job_; });
    if (!job_) return;
    const Job job = job_;
    lock.unlock();
    IoResult result = job();
    lock.lock();
    job_ = nullptr;
    result_ = std::move(result);
    lock.unlock();
    wake_();
    lock.lock();
  }
}

}  // namespace engine
