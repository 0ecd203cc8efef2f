#include "engine/journal_format.hpp"
#include "tests/support/disk/journal_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>
#include <string>

namespace {

using engine::SyncPolicy;
using engine::journal::FileKind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class JournalTest : public testing::Test {
 protected:
  test::MemoryFileSystem files;
  test::JournalWorld world{files};

  void append_and_sync(std::initializer_list<const char*> texts) {
    for (const char* text : texts) world.append(text);
    sync();
  }
  void sync() {
    world.collect();
    world.collect();
  }
  static std::string segment(engine::Position position) {
    return engine::journal::file_name(FileKind::segment, position);
  }
};

TEST_F(JournalTest, an_empty_directory_is_a_new_one) {
  ASSERT_TRUE(world.start());
  EXPECT_THAT(world.state.texts, IsEmpty());
  EXPECT_EQ(world.recovered.position, 0U);
  EXPECT_FALSE(world.recovered.started.has_value());
  EXPECT_THAT(files.names(), ElementsAre(segment(0)));
}

TEST_F(JournalTest, what_was_written_comes_back_in_order) {
  ASSERT_TRUE(world.start());
  append_and_sync({"one", "two", "three"});
  world.clock.advance_ms(50);
  ASSERT_TRUE(world.start());
  EXPECT_THAT(world.state.texts, ElementsAre("one", "two", "three"));
  EXPECT_THAT(world.state.positions, ElementsAre(1, 2, 3));
  EXPECT_EQ(world.recovered.dropped_bytes, 0U);
  append_and_sync({"four"});
  ASSERT_TRUE(world.start());
  EXPECT_THAT(world.state.texts, ElementsAre("one", "two", "three", "four"));
}

TEST_F(JournalTest, what_a_start_read_is_durable_from_then_on) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    test::MemoryFileSystem disk;
    test::JournalWorld killed(disk);
    ASSERT_TRUE(killed.start());
    // The end of the process: nothing was synced, and everything can be read.
    killed.worker.held = true;
    killed.append("one");
    killed.append("two", SyncPolicy::everysec);
    test::JournalWorld next(disk);
    ASSERT_TRUE(next.start());
    std::mt19937_64 random(seed);
    disk.crash(random);
    ASSERT_TRUE(next.start()) << next.failure.reason;
    EXPECT_THAT(next.state.texts, ElementsAre("one", "two"));
  }
}

TEST_F(JournalTest, a_start_without_a_batch_leaves_one_segment_of_its_position) {
  for (int run = 0; run < 3; ++run) ASSERT_TRUE(world.start());
  EXPECT_THAT(files.names(), ElementsAre(segment(0)));
  append_and_sync({"one"});
  for (int run = 0; run < 3; ++run) ASSERT_TRUE(world.start());
  EXPECT_THAT(files.names(), ElementsAre(segment(0), segment(1)));
  EXPECT_THAT(world.state.texts, ElementsAre("one"));
}

TEST_F(JournalTest, segments_rotate_by_size) {
  test::JournalWorld small(files, {.segment_bytes_max = 200});
  ASSERT_TRUE(small.start());
  for (int i = 0; i < 9; ++i) small.append(std::string(100, static_cast<char>('a' + i)));
  small.collect();
  EXPECT_GT(files.names().size(), 2U);
  ASSERT_TRUE(small.start());
  EXPECT_EQ(small.state.texts.size(), 9U);
  EXPECT_EQ(small.state.texts.back(), std::string(100, 'i'));
}

TEST_F(JournalTest, always_is_committed_by_the_sync_and_holds_what_follows) {
  ASSERT_TRUE(world.start());
  world.worker.held = true;
  EXPECT_EQ(world.append("lax", SyncPolicy::everysec), 1U);
  EXPECT_EQ(world.log->committed_position(), 1U);
  EXPECT_EQ(world.append("strict"), 2U);
  EXPECT_EQ(world.append("lax", SyncPolicy::no), 3U);
  EXPECT_EQ(world.append("strict"), 4U);
  EXPECT_EQ(world.log->committed_position(), 1U);
  world.collect();
  EXPECT_EQ(world.told, 1U);
  world.worker.held = false;
  world.collect();
  EXPECT_EQ(world.told, 3U) << "the first sync began before the fourth batch";
  world.collect();
  EXPECT_EQ(world.told, 4U);
  EXPECT_EQ(world.log->synced_position(), 4U);
}

TEST_F(JournalTest, everysec_is_synced_before_a_second_is_over) {
  ASSERT_TRUE(world.start());
  const auto start_us = world.clock.monotonic_us();
  EXPECT_EQ(world.log->next_check_us(), std::nullopt);
  world.append("lax", SyncPolicy::everysec);
  ASSERT_EQ(world.log->next_check_us(), start_us + 750'000);
  world.log->check_time(start_us + 749'999);
  world.collect();
  EXPECT_EQ(world.log->synced_position(), 0U);
  world.log->check_time(start_us + 750'000);
  world.collect();
  EXPECT_EQ(world.log->synced_position(), 1U);
  EXPECT_EQ(world.log->next_check_us(), std::nullopt);
}

TEST_F(JournalTest, a_torn_tail_is_cut_and_reported) {
  ASSERT_TRUE(world.start());
  append_and_sync({"one", "two"});
  world.append("three");  // not synced: the position that is known durable stays below
  std::string bytes = files.content(segment(0));
  const std::size_t at = bytes.find("three");
  ASSERT_NE(at, std::string::npos);
  bytes.resize(at + 2);
  files.set_content(segment(0), bytes);
  ASSERT_TRUE(world.start());
  EXPECT_THAT(world.state.texts, ElementsAre("one", "two"));
  EXPECT_GT(world.recovered.dropped_bytes, 0U);
  EXPECT_EQ(world.recovered.dropped_from, segment(0));
  EXPECT_LT(world.recovered.dropped_offset, at);
  append_and_sync({"another three"});
  ASSERT_TRUE(world.start());
  EXPECT_THAT(world.state.texts, ElementsAre("one", "two", "another three"));
  EXPECT_EQ(world.recovered.dropped_bytes, 0U);
}

TEST_F(JournalTest, a_hole_that_was_never_durable_is_cut_with_what_follows) {
  ASSERT_TRUE(world.start());
  world.worker.held = true;
  for (const char* text : {"one", "two", "three"}) world.append(text, SyncPolicy::no);
  std::string bytes = files.content(segment(0));
  bytes.replace(bytes.find("two"), 3, std::string(3, '\0'));
  files.set_content(segment(0), bytes);
  world.worker.held = false;
  ASSERT_TRUE(world.start());
  EXPECT_THAT(world.state.texts, ElementsAre("one"));
}

TEST_F(JournalTest, damage_of_what_was_durable_stops_the_start) {
  ASSERT_TRUE(world.start());
  append_and_sync({"one", "two"});
  append_and_sync({"three"});
  const std::string intact = files.content(segment(0));
  std::string bytes = intact;
  bytes.replace(bytes.find("one"), 3, "ono");
  files.set_content(segment(0), bytes);
  EXPECT_FALSE(world.start());
  EXPECT_EQ(world.failure.file, segment(0));
  EXPECT_GT(world.failure.offset, 0U);
  EXPECT_THAT(world.failure.reason, HasSubstr("durable"));
  EXPECT_EQ(files.content(segment(0)), bytes) << "nothing is touched";
}

TEST_F(JournalTest, damage_in_an_old_segment_is_known_by_the_newer_ones) {
  ASSERT_TRUE(world.start());
  append_and_sync({"one", "two"});
  ASSERT_TRUE(world.start());
  append_and_sync({"three"});
  std::string bytes = files.content(segment(0));
  bytes.replace(bytes.find("two"), 3, "twa");
  files.set_content(segment(0), bytes);
  EXPECT_FALSE(world.start());
  EXPECT_EQ(world.failure.file, segment(0));
}

TEST_F(JournalTest, a_missing_segment_stops_the_start) {
  ASSERT_TRUE(world.start());
  append_and_sync({"one"});
  ASSERT_TRUE(world.start());
  append_and_sync({"two"});
  ASSERT_TRUE(files.remove(segment(0)).has_value());
  EXPECT_FALSE(world.start());
  EXPECT_THAT(world.failure.reason, HasSubstr("missing"));
}

TEST_F(JournalTest, a_file_of_a_newer_version_stops_the_start) {
  ASSERT_TRUE(world.start());
  append_and_sync({"one"});
  ASSERT_TRUE(world.start());
  std::string bytes = files.content(segment(1));
  bytes[engine::journal::preamble_bytes - 1] = static_cast<char>(engine::journal::version + 1);
  files.set_content(segment(1), bytes);
  EXPECT_FALSE(world.start());
  EXPECT_THAT(world.failure.reason, HasSubstr("newer version"));
  EXPECT_EQ(world.failure.file, segment(1));
  EXPECT_EQ(world.failure.position, 1U);
  EXPECT_EQ(world.failure.error, std::errc::not_supported);
  EXPECT_EQ(files.content(segment(1)), bytes) << "it is not cut";
  files.count_reads(true);
  files.fail_at(2, std::errc::io_error);
  EXPECT_FALSE(world.start());
  EXPECT_EQ(world.failure.error, std::errc::io_error);
}

TEST_F(JournalTest, a_batch_that_does_not_fit_stops_the_start) {
  ASSERT_TRUE(world.start());
  append_and_sync({"one", "two"});
  test::RecordedState picky;
  picky.refused = 2;
  engine::journal::Recovery recovery(files, picky);
  const auto found = recovery.run();
  ASSERT_FALSE(found.has_value());
  EXPECT_THAT(found.error().reason, HasSubstr("does not fit"));
}

TEST_F(JournalTest, a_snapshot_stands_for_all_before_it) {
  ASSERT_TRUE(world.start());
  append_and_sync({"one", "two"});
  ASSERT_TRUE(world.start());
  append_and_sync({"three"});
  std::string snapshot;
  engine::journal::write_preamble(snapshot);
  engine::journal::write_head(snapshot, {FileKind::snapshot, 2, {1, 2, 3, "boot"}});
  engine::journal::write_image(snapshot, "image a");
  engine::journal::write_image(snapshot, "image b");
  std::string incomplete = snapshot;
  engine::journal::write_end(snapshot, 2);
  files.set_content(engine::journal::file_name(FileKind::snapshot, 2), snapshot);
  files.set_content(engine::journal::draft_name(3), incomplete);
  ASSERT_TRUE(world.start());
  EXPECT_THAT(world.state.texts, ElementsAre("image a", "image b", "three"));
  EXPECT_THAT(world.state.positions, ElementsAre(2, 2, 3));
  EXPECT_THAT(files.names(), ElementsAre(segment(2), segment(3),
                                         engine::journal::file_name(FileKind::snapshot, 2)));
  files.set_content(engine::journal::file_name(FileKind::snapshot, 2), incomplete);
  EXPECT_FALSE(world.start());
  EXPECT_THAT(world.failure.reason, HasSubstr("snapshot is damaged"));
}

TEST_F(JournalTest, time_goes_on_from_the_newest_record_whichever_file_it_is_in) {
  ASSERT_TRUE(world.start());
  append_and_sync({"one", "two"});
  ASSERT_TRUE(world.start());
  const std::int64_t lease_ms = world.clock.lease_ms() + 5'000;
  const std::int64_t wall_us = world.clock.wall_us() + 5'000'000;
  std::string snapshot;
  engine::journal::write_preamble(snapshot);
  engine::journal::write_head(snapshot, {FileKind::snapshot, 2, {lease_ms, 1, wall_us, "boot"}});
  engine::journal::write_end(snapshot, 0);
  files.set_content(engine::journal::file_name(FileKind::snapshot, 2), snapshot);
  ASSERT_TRUE(world.start());
  EXPECT_EQ(world.recovered.lease_ms, lease_ms);
  EXPECT_EQ(world.recovered.wall_us, wall_us);
}

TEST_F(JournalTest, after_a_failure_nothing_more_is_taken_and_it_is_told_once) {
  ASSERT_TRUE(world.start());
  append_and_sync({"one"});
  files.fail_at(0, std::errc::no_space_on_device);
  EXPECT_EQ(world.append("two"), 2U);
  EXPECT_THAT(world.reasons, IsEmpty());
  sync();
  EXPECT_THAT(world.reasons, ElementsAre(HasSubstr("writing the journal")));
  EXPECT_EQ(world.append("three"), 3U);
  EXPECT_EQ(world.log->committed_position(), 1U);
  ASSERT_TRUE(world.start());
  EXPECT_THAT(world.state.texts, ElementsAre("one"));
}

TEST_F(JournalTest, a_failed_sync_commits_nothing) {
  ASSERT_TRUE(world.start());
  files.fail_at(1, std::errc::io_error);
  world.append("one");
  sync();
  EXPECT_THAT(world.reasons, ElementsAre(HasSubstr("syncing the journal")));
  EXPECT_EQ(world.told, 0U);
  EXPECT_EQ(world.log->committed_position(), 0U);
}

}  // namespace
