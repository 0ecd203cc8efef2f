// A small journal with a byte changed, or its end gone, at every place: whatever it is, looking
// changes nothing, the repair keeps what was there, and a start takes what is left.
#include "check/directory_check.hpp"
#include "check/repair.hpp"
#include "journal_fixture.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

namespace check_tests {
namespace {

using check::Finding;
using check::Replay;
using check::Verdict;
using engine::SyncPolicy;

class EveryByte : public JournalFixture {
 protected:
  // States before and behind each batch.
  void write(std::string_view key, std::string_view value, SyncPolicy policy) {
    set(key, value, policy);
    keys_[std::string(key)] = value;
    states_.push_back(keys_);
  }
  void write_two_segments() {
    restart();
    write("a", "one", SyncPolicy::always);
    write("b", "two", SyncPolicy::always);
    sync();
    write("a", "more", SyncPolicy::no);
    restart();
    write("c", "three", SyncPolicy::always);
    sync();
    write("d", "four", SyncPolicy::no);
    good_ = contents();
  }

  [[nodiscard]] bool is_prefix(const Keys& keys) const {
    return std::ranges::find(states_, keys) != states_.end();
  }

  // Whether the check calls it whole.
  bool expect_repairable(const std::string& what) {
    SCOPED_TRACE(what);
    const Files before = contents();
    const Finding finding = check::check_directory(files, Replay::full);
    EXPECT_TRUE(contents() == before) << "looking changes nothing";
    if (finding.verdict == Verdict::unreadable) {
      EXPECT_EQ(finding.error, std::errc::not_supported);
      check::Repair(files, [](std::string_view) {}).run();
      EXPECT_TRUE(contents() == before) << "a newer version's files stay as they are";
      return false;
    }
    const Finding repaired = check::Repair(files, [](std::string_view) {}).run();
    EXPECT_EQ(repaired.verdict, Verdict::whole) << repaired.file << ": " << repaired.reason;
    expect_copies(before);
    left_ = start();
    EXPECT_TRUE(left_.has_value());
    EXPECT_EQ(last_found.dropped_bytes, 0U);
    EXPECT_EQ(last_found.position, repaired.position);
    return finding.verdict == Verdict::whole;
  }
  void expect_copies(const Files& before) const {
    const Files after = contents();
    for (const auto& [name, bytes] : before) EXPECT_TRUE(has_copy(after, name, bytes)) << name;
  }
  static bool has_copy(const Files& files, const std::string& name, const std::string& bytes) {
    return std::ranges::any_of(files, [&](const auto& file) {
      return file.first.starts_with(name) && file.second == bytes;
    });
  }
  // Without the zeros ahead, but one of them.
  static std::size_t written_bytes(const std::string& file) {
    return std::min(file.size(), file.find_last_not_of('\0') + 2);
  }

  Keys keys_;
  std::vector<Keys> states_{{}};
  Files good_;
  std::optional<Keys> left_;
};

TEST_F(EveryByte, of_two_segments_may_change) {
  write_two_segments();
  for (const auto& [name, bytes] : good_) {
    for (std::size_t at = 0; at < written_bytes(bytes); ++at) {
      for (const unsigned change : {1U, 0xFFU}) {
        put_back(good_);
        std::string changed = bytes;
        changed[at] = static_cast<char>(static_cast<unsigned char>(changed[at]) ^ change);
        files.set_content(name, changed);
        const std::string what = name + " at " + std::to_string(at);
        // Behind its last record, and the next segment begins there: a start has seen that already.
        const bool may_be_whole = name == segment(0) && at + 1 == written_bytes(bytes);
        EXPECT_EQ(expect_repairable(what), may_be_whole) << what;
        EXPECT_TRUE(!left_ || is_prefix(*left_)) << what;
        left_.reset();
      }
    }
  }
}

TEST_F(EveryByte, of_a_segment_may_be_its_last) {
  write_two_segments();
  for (const auto& [name, bytes] : good_) {
    for (std::size_t size = 0; size < written_bytes(bytes); ++size) {
      put_back(good_);
      files.set_content(name, bytes.substr(0, size));
      const std::string what = name + " of " + std::to_string(size) + " bytes";
      expect_repairable(what);
      EXPECT_TRUE(left_ && is_prefix(*left_)) << what;
    }
  }
}

// What is left are images as they were: a value is that of its key, or the key is not there.
TEST_F(EveryByte, of_a_snapshot_may_change_or_be_its_last) {
  write_two_segments();
  write_snapshot(5);
  restart();
  write("e", "five", SyncPolicy::always);
  ASSERT_TRUE(files.remove(segment(3)));
  good_ = contents();
  const std::string bytes = files.content(snapshot(5));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const bool is_cut : {false, true}) {
      put_back(good_);
      std::string changed = is_cut ? bytes.substr(0, at) : bytes;
      if (!is_cut) changed[at] = static_cast<char>(changed[at] ^ 1);
      files.set_content(snapshot(5), changed);
      const std::string what = (is_cut ? "cut at " : "changed at ") + std::to_string(at);
      EXPECT_FALSE(expect_repairable(what)) << what;
      for (const auto& [key, value] : left_.value_or(Keys{})) EXPECT_EQ(keys_[key], value) << what;
      left_.reset();
    }
  }
}

}  // namespace
}  // namespace check_tests
