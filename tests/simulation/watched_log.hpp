// What stands between the server and its log: sees which keys expire, and lies when told to.
#pragma once

#include "engine/commit_log.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace simulation {

// Faults that are built in on purpose, to show that they are found.
enum class Lie : std::uint8_t {
  none,
  unsynced,  // syncs do nothing
  unheld,    // answers do not wait for syncs
  split,     // the mutations of one frame go to two batches
};

class WatchedLog final : public engine::CommitLog {
 public:
  WatchedLog(engine::CommitLog& truth, Lie lie) : truth_(truth), lie_(lie) {}

  // Keys that were told to have expired since the last time this was asked.
  [[nodiscard]] std::vector<std::string> take_expired() { return std::exchange(expired_, {}); }

  // --- CommitLog
  engine::Position append(engine::Batch&& batch) override;
  std::optional<engine::ReadTicket> read_barrier() override { return truth_.read_barrier(); }
  void snapshot_taken(engine::Position position) override { truth_.snapshot_taken(position); }
  [[nodiscard]] engine::Position committed_position() const override {
    return lie_ == Lie::unheld ? appended_ : truth_.committed_position();
  }
  [[nodiscard]] engine::Position read_position() const override { return truth_.read_position(); }
  [[nodiscard]] engine::Role role() const override { return truth_.role(); }
  void collect() override { truth_.collect(); }
  void end_turn() override { truth_.end_turn(); }
  void check_time(std::int64_t now_us) override { truth_.check_time(now_us); }
  [[nodiscard]] std::optional<std::int64_t> next_check_us() const override {
    return truth_.next_check_us();
  }
  [[nodiscard]] engine::IoResult flush() override { return truth_.flush(); }
  [[nodiscard]] bool wants_frames() const override { return truth_.wants_frames(); }

 private:
  void note_expired(std::string_view frames);

  engine::CommitLog& truth_;
  Lie lie_;
  engine::Position appended_ = 0;
  std::vector<std::string> expired_;
};

}  // namespace simulation
