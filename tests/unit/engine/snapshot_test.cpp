#include "tests/support/disk/snapshot_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace {

using engine::journal::FileKind;
using testing::ElementsAre;
using testing::HasSubstr;

class SnapshotTest : public testing::Test {
 protected:
  test::MemoryFileSystem files;
  test::SnapshotWorld world{files};

  void SetUp() override { ASSERT_TRUE(world.start()); }
  void set(const std::string& key, const std::string& value) {
    world.turn([&](engine::Keyspace& keyspace) {
      const auto done = keyspace.database(0).set_string(key, value, engine::no_deadline);
      ASSERT_TRUE(done.has_value());
    });
  }
  static std::string segment(engine::Position position) {
    return engine::journal::file_name(FileKind::segment, position);
  }
  static std::string snapshot(engine::Position position) {
    return engine::journal::file_name(FileKind::snapshot, position);
  }
};

TEST_F(SnapshotTest, holds_the_state_and_replaces_what_is_before) {
  for (int key = 0; key < 100; ++key) set("key" + std::to_string(key), "value");
  const std::string state = world.text();
  world.snapshot->request();
  world.run_to_idle();
  ASSERT_EQ(world.reports.size(), 1U);
  EXPECT_TRUE(world.reports[0].taken) << world.reports[0].text;
  EXPECT_EQ(world.reports[0].position, 100U);
  EXPECT_EQ(world.reports[0].keys, 100U);
  EXPECT_THAT(files.names(), ElementsAre(segment(100), snapshot(100)));
  ASSERT_TRUE(world.start());
  EXPECT_EQ(world.recovered.snapshot_position, 100U);
  EXPECT_EQ(world.recovered.batches, 0U);
  EXPECT_EQ(world.text(), state);
}

}  // namespace
