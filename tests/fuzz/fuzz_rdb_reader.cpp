// Any bytes: a dump is loaded or refused in words, and what was loaded is a keyspace in order,
// whose frames replayed give the same keys. The checksum is set right first: no fuzzer guesses one.
#include "base/assert.hpp"
#include "engine/keyspace.hpp"
#include "engine/rdb_loader.hpp"
#include "engine/rdb_reader.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace {

constexpr std::size_t checksum_bytes = 8;

// The bytes given, the last eight of them (the checksum) as zeros: not checked.
class UncheckedFile final : public engine::File {
 public:
  explicit UncheckedFile(std::string_view bytes) : bytes_(bytes) {
    bytes_.remove_suffix(std::min(bytes_.size(), checksum_bytes));
  }
  engine::IoResult write_at(std::uint64_t /*offset*/, std::string_view /*bytes*/) override {
    return std::unexpected(std::make_error_code(std::errc::read_only_file_system));
  }
  std::expected<std::size_t, std::error_code> read_at(std::uint64_t offset,
                                                      std::span<char> bytes) override {
    const std::uint64_t all = bytes_.size() + checksum_bytes;
    const auto count = std::min<std::uint64_t>(bytes.size(), all - std::min(offset, all));
    for (std::size_t at = 0; at < count; ++at) {
      bytes[at] = offset + at < bytes_.size() ? bytes_[offset + at] : '\0';
    }
    return count;
  }
  engine::IoResult sync() override { return {}; }
  engine::IoResult resize(std::uint64_t /*bytes*/) override { return {}; }
  std::expected<std::uint64_t, std::error_code> size() override {
    return bytes_.size() + checksum_bytes;
  }

 private:
  std::string_view bytes_;
};

std::size_t keys(engine::Keyspace& keyspace) {
  std::size_t all = 0;
  for (int index = 0; index < engine::database_count; ++index) {
    all += keyspace.database(index).size();
  }
  return all;
}

std::uint64_t counted(const engine::rdb::Loaded& loaded) {
  std::uint64_t all = 0;
  for (const auto& database : loaded.databases) {
    for (const std::uint64_t count : database.keys) all += count;
  }
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::uint64_t first_token_after = 1000;
  constexpr engine::rdb::LoadTime time{.now_ms = 1'700'000'000'000, .wall_ahead_ms = 1000};
  UncheckedFile file({reinterpret_cast<const char*>(data), size});
  engine::Keyspace keyspace(first_token_after, 1);
  keyspace.set_frames_wanted(true);
  engine::rdb::Loader loader(keyspace, time);
  const auto outcome = engine::rdb::Reader(file, loader).run();
  loader.finish();
  if (!outcome) ASSERT(!outcome.error().reason.empty());
  if (outcome) ASSERT(counted(loader.loaded()) == keys(keyspace));
  keyspace.validate();
  engine::Keyspace again(1, 2);
  ASSERT(again.replay(keyspace.take_batch().bytes));
  again.validate();
  ASSERT(keys(again) == keys(keyspace));
  return 0;
}
