// Random changes of all types while snapshots are taken in slices, on a disk that fails and loses
// what was not synced; crashes of process and machine at any moment. What a start brings back is
// always the state that a prefix of what was appended gives, and never behind what was answered.
#include "tests/support/disk/random_changes.hpp"
#include "tests/support/disk/snapshot_world.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace {

class Campaign {
 public:
  explicit Campaign(std::uint64_t seed) : random_(seed), world_(files_, options(random_)) {}

  void run() {
    constexpr int lives = 4;
    for (int life = 0; life < lives && !testing::Test::HasFailure(); ++life) {
      const bool started = world_.start();
      ASSERT_EQ(world_.failure.reason, "")
          << "a crash is not damage: " << world_.failure.file << " at " << world_.failure.offset;
      check();
      world_.keyspace->set_durability(durability());
      if (started) live();
      end();
    }
  }
  [[nodiscard]] std::uint64_t taken() const { return taken_; }
  [[nodiscard]] std::uint64_t renewed() const { return renewed_; }

 private:
  static test::SnapshotWorld::Options options(std::mt19937_64& random) {
    return {.log = {.segment_bytes_max = 200 + random() % 4000,
                    .zeros_bytes = random() % 2000,
                    .reserve_bytes = random() % 2 * (200 + random() % 3000)},
            .snapshot = {.buckets_per_step = 1 + random() % 6,
                         .image_bytes = 1 + random() % 400,
                         .piece_bytes = 1 + random() % 1000,
                         .sync_bytes = 1 + random() % 2000}};
  }

  engine::Durability durability() {
    constexpr engine::SyncPolicy policies[] = {engine::SyncPolicy::no, engine::SyncPolicy::everysec,
                                               engine::SyncPolicy::always};
    return {policies[random_() % 3], {{.glob = "key1*", .policy = engine::SyncPolicy::always}}};
  }

  void check() {
    const engine::Position found = world_.recovered.position;
    ASSERT_LE(found, history_.size());
    ASSERT_GE(found, durable_) << "what was answered is lost";
    history_.resize(found);
    engine::Keyspace expected(0, 1);
    for (const std::string& batch : history_) ASSERT_TRUE(expected.replay(batch));
    expected.validate();
    world_.keyspace->validate();
    ASSERT_EQ(world_.text(), test::text_of(expected));
    // What is handed out from here on is new.
    ASSERT_GE(world_.keyspace->reserved_tokens(), expected.reserved_tokens());
    world_.keyspace->start_tokens(0, world_.clock.lease_ms());
    note(world_.end_turn());
  }

  void live() {
    constexpr int steps = 120;
    checked_ = 0;
    if (random_() % 3 == 0) files_.fail_at(random_() % 100, std::errc::no_space_on_device);
    if (random_() % 8 == 0) files_.fail_from(random_() % 100, std::errc::no_space_on_device);
    if (random_() % 8 == 0) files_.fail_from(random_() % 200, std::errc::io_error);
    if (random_() % 3 == 0) files_.end_process_at(random_() % 150);
    const std::uint64_t changes_per_turn = 1 + random_() % 6;
    for (int step = 0; step < steps && !files_.is_process_dead(); ++step) {
      world_.log_worker.held = random_() % 4 == 0;
      world_.snapshot_worker.held = random_() % 3 == 0;
      world_.log->collect();
      world_.log->check_time(world_.clock.monotonic_us());
      world_.log->end_turn();
      note_answered();
      if (random_() % 12 == 0) world_.snapshot->request();
      const bool had_failed = world_.log->has_failed();
      if (random_() % 3 != 0) world_.snapshot->step(0);
      check_snapshot();
      if (had_failed && !world_.log->has_failed()) ++renewed_;
      act(changes_per_turn);
      if (random_() % 20 == 0) world_.keyspace->validate();
      if (random_() % 40 == 0) files_.heal();
    }
    taken_ += world_.snapshot->figures().taken;
  }

  // What has just been taken is the state at its position, without the journal behind it.
  void check_snapshot() {
    const auto figures = world_.snapshot->figures();
    if (files_.is_process_dead() || figures.taken == checked_) return;
    checked_ = figures.taken;
    const engine::Position position = figures.last_taken.position;
    const std::string name =
        engine::journal::file_name(engine::journal::FileKind::snapshot, position);
    test::MemoryFileSystem alone;
    alone.set_content(name, files_.content(name));
    test::SnapshotWorld loaded(alone);
    ASSERT_TRUE(loaded.start()) << loaded.failure.reason;
    engine::Keyspace expected(0, 1);
    for (engine::Position at = 0; at < position; ++at) {
      ASSERT_TRUE(expected.replay(history_[at]));
    }
    ASSERT_EQ(loaded.text(), test::text_of(expected)) << "snapshot at " << position;
    ASSERT_EQ(loaded.keyspace->reserved_tokens(), expected.reserved_tokens());
  }

  void act(std::uint64_t changes_per_turn) {
    if (random_() % 6 == 0) world_.clock.advance_ms(static_cast<std::int64_t>(random_() % 500));
    if (random_() % 6 == 0) world_.keyspace->expire_due(world_.clock.lease_ms(), 1'000'000);
    if (random_() % 4 == 0) world_.keyspace->free_some(0);
    note(world_.turn([&](engine::Keyspace& keyspace) {
      const std::uint64_t changes = random_() % (changes_per_turn + 1);
      for (std::uint64_t change = 0; change < changes; ++change) changes_.one(keyspace);
    }));
  }

  void note(engine::Position position) {
    if (position == 0) return;
    ASSERT_EQ(position, history_.size() + 1);
    history_.push_back(world_.last_batch);
    if (world_.last_policy == engine::SyncPolicy::always) strict_.push_back(position);
  }

  // Every `always` batch that is committed has been answered; a dead process answers nobody.
  void note_answered() {
    if (files_.is_process_dead()) return;
    const engine::Position committed = world_.log->committed_position();
    while (!strict_.empty() && strict_.front() <= committed) {
      durable_ = strict_.front();
      strict_.erase(strict_.begin());
    }
    written_ = std::max(written_, committed);
  }

  void end() {
    // The end of the process alone loses nothing that was committed under any policy.
    if (files_.is_process_dead() && random_() % 2 == 0) {
      durable_ = std::max(durable_, written_);
      files_.revive();
      files_.heal();
    } else {
      files_.crash(random_);
    }
    strict_.clear();
    written_ = 0;
  }

  std::mt19937_64 random_;
  test::MemoryFileSystem files_;
  test::SnapshotWorld world_;
  test::RandomChanges changes_{random_};
  std::vector<std::string> history_;      // the batches, from position 1
  std::vector<engine::Position> strict_;  // `always`, not answered yet
  engine::Position durable_ = 0;
  engine::Position written_ = 0;
  std::uint64_t checked_ = 0;  // of the snapshots of this life
  std::uint64_t taken_ = 0;
  std::uint64_t renewed_ = 0;
};

TEST(SnapshotProperty, a_start_brings_back_the_state_of_a_prefix) {
  const char* given = std::getenv("PROPERTY_SEED");
  const std::uint64_t first = given != nullptr ? std::strtoull(given, nullptr, 10) : 1;
  constexpr std::uint64_t seeds = 600;
  std::uint64_t taken = 0;
  std::uint64_t renewed = 0;
  for (std::uint64_t seed = first; seed < first + seeds && !HasFailure(); ++seed) {
    SCOPED_TRACE("PROPERTY_SEED=" + std::to_string(seed));
    Campaign campaign(seed);
    campaign.run();
    taken += campaign.taken();
    renewed += campaign.renewed();
  }
  // What the test is about has happened.
  EXPECT_GT(taken, seeds);
  EXPECT_GT(renewed, seeds / 50);
  std::cout << taken << " snapshots, " << renewed << " of them brought a failed journal back\n";
}

}  // namespace
