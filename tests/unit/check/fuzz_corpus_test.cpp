// The seeds of the journal reader's fuzzer are what the program writes today. With
// MORTISE_WRITE_CORPUS set they are written instead of compared.
#include "journal_fixture.hpp"
#include "tests/support/disk/random_changes.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string>

namespace check_tests {
namespace {

class FuzzCorpus : public JournalFixture {
 protected:
  // See tests/fuzz/fuzz_journal_reader.cpp.
  static constexpr char sets_checksums = 1;
  static constexpr char has_snapshot = 2;
  static constexpr char is_behind_snapshot = 4;

  static std::string trimmed(std::string file) {
    constexpr std::size_t zeros = 4;
    file.resize(std::min(file.size(), file.find_last_not_of('\0') + 1 + zeros));
    return file;
  }
  static std::string seed(char flags, const std::string& first, const std::string& second = {}) {
    constexpr unsigned byte = 0xFF;
    std::string seed(1, flags);
    seed += static_cast<char>(first.size() & byte);
    seed += static_cast<char>(first.size() >> 8U);
    return seed + first + second;
  }
  static void expect(const std::string& name, const std::string& seed) {
    const std::string path =
        std::string(MORTISE_SOURCE_DIR) + "/tests/fuzz/corpus/journal_reader/" + name;
    if (std::getenv("MORTISE_WRITE_CORPUS") != nullptr) {
      std::ofstream(path, std::ios::binary) << seed;
    }
    std::ifstream file(path, std::ios::binary);
    EXPECT_TRUE(std::string(std::istreambuf_iterator<char>(file), {}) == seed)
        << name << " is another; MORTISE_WRITE_CORPUS=yes unit_check writes it";
  }
  void write_four() {
    restart();
    set("a", "one");
    sync();
    set("b", "two");
    append_to("a", "more");
    set("c", "three", engine::SyncPolicy::no);
  }
};

TEST_F(FuzzCorpus, is_of_today) {
  write_four();
  const std::string segment_0 = trimmed(files.content(segment(0)));
  expect("segment", seed(sets_checksums, segment_0));
  restart();
  set("d", "four");
  const std::string segment_4 = trimmed(files.content(segment(4)));
  expect("two_segments", seed(sets_checksums | is_behind_snapshot, segment_0, segment_4));
  expect("segment_missing_behind_first", seed(0, segment_0, segment_4));
  write_snapshot(4);
  const std::string snapshot_4 = files.content(snapshot(4));
  expect("snapshot_and_segment",
         seed(sets_checksums | has_snapshot | is_behind_snapshot, snapshot_4, segment_4));
  spoil(snapshot(4), "two");
  expect("snapshot_damaged",
         seed(has_snapshot | is_behind_snapshot, files.content(snapshot(4)), segment_4));
  spoil(segment(0), "two");
  expect("segment_damaged", seed(0, trimmed(files.content(segment(0)))));
}

TEST_F(FuzzCorpus, has_every_kind_of_change) {
  std::mt19937_64 random(5);
  test::RandomChanges changes(random);
  restart();
  constexpr int batches = 60;
  for (int batch = 0; batch < batches; ++batch) {
    keyspace.begin_frame(world.clock.lease_ms());
    changes.one(keyspace);
    keyspace.end_frame();
    const std::string frames = keyspace.take_batch().bytes;
    if (!frames.empty()) world.append(frames);
  }
  expect("random_changes", seed(sets_checksums, trimmed(files.content(segment(0)))));
}

}  // namespace
}  // namespace check_tests
