#include "engine/keyspace_walk.hpp"
#include "tests/support/disk/snapshot_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

namespace {

using engine::SyncPolicy;
using engine::journal::FileKind;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::Ge;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Lt;
using testing::Not;

class SnapshotTest : public testing::Test {
 protected:
  test::MemoryFileSystem files;
  test::SnapshotWorld world{files};

  void SetUp() override { ASSERT_TRUE(world.start()); }

  engine::Position set(const std::string& key, const std::string& value) {
    return world.turn([&](engine::Keyspace& keyspace) {
      ASSERT_TRUE(keyspace.database(0).set_string(key, value).has_value());
    });
  }
  void set_many(int keys) {
    for (int key = 0; key < keys; ++key) set("key" + std::to_string(key), "value");
  }
  // Begins one and lets it see a few entries.
  void begin() {
    world.snapshot->request();
    ASSERT_TRUE(world.snapshot->step(0));
    ASSERT_TRUE(world.snapshot->step(0));
    for (int syncs = 0; syncs < 2; ++syncs) {
      world.log->collect();
      world.log->end_turn();
    }
    ASSERT_THAT(world.snapshot->figures().keys_done, AllOf(Ge(1U), Lt(20U)));
  }
  // What the snapshot at `position` holds, without the journal behind it.
  std::string text_of_snapshot(engine::Position position) const {
    test::MemoryFileSystem alone;
    alone.set_content(snapshot(position), files.content(snapshot(position)));
    test::SnapshotWorld loaded(alone);
    EXPECT_TRUE(loaded.start()) << loaded.failure.reason;
    return loaded.text();
  }
  static std::string segment(engine::Position position) {
    return engine::journal::file_name(FileKind::segment, position);
  }
  static std::string snapshot(engine::Position position) {
    return engine::journal::file_name(FileKind::snapshot, position);
  }
  static std::string draft(engine::Position position) {
    return engine::journal::draft_name(position);
  }
};

TEST_F(SnapshotTest, holds_the_state_and_stands_for_all_before_it) {
  set_many(100);
  const std::string state = world.text();
  world.snapshot->request();
  ASSERT_TRUE(world.run_to_idle());
  ASSERT_EQ(world.reports.size(), 1U);
  EXPECT_TRUE(world.reports[0].taken) << world.reports[0].text;
  EXPECT_EQ(world.reports[0].position, 100U);
  EXPECT_EQ(world.reports[0].keys, 100U);
  EXPECT_EQ(world.reports[0].bytes, files.content(snapshot(100)).size());
  EXPECT_THAT(files.names(), ElementsAre(segment(100), snapshot(100)));
  ASSERT_TRUE(world.start());
  EXPECT_EQ(world.recovered.snapshot_position, 100U);
  EXPECT_EQ(world.recovered.batches, 0U);
  EXPECT_EQ(world.text(), state);
}

TEST_F(SnapshotTest, of_nothing_holds_nothing) {
  world.snapshot->request();
  ASSERT_TRUE(world.run_to_idle());
  EXPECT_TRUE(world.reports.at(0).taken);
  ASSERT_TRUE(world.start());
  EXPECT_EQ(world.text(), "");
}

TEST_F(SnapshotTest, what_changes_meanwhile_is_held_as_it_was) {
  set_many(100);
  const std::string state = world.text();
  begin();
  for (int key = 0; key < 100; key += 2) set("key" + std::to_string(key), "changed");
  world.turn([](engine::Keyspace& keyspace) {
    engine::Database& database = keyspace.database(0);
    for (int key = 1; key < 100; key += 4) database.remove("key" + std::to_string(key));
    for (int key = 3; key < 20; key += 4) {
      EXPECT_TRUE(database.rename("key" + std::to_string(key), "to" + std::to_string(key)));
    }
    for (int key = 23; key < 40; key += 4) {
      EXPECT_TRUE(database.set_deadline("key" + std::to_string(key), keyspace.now_ms() + 1));
    }
    EXPECT_TRUE(database.rename("key67", "key71"));
  });
  for (int key = 0; key < 100; ++key) set("new" + std::to_string(key), "value");
  world.clock.advance_ms(10);
  world.keyspace->expire_due(world.clock.lease_ms(), 1'000'000);
  world.end_turn();
  const std::string changed = world.text();
  ASSERT_TRUE(world.run_to_idle());
  ASSERT_TRUE(world.reports.at(0).taken);
  EXPECT_EQ(text_of_snapshot(100), state);
  ASSERT_TRUE(world.start());
  EXPECT_EQ(world.text(), changed);
}

TEST_F(SnapshotTest, flushed_and_swapped_databases_are_held_as_they_were) {
  set_many(100);
  world.turn([](engine::Keyspace& keyspace) {
    EXPECT_TRUE(keyspace.database(2).set_string("of two", "value"));
  });
  const std::string state = world.text();
  begin();
  world.turn([](engine::Keyspace& keyspace) { keyspace.swap(0, 2); });
  set("of two", "changed");
  world.turn([](engine::Keyspace& keyspace) { keyspace.flush(2); });
  EXPECT_GT(world.keyspace->pending_bytes(), 0U);
  set_many(10);
  world.turn([](engine::Keyspace& keyspace) { keyspace.flush_all(); });
  set("last", "value");
  ASSERT_TRUE(world.run_to_idle());
  ASSERT_TRUE(world.reports.at(0).taken);
  EXPECT_EQ(text_of_snapshot(101), state);
  while (world.keyspace->free_some(1'000'000)) {
  }
  EXPECT_EQ(world.keyspace->pending_bytes(), 0U);
}

// Entries that were not seen yet come to lie where the walk has been.
TEST_F(SnapshotTest, a_table_that_shrinks_meanwhile_is_held_whole) {
  constexpr int keys = 2000;
  set_many(keys);
  const std::string state = world.text();
  world.snapshot->request();
  while (world.snapshot->figures().keys_done < keys / 2) {
    ASSERT_TRUE(world.snapshot->step(0));
  }
  world.turn([](engine::Keyspace& keyspace) {
    for (int key = 0; key < keys; ++key) {
      if (key % 20 != 0) keyspace.database(0).remove("key" + std::to_string(key));
    }
  });
  ASSERT_TRUE(world.run_to_idle());
  ASSERT_TRUE(world.reports.at(0).taken);
  EXPECT_EQ(text_of_snapshot(keys), state);
  world.keyspace->validate();
}

TEST_F(SnapshotTest, waits_for_its_worker_without_walking_on) {
  set_many(200);
  world.snapshot_worker.held = true;
  world.snapshot->request();
  int steps = 0;
  while (world.snapshot->step(0)) ++steps;
  EXPECT_GT(steps, 2);
  const auto done = world.snapshot->figures().keys_done;
  EXPECT_LT(done, 30U) << "two pieces";
  EXPECT_FALSE(world.snapshot->step(1'000'000));
  EXPECT_EQ(world.snapshot->figures().keys_done, done);
  world.snapshot_worker.held = false;
  ASSERT_TRUE(world.run_to_idle());
  EXPECT_TRUE(world.reports.at(0).taken);
}

TEST_F(SnapshotTest, gets_its_name_when_the_journal_is_durable) {
  world.keyspace->set_durability({SyncPolicy::no, {}});
  set_many(10);
  world.log_worker.held = true;
  world.snapshot->request();
  for (int step = 0; step < 100; ++step) world.snapshot->step(0);
  EXPECT_THAT(files.names(), ElementsAre(segment(0), segment(10), draft(10)));
  EXPECT_FALSE(world.snapshot->step(0)) << "the loop must be able to sleep";
  world.log_worker.held = false;
  // The sync that ran had begun before the segment was opened.
  for (int syncs = 0; syncs < 2; ++syncs) {
    EXPECT_THAT(files.names(), Contains(draft(10)));
    world.log->collect();
    world.log->end_turn();
    world.snapshot->step(0);
  }
  world.snapshot->step(0);
  EXPECT_THAT(files.names(), Contains(snapshot(10)));
  EXPECT_GE(world.log->synced_position(), 10U);
}

TEST_F(SnapshotTest, asked_for_while_one_runs_another_follows) {
  set_many(50);
  begin();
  world.snapshot->request();
  world.snapshot->request();
  set("more", "value");
  ASSERT_TRUE(world.run_to_idle());
  ASSERT_EQ(world.reports.size(), 2U);
  EXPECT_EQ(world.reports[0].position, 50U);
  EXPECT_EQ(world.reports[1].position, 51U);
  EXPECT_THAT(files.names(), ElementsAre(segment(51), snapshot(51)));
}

TEST_F(SnapshotTest, a_failure_leaves_what_was_and_a_later_one_is_taken) {
  set_many(60);
  world.snapshot->request();
  ASSERT_TRUE(world.run_to_idle());
  set_many(60);
  begin();
  files.fail_at(3, std::errc::no_space_on_device);  // in the middle of the draft
  ASSERT_TRUE(world.run_to_idle());
  ASSERT_EQ(world.reports.size(), 2U);
  EXPECT_FALSE(world.reports[1].taken);
  EXPECT_THAT(world.reports[1].text, HasSubstr("No space left on device"));
  EXPECT_THAT(files.names(), ElementsAre(segment(60), segment(120), snapshot(60)));
  EXPECT_FALSE(world.log->has_failed());
  world.keyspace->validate();
  world.snapshot->request();
  ASSERT_TRUE(world.run_to_idle());
  ASSERT_EQ(world.reports.size(), 3U);
  EXPECT_TRUE(world.reports[2].taken);
  EXPECT_THAT(files.names(), ElementsAre(segment(120), snapshot(120)));
}

TEST_F(SnapshotTest, brings_a_failed_journal_back) {
  world.keyspace->set_durability({SyncPolicy::always, {}});
  set("before", "value");
  world.log->collect();
  world.log->end_turn();
  ASSERT_EQ(world.log->committed_position(), 1U);
  files.fail_at(0, std::errc::io_error);
  set("lost on disk", "value");
  set("never written", "value");
  EXPECT_TRUE(world.log->has_failed());
  EXPECT_EQ(world.log->committed_position(), 1U);
  world.snapshot->request();
  world.snapshot_worker.held = true;
  while (world.snapshot->step(0)) {
  }
  set("during", "value");
  world.log->collect();
  world.log->end_turn();
  EXPECT_TRUE(world.log->has_failed());
  EXPECT_EQ(world.log->committed_position(), 1U);
  world.snapshot_worker.held = false;
  ASSERT_TRUE(world.run_to_idle());
  EXPECT_FALSE(world.log->has_failed());
  world.log->collect();
  world.log->end_turn();
  EXPECT_EQ(world.log->committed_position(), 4U);
  set("after", "value");
  world.log->collect();
  world.log->end_turn();
  EXPECT_EQ(world.log->committed_position(), 5U);
  const std::string state = world.text();
  std::mt19937_64 random(1);
  files.crash(random);
  ASSERT_TRUE(world.start()) << world.failure.reason;
  EXPECT_EQ(world.text(), state);
}

// The same, and the machine goes down before the snapshot is there.
TEST_F(SnapshotTest, what_follows_a_failure_is_dropped_without_its_snapshot) {
  world.keyspace->set_durability({SyncPolicy::always, {}});
  set("before", "value");
  world.log->collect();
  const std::string state = world.text();
  files.fail_at(0, std::errc::io_error);
  set("lost on disk", "value");
  set("never written", "value");
  world.snapshot_worker.held = true;
  world.snapshot->request();
  while (world.snapshot->step(0)) {
  }
  set("during", "value");
  world.log->collect();
  world.log->end_turn();
  std::mt19937_64 random(1);
  files.crash(random);
  ASSERT_TRUE(world.start()) << world.failure.reason;
  EXPECT_EQ(world.text(), state);
  EXPECT_EQ(world.recovered.position, 1U);
}

TEST_F(SnapshotTest, ends_when_the_journal_fails_meanwhile) {
  set_many(60);
  begin();
  files.fail_at(0, std::errc::io_error);
  set("key", "value");
  ASSERT_TRUE(world.run_to_idle());
  EXPECT_THAT(world.reports.at(0).text, HasSubstr("the journal has failed"));
  EXPECT_THAT(files.names(), Not(Contains(HasSubstr("snapshot"))));
  world.snapshot->request();
  ASSERT_TRUE(world.run_to_idle());
  EXPECT_TRUE(world.reports.at(1).taken);
  EXPECT_FALSE(world.log->has_failed());
}

// Everything a snapshot does, with every call to the disk failing in turn, once or from then on.
TEST(SnapshotFailLoop, every_call_fails_once) {
  for (const bool goes_on : {false, true}) {
    std::size_t call = 0;
    for (bool has_failed = true; has_failed; ++call) {
      SCOPED_TRACE("call " + std::to_string(call) + (goes_on ? " and all after it" : ""));
      test::MemoryFileSystem files;
      test::SnapshotWorld world(files);
      ASSERT_TRUE(world.start());
      const auto set = [&](const std::string& key, const std::string& value) {
        world.turn([&](engine::Keyspace& keyspace) {
          ASSERT_TRUE(keyspace.database(0).set_string(key, value).has_value());
        });
      };
      for (int key = 0; key < 30; ++key) set("key" + std::to_string(key), "value");
      if (goes_on) {
        files.fail_from(call, std::errc::no_space_on_device);
      } else {
        files.fail_at(call, std::errc::io_error);
      }
      for (int round = 0; round < 2; ++round) {
        world.snapshot->request();
        for (int step = 0; step < 12; ++step) {
          world.snapshot->step(0);
          set("key" + std::to_string(step), "changed " + std::to_string(round));
        }
        ASSERT_TRUE(world.run_to_idle());
      }
      has_failed = files.has_failed();
      files.heal();
      world.keyspace->validate();
      EXPECT_EQ(world.reports.size(), 2U);
      // Whatever it was: the next one is taken and everything is as it should be.
      world.snapshot->request();
      ASSERT_TRUE(world.run_to_idle());
      ASSERT_TRUE(world.reports.back().taken) << world.reports.back().text;
      EXPECT_THAT(world.reports.back().text, IsEmpty());
      EXPECT_FALSE(world.log->has_failed());
      EXPECT_EQ(files.names().size(), 2U);
      const std::string state = world.text();
      std::mt19937_64 random(call);
      files.crash(random);
      ASSERT_TRUE(world.start()) << world.failure.reason;
      ASSERT_EQ(world.text(), state);
    }
    EXPECT_GT(call, 40U);
  }
}

}  // namespace
