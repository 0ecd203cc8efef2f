#include "engine/commit_log.hpp"

#include <gtest/gtest.h>

namespace {

TEST(NoneCommitLog, commits_what_is_appended_at_once) {
  engine::NoneCommitLog log;
  EXPECT_EQ(log.role(), engine::Role::active);
  EXPECT_FALSE(log.wants_frames());
  EXPECT_EQ(log.committed_position(), 0U);
  EXPECT_EQ(log.append({.bytes = {}, .frames = 1, .mutations = 1, .lease_ms = 5}), 1U);
  EXPECT_EQ(log.append({.bytes = {}, .frames = 2, .mutations = 3, .lease_ms = 6}), 2U);
  EXPECT_EQ(log.committed_position(), 2U);
  EXPECT_EQ(log.read_barrier(), std::nullopt);
  log.snapshot_taken(2);
}

}  // namespace
