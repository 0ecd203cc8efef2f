// A machine in memory: a clock that moves only when told to, a disk that fails when told to. What
// should run on other threads runs at once.
#pragma once

#include "server/machine.hpp"
#include "tests/support/disk/memory_file_system.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

class MemoryMachine final : public server::Machine {
 public:
  class Clock final : public base::LeaseClock {
   public:
    Clock() : LeaseClock(start_us, 0) {}
    void advance_ms(std::int64_t ms) { passed_us_ += ms * 1000; }
    [[nodiscard]] std::int64_t wall_us() const override { return start_us + passed_us_; }
    [[nodiscard]] std::int64_t monotonic_us() const override { return passed_us_; }
    [[nodiscard]] std::int64_t boottime_us() const override { return passed_us_; }
    [[nodiscard]] std::string boot_id() const override { return "memory"; }

   private:
    static constexpr std::int64_t start_us = 1'700'000'000'000'000;
    std::int64_t passed_us_ = 0;
  };

  // The one directory, whatever its path.
  test::MemoryFileSystem files;

  [[nodiscard]] Clock& clock() override { return clock_; }
  [[nodiscard]] std::expected<std::unique_ptr<engine::FileSystem>, std::error_code> open_directory(
      const std::string& /*path*/) override {
    return std::make_unique<Directory>(files);
  }
  [[nodiscard]] std::unique_ptr<engine::SyncWorker> new_worker() override {
    return std::make_unique<Worker>();
  }

 private:
  class Directory final : public engine::FileSystem {
   public:
    explicit Directory(test::MemoryFileSystem& files) : files_(files) {}
    std::expected<std::unique_ptr<engine::File>, std::error_code> open(
        const std::string& name, engine::OpenMode mode) override {
      return files_.open(name, mode);
    }
    engine::IoResult rename(const std::string& from, const std::string& to) override {
      return files_.rename(from, to);
    }
    engine::IoResult remove(const std::string& name) override { return files_.remove(name); }
    std::expected<std::vector<std::string>, std::error_code> list() override {
      return files_.list();
    }
    engine::IoResult sync_directory() override { return files_.sync_directory(); }

   private:
    test::MemoryFileSystem& files_;
  };
  class Worker final : public engine::SyncWorker {
   public:
    void start(Job job) override { result_ = job(); }
    std::optional<engine::IoResult> finished() override {
      return std::exchange(result_, std::nullopt);
    }

   private:
    std::optional<engine::IoResult> result_;
  };

  Clock clock_;
};
