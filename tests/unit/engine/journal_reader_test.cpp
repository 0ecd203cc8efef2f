// The reader over files that fail or become shorter under its eyes, and its searches behind damage.
#include "engine/journal_reader.hpp"

#include "engine/mutation.hpp"
#include "tests/support/disk/memory_file_system.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using engine::Position;
using engine::journal::Reader;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::size_t window_bytes = std::size_t{1} << 20U;

std::string head_of(engine::journal::FileKind kind) {
  std::string bytes;
  engine::journal::write_preamble(bytes);
  engine::journal::write_head(bytes, {kind, 0, {1000, 2000, 3000, "boot"}});
  return bytes;
}

std::string frame_of(std::string_view key, std::string_view value) {
  engine::Mutation put(engine::MutationKind::put_string);
  put.key = key;
  put.value = value;
  std::string mutations;
  engine::encode(put, mutations);
  std::string frame;
  engine::encode_frame(1000, mutations, frame);
  return frame;
}

class JournalReaderTest : public testing::Test {
 protected:
  void SetUp() override { files.set_content("file", ""); }

  std::unique_ptr<engine::File> open(std::string bytes) {
    files.set_content("file", std::move(bytes));
    auto file = files.open("file", engine::OpenMode::read);
    return file ? std::move(*file) : nullptr;
  }
  void cut_to(std::uint64_t bytes) {
    const auto file = files.open("file", engine::OpenMode::change);
    ASSERT_TRUE(file && (*file)->resize(bytes));
  }
  static std::vector<Position> batches_above(Reader& reader, Position position) {
    std::vector<Position> found;
    while (const auto batch = reader.find_batch_above(position)) found.push_back(batch->position);
    return found;
  }

  test::MemoryFileSystem files;
};

TEST_F(JournalReaderTest, zeros_that_vanish_are_an_end) {
  std::string bytes = head_of(engine::journal::FileKind::segment);
  const std::size_t records = bytes.size();
  bytes.resize(3 * window_bytes);
  const auto file = open(bytes);
  Reader reader(*file);
  ASSERT_TRUE(reader.read_head());
  cut_to(records);
  EXPECT_FALSE(reader.next());
  EXPECT_EQ(reader.end(), Reader::End::clean);
}

TEST_F(JournalReaderTest, a_search_ends_where_the_file_does_now) {
  for (const bool wants_images : {false, true}) {
    std::string bytes(window_bytes - 4, 'x');
    bytes += std::string(2 * window_bytes, wants_images ? '\x03' : '\x02');
    const auto file = open(bytes);
    Reader reader(*file, 1);
    cut_to(window_bytes + 1);
    EXPECT_FALSE(wants_images ? reader.find_image().has_value()
                              : reader.find_batch_above(1).has_value());
    EXPECT_EQ(reader.end(), Reader::End::damaged);
  }
}

// The call number 0, 1, 2 … fails, until a search makes none of that number.
TEST_F(JournalReaderTest, a_search_tells_that_the_disk_fails) {
  for (const char kind : {'\x02', '\x03'}) {
    std::string bytes(window_bytes - 4, 'x');
    bytes.resize(2 * window_bytes, kind);
    const auto file = open(bytes);
    files.count_reads(true);
    for (std::size_t call = 0;; ++call) {
      Reader reader(*file);
      files.fail_at(call, std::errc::io_error);
      const std::size_t failures = files.failures();
      EXPECT_FALSE(kind == '\x03' ? reader.find_image().has_value()
                                  : reader.find_batch_above(1).has_value());
      files.heal();
      if (files.failures() == failures) {
        EXPECT_EQ(reader.end(), Reader::End::damaged);
        EXPECT_GT(call, 1U);
        break;
      }
      EXPECT_EQ(reader.end(), Reader::End::failed);
      EXPECT_EQ(reader.error(), std::errc::io_error);
    }
    files.count_reads(false);
  }
}

TEST_F(JournalReaderTest, batches_are_found_behind_damage_wherever_they_start) {
  std::string bytes = head_of(engine::journal::FileKind::segment);
  for (const Position position : {1U, 2U, 3U}) {
    engine::journal::write_batch(bytes, {position, 0, 1000, 2000, frame_of("k", "v")});
    bytes += "\x02\x01 damage \x02\x09";
  }
  const auto file = open(bytes);
  Reader reader(*file);
  EXPECT_THAT(batches_above(reader, 0), ElementsAre(1, 2, 3));
  Reader later(*file);
  EXPECT_THAT(batches_above(later, 2), ElementsAre(3));
  Reader none(*file);
  EXPECT_THAT(batches_above(none, 3), IsEmpty());
}

TEST_F(JournalReaderTest, images_are_found_behind_damage_wherever_they_start) {
  std::string bytes = head_of(engine::journal::FileKind::snapshot);
  const std::vector<std::string> frames = {
      frame_of("a", "one"), frame_of("b", std::string(300, 'v')), frame_of("c", "three")};
  for (const std::string& frame : frames) {
    engine::journal::write_image(bytes, frame);
    bytes += "\x03\x01 damage \x03\x09";
  }
  const auto file = open(bytes);
  Reader reader(*file);
  std::vector<std::string> found;
  while (const auto image = reader.find_image()) found.emplace_back(image->payload);
  EXPECT_EQ(found, frames);
}

}  // namespace
