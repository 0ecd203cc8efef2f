// Random batches, syncs, failures and crashes of the machine: what was committed under `always` is
// there afterwards, and always a prefix of what was appended is.
#include "tests/support/disk/journal_world.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace {

class Campaign {
 public:
  explicit Campaign(std::uint64_t seed)
      : random_(seed),
        world_(files_,
               {.segment_bytes_max = 64 + random_() % 500, .zeros_bytes = random_() % 2000}) {}

  void run() {
    constexpr int lives = 8;
    for (int life = 0; life < lives && !testing::Test::HasFailure(); ++life) {
      const bool started = world_.start();
      if (!world_.failure.reason.empty()) {
        FAIL() << "a crash is not damage: " << world_.failure.reason << " in "
               << world_.failure.file << " at " << world_.failure.offset;
      }
      check();
      if (started) live();
      // Else only the process ends, and what it wrote is there, synced or not.
      files_.heal();
      if (random_() % 3 != 0) files_.crash(random_);
    }
  }

 private:
  void check() {
    const auto& found = world_.state.texts;
    ASSERT_LE(found.size(), appended_.size());
    for (std::size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], appended_[i]);
    ASSERT_GE(found.size(), durable_) << "what was answered is lost";
    appended_.resize(found.size());
    durable_ = std::max(durable_, found.size());
  }

  void live() {
    constexpr int steps = 60;
    last_strict_ = 0;
    if (random_() % 3 == 0) files_.fail_from(random_() % 60, std::errc::io_error);
    for (int step = 0; step < steps; ++step) {
      world_.worker.held = random_() % 4 != 0;
      if (random_() % 3 == 0) {
        world_.collect();
      } else if (random_() % 8 == 0) {
        world_.clock.advance_ms(700);
        world_.log->check_time(world_.clock.monotonic_us());
      } else {
        append();
      }
      note_durable();
    }
  }

  void append() {
    constexpr engine::SyncPolicy policies[] = {engine::SyncPolicy::no, engine::SyncPolicy::everysec,
                                               engine::SyncPolicy::always};
    const engine::SyncPolicy policy = policies[random_() % 3];
    std::string text = std::to_string(random_()) + std::string(random_() % 40, '.');
    if (world_.log->has_failed()) return;
    const auto position = world_.append(text, policy);
    appended_.resize(position - 1);
    appended_.push_back(std::move(text));
    // Even a write that has failed may have done all.
    if (world_.log->has_failed()) return;
    if (policy == engine::SyncPolicy::always) last_strict_ = position;
  }

  // Answered under always: at or below the committed position, up to the last such batch.
  void note_durable() {
    const auto committed = world_.log->committed_position();
    durable_ = std::max<std::size_t>(durable_, world_.log->synced_position());
    if (last_strict_ <= committed) durable_ = std::max<std::size_t>(durable_, last_strict_);
    last_strict_ = last_strict_ <= committed ? 0 : last_strict_;
  }

  std::mt19937_64 random_;
  test::MemoryFileSystem files_;
  test::JournalWorld world_;
  std::vector<std::string> appended_;
  std::size_t durable_ = 0;  // that many of the first are certain
  engine::Position last_strict_ = 0;
};

TEST(JournalCrashProperty, what_was_answered_survives_and_always_a_prefix) {
  constexpr std::uint64_t seeds = 2000;
  for (std::uint64_t seed = 1; seed <= seeds && !HasFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Campaign(seed).run();
  }
}

}  // namespace
