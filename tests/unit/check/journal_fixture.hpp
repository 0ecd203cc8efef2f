// A journal on a disk in memory, written by the real log and filled with strings: what it holds
// after a start is a map.
#pragma once

#include "engine/image_writer.hpp"
#include "engine/journal_format.hpp"
#include "engine/journal_recovery.hpp"
#include "engine/keyspace.hpp"
#include "tests/support/disk/journal_world.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace check_tests {

using Files = std::map<std::string, std::string>;
using Keys = std::map<std::string, std::string>;

class KeyspaceState final : public engine::CommittedState {
 public:
  bool apply(engine::Position /*position*/, std::string_view frames) override {
    return keyspace.replay(frames);
  }
  [[nodiscard]] Keys keys() {
    Keys keys;
    keyspace.database(0).for_each([&](const engine::Entry& entry) {
      keys.emplace(entry.key(), entry.type() == engine::Type::string ? entry.string() : "");
    });
    return keys;
  }
  engine::Keyspace keyspace{0, 7};
};

class JournalFixture : public testing::Test {
 protected:
  JournalFixture() { keyspace.set_frames_wanted(true); }

  // Each is a batch.
  void set(std::string_view key, std::string_view value,
           engine::SyncPolicy policy = engine::SyncPolicy::always) {
    keyspace.begin_frame(world.clock.lease_ms());
    ASSERT_TRUE(keyspace.database(0).set_string(key, value));
    keyspace.end_frame();
    world.append(keyspace.take_batch().bytes, policy);
  }
  void append_to(std::string_view key, std::string_view bytes,
                 engine::SyncPolicy policy = engine::SyncPolicy::always) {
    keyspace.begin_frame(world.clock.lease_ms());
    ASSERT_TRUE(keyspace.database(0).append(key, bytes));
    keyspace.end_frame();
    world.append(keyspace.take_batch().bytes, policy);
  }
  // Everything so far is durable, and the next batch says so.
  void sync() {
    world.collect();
    world.collect();
  }
  // A start of the server: the next segment begins.
  void restart() { ASSERT_TRUE(world.start()); }

  // Of all keys, one in an image.
  void write_snapshot(engine::Position position) {
    engine::ImageWriter images(1);
    images.begin({engine::journal::FileKind::snapshot, position, stamp});
    keyspace.database(0).for_each([&](const engine::Entry& entry) {
      engine::Mutation mutation(engine::MutationKind::put_string);
      mutation.key = entry.key();
      mutation.value = entry.string();
      mutation.token = entry.token();
      images.add(mutation);
    });
    images.end();
    files.set_content(snapshot(position), images.records());
  }

  [[nodiscard]] Files contents() const {
    Files contents;
    for (const std::string& name : files.names()) contents.emplace(name, files.content(name));
    return contents;
  }
  void put_back(const Files& contents) {
    for (const std::string& name : files.names()) {
      if (!contents.contains(name)) static_cast<void>(files.remove(name));
    }
    for (const auto& [name, content] : contents) files.set_content(name, content);
  }
  // What a start finds; nothing when it stops.
  std::optional<Keys> start() {
    KeyspaceState state;
    engine::journal::Recovery recovery(files, state);
    const auto found = recovery.run();
    if (!found) return std::nullopt;
    last_found = *found;
    return state.keys();
  }

  // Where `text` stands in the file. One byte of it becomes another.
  std::size_t spoil(const std::string& name, std::string_view text) {
    std::string bytes = files.content(name);
    const std::size_t at = bytes.find(text);
    EXPECT_NE(at, std::string::npos) << text;
    bytes[at] = static_cast<char>(bytes[at] ^ 1);
    files.set_content(name, bytes);
    return at;
  }
  // Appends a record to a segment, behind its last one.
  void add_record(const std::string& name, std::string_view record) {
    std::string bytes = files.content(name);
    bytes.resize(bytes.find_last_not_of('\0') + 1);
    bytes += record;
    files.set_content(name, bytes);
  }
  static std::string segment(engine::Position position) {
    return engine::journal::file_name(engine::journal::FileKind::segment, position);
  }
  static std::string snapshot(engine::Position position) {
    return engine::journal::file_name(engine::journal::FileKind::snapshot, position);
  }

  const engine::journal::Stamp stamp{1000, 2000, 1'700'000'000'000'000, "boot"};
  test::MemoryFileSystem files;
  test::JournalWorld world{files, {.segment_bytes_max = 1U << 20U, .zeros_bytes = 256}};
  engine::Keyspace keyspace{1'000'000, 7};
  engine::journal::Recovered last_found;
};

}  // namespace check_tests
