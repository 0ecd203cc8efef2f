// Any bytes as the files of a journal: they are read, listed, counted and checked without harm;
// what is damaged can be repaired, with a copy of each file as it was, and then a start accepts it.
//
// Input: flags (1 byte), length of the first file (2 bytes, little-endian), files.
//   flags  1 checksums are set right first: no fuzzer guesses one
//          2 the first file is the snapshot at position 4, else the segment from the beginning
//          4 the second file is the segment behind position 4, else that behind position 1
#include "base/assert.hpp"
#include "base/crc32c.hpp"
#include "check/directory_check.hpp"
#include "check/file_check.hpp"
#include "check/journal_listing.hpp"
#include "check/journal_statistics.hpp"
#include "check/repair.hpp"
#include "engine/journal_reader.hpp"
#include "engine/journal_recovery.hpp"
#include "engine/keyspace.hpp"
#include "tests/support/disk/memory_file_system.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

namespace {

namespace journal = engine::journal;
using engine::Position;

constexpr unsigned sets_checksums = 1;
constexpr unsigned has_snapshot = 2;
constexpr unsigned is_behind_snapshot = 4;
constexpr std::size_t header_bytes = 3;

using Files = std::map<std::string, std::string>;

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
  std::uint32_t number = 0;
  for (unsigned byte = 0; byte < 4; ++byte) {
    number |= std::uint32_t{static_cast<unsigned char>(bytes[at + byte])} << (8 * byte);
  }
  return number;
}

// Of each record from the first on, as far as their lengths lead.
void set_checksums(std::string& file) {
  std::size_t at = journal::preamble_bytes;
  while (at + journal::record_header_bytes < file.size()) {
    const std::uint32_t bytes = number_at(file, at);
    if (bytes == 0 || bytes > file.size() - at - journal::record_header_bytes) return;
    const std::string_view text = file;
    const std::uint32_t of_length = base::crc32c(text.substr(at, 4));
    const std::uint32_t checksum =
        base::crc32c(text.substr(at + journal::record_header_bytes, bytes), of_length);
    for (unsigned byte = 0; byte < 4; ++byte) {
      file[at + 4 + byte] = static_cast<char>(checksum >> (8 * byte));
    }
    at += journal::record_header_bytes + bytes;
  }
}

Files files_of(std::string_view input) {
  const unsigned flags = static_cast<unsigned char>(input[0]);
  const std::size_t first_bytes = static_cast<unsigned char>(input[1]) |
                                  std::size_t{static_cast<unsigned char>(input[2])} << 8U;
  input.remove_prefix(header_bytes);
  const std::size_t split = std::min(first_bytes, input.size());
  const bool is_snapshot = (flags & has_snapshot) != 0;
  Files files;
  files[journal::file_name(is_snapshot ? journal::FileKind::snapshot : journal::FileKind::segment,
                           is_snapshot ? 4 : 0)] = input.substr(0, split);
  const Position second = (flags & is_behind_snapshot) != 0 ? 4 : 1;
  if (split < input.size()) {
    files[journal::file_name(journal::FileKind::segment, second)] = input.substr(split);
  }
  if ((flags & sets_checksums) != 0) {
    for (auto& [name, bytes] : files) set_checksums(bytes);
  }
  return files;
}

// Strings may be set far behind their end, and room be asked for many keys: a fuzzer would do
// little else.
class Sizes final : public check::JournalVisitor {
 public:
  void file(const std::string& /*name*/, const journal::Head& /*head*/) override {}
  void damage(std::uint64_t /*offset*/, std::string_view /*reason*/) override {}
  void batch(const journal::BatchRecord& batch, const check::RecordPlace& /*place*/) override {
    look(batch.frames);
  }
  void image(std::string_view frames, const check::RecordPlace& /*place*/) override {
    look(frames);
  }
  bool are_small = true;

 private:
  void look(std::string_view frames) {
    constexpr std::uint64_t number_max = std::uint64_t{1} << 16U;
    check::for_each_mutation(frames, [&](const check::VisitedMutation& visited) {
      if (visited.mutation.kind != engine::MutationKind::set_range &&
          visited.mutation.kind != engine::MutationKind::expect_keys) {
        return;
      }
      are_small = are_small && visited.mutation.number <= number_max;
    });
  }
};

// Each search moves on, and ends.
void search(engine::File& file) {
  const std::uint64_t bytes = file.size().value_or(0);
  journal::Reader batches(file);
  for (std::uint64_t last = 0; const auto batch = batches.find_batch_above(0);) {
    ASSERT(batches.offset() > last && batches.offset() < bytes);
    ASSERT(batch->position > 0 && batch->frames.size() < bytes);
    last = batches.offset();
  }
  journal::Reader images(file);
  for (std::uint64_t last = 0; const auto image = images.find_image();) {
    ASSERT(images.offset() > last && images.offset() < bytes);
    ASSERT(image->payload.size() < bytes);
    last = images.offset();
  }
}

bool look_at(engine::FileSystem& files, const std::string& name) {
  const auto file = files.open(name, engine::OpenMode::read);
  ASSERT(file.has_value());
  search(**file);
  std::ostringstream out;
  check::JournalListing listing(out, check::Values::abbreviated, std::nullopt);
  check::JournalStatistics statistics;
  Sizes sizes;
  static_cast<void>(check::walk_file(**file, name, listing));
  static_cast<void>(check::walk_file(**file, name, statistics));
  static_cast<void>(check::walk_file(**file, name, sizes));
  statistics.print(out);
  static_cast<void>(check::check_file(files, name));
  return sizes.are_small;
}

Files contents_of(const test::MemoryFileSystem& files) {
  Files contents;
  for (const std::string& name : files.names()) contents[name] = files.content(name);
  return contents;
}

bool has_copy(const Files& files, const std::string& name, const std::string& bytes) {
  return std::ranges::any_of(files, [&](const auto& file) {
    return file.first.starts_with(name) && file.second == bytes;
  });
}

void expect_copies(const Files& before, const Files& after) {
  for (const auto& [name, bytes] : before) ASSERT(has_copy(after, name, bytes));
}

class State final : public engine::CommittedState {
 public:
  bool apply(Position /*position*/, std::string_view frames) override {
    return keyspace.replay(frames);
  }
  engine::Keyspace keyspace{0, 1};
};

void expect_start(engine::FileSystem& files, const check::Finding& finding) {
  State state;
  const auto found = journal::Recovery(files, state).run();
  ASSERT(found.has_value());
  ASSERT(found->dropped_bytes == 0);
  ASSERT(found->position == finding.position);
  state.keyspace.validate();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < header_bytes) return 0;
  const Files before = files_of({reinterpret_cast<const char*>(data), size});
  test::MemoryFileSystem files;
  for (const auto& [name, bytes] : before) files.set_content(name, bytes);
  bool are_small = true;
  for (const auto& [name, bytes] : before) are_small = look_at(files, name) && are_small;
  if (!are_small) return 0;
  const check::Finding finding = check::check_directory(files, check::Replay::full);
  static_cast<void>(check::check_directory(files, check::Replay::none));
  ASSERT(contents_of(files) == before);
  const check::Finding repaired = check::Repair(files, [](std::string_view) {}).run();
  expect_copies(before, contents_of(files));
  if (repaired.verdict == check::Verdict::unreadable) {
    ASSERT(contents_of(files) == before);
    return 0;
  }
  ASSERT(repaired.verdict == check::Verdict::whole);
  ASSERT(finding.verdict != check::Verdict::whole || contents_of(files) == before);
  expect_start(files, repaired);
  return 0;
}
