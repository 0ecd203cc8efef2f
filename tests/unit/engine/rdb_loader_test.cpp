#include "engine/rdb_loader.hpp"

#include "engine/list_keys.hpp"
#include "engine/list_value.hpp"
#include "engine/rdb_reader.hpp"
#include "engine/set_value.hpp"
#include "engine/sorted_set_value.hpp"
#include "tests/support/disk/rdb_bytes.hpp"
#include "tests/unit/engine/keyspace_fixture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace {

using engine::Encoding;
using engine::Type;
using rdb_bytes::bytes;
using rdb_bytes::key;
using rdb_bytes::length;
using rdb_bytes::little;
using rdb_bytes::number;
using rdb_bytes::opened;
using rdb_bytes::str;
using testing::ElementsAre;
using testing::HasSubstr;

class RdbLoader : public KeyspaceTest {
 protected:
  static constexpr std::int64_t wall_ahead_ms = 5000;

  // "" when all went well.
  std::string load(std::string_view parts) {
    const auto file = opened(files, rdb_bytes::file(parts));
    engine::rdb::Loader loader(keyspace, {clock.lease_ms(), wall_ahead_ms});
    const auto outcome = engine::rdb::Reader(*file, loader).run();
    loader.finish();
    loaded = loader.loaded();
    return outcome ? "" : outcome.error().reason;
  }
  [[nodiscard]] std::string expiring(std::int64_t ttl_ms) const {
    const std::int64_t wall_ms = clock.lease_ms() + wall_ahead_ms + ttl_ms;
    return bytes({0xFC}) + little(static_cast<std::uint64_t>(wall_ms), 8);
  }
  [[nodiscard]] std::uint64_t count(Type type, std::size_t index = 0) const {
    return loaded.databases[index].keys[static_cast<std::size_t>(type)];
  }
  static std::string items(int count, std::string_view behind) {
    std::string text = length(static_cast<std::uint64_t>(count));
    for (int item = 0; item < count; ++item) {
      text += str("item" + std::to_string(item)) + std::string(behind);
    }
    return text;
  }

  test::MemoryFileSystem files;
  engine::rdb::Loaded loaded;
};

TEST_F(RdbLoader, keys_of_every_type_stand_in_their_database) {
  EXPECT_EQ(
      load(bytes({0xFE, 2}) + key(0, "s", str("text")) +
           key(4, "h", length(1) + str("f") + str("v")) +
           key(1, "l", length(2) + str("a") + str("b")) + bytes({0xFE, 3}) +
           key(2, "m", length(1) + str("x")) + key(5, "z", length(1) + str("x") + number(1.5))),
      "");
  EXPECT_EQ(get("s", 2), "text");
  EXPECT_EQ(engine::HashView(*look("h", 2)).get("f"), "v");
  EXPECT_EQ(engine::list_of(*look("l", 2)).at(1), "b");
  EXPECT_TRUE(engine::set_of(*look("m", 3)).contains("x"));
  EXPECT_EQ(engine::sorted_set_of(*look("z", 3)).score("x"), 1.5);
  EXPECT_EQ(count(Type::string, 2) + count(Type::hash, 2) + count(Type::list, 2), 3U);
  EXPECT_EQ(count(Type::set, 3) + count(Type::sorted_set, 3), 2U);
}

TEST_F(RdbLoader, large_collections_have_all_items_in_order) {
  constexpr int many = 5000;
  EXPECT_EQ(load(key(1, "l", items(many, "")) + key(2, "m", items(many, "")) +
                 key(4, "h", items(many, str("v"))) + key(5, "z", items(many, number(-0.0)))),
            "");
  const engine::ListValue& list = engine::list_of(*look("l"));
  EXPECT_EQ(list.size(), std::size_t{many});
  EXPECT_EQ(list.at(many - 1), "item4999");
  EXPECT_EQ(engine::set_of(*look("m")).size(), std::size_t{many});
  EXPECT_EQ(engine::HashView(*look("h")).size(), std::size_t{many});
  const auto score = engine::sorted_set_of(*look("z")).score("item3");
  ASSERT_TRUE(score.has_value());
  EXPECT_TRUE(std::signbit(*score));
}

TEST_F(RdbLoader, encodings_are_those_of_the_value) {
  const std::string numbers = little(2, 4) + little(1, 4) + little(9, 2);
  EXPECT_EQ(load(key(0, "i", str("12")) + key(0, "e", str("x")) +
                 key(0, "r", str(std::string(50, 'x'))) + key(11, "n", str(numbers)) +
                 key(4, "h", items(2, str("v"))) + key(4, "t", items(200, str("v")))),
            "");
  EXPECT_EQ(look("i")->encoding(), Encoding::integer);
  EXPECT_EQ(look("e")->encoding(), Encoding::embstr);
  EXPECT_EQ(look("r")->encoding(), Encoding::raw);
  EXPECT_EQ(look("n")->encoding(), Encoding::intset);
  EXPECT_EQ(look("h")->encoding(), Encoding::listpack);
  EXPECT_EQ(look("t")->encoding(), Encoding::hashtable);
}

TEST_F(RdbLoader, wall_clock_becomes_lease_time) {
  EXPECT_EQ(load(expiring(1000) + key(0, "s", str("x")) + expiring(1000) +
                 key(1, "l", items(2, "")) + key(0, "ever", str("x"))),
            "");
  EXPECT_EQ(look("s")->deadline_ms(), in_ms(1000));
  EXPECT_EQ(look("l")->deadline_ms(), in_ms(1000));
  EXPECT_FALSE(look("ever")->has_deadline());
  EXPECT_EQ(loaded.databases[0].with_deadline, 2U);
}

TEST_F(RdbLoader, overdue_keys_are_dropped_and_counted) {
  EXPECT_EQ(load(expiring(0) + key(0, "now", str("x")) + expiring(-5) +
                 key(4, "past", items(2, str("v"))) + expiring(1) + key(0, "next", str("x"))),
            "");
  EXPECT_EQ(look("now"), nullptr);
  EXPECT_EQ(look("past"), nullptr);
  EXPECT_NE(look("next"), nullptr);
  EXPECT_EQ(loaded.databases[0].overdue, 2U);
  EXPECT_EQ(count(Type::string), 1U);
}

TEST_F(RdbLoader, any_time_in_the_file_is_a_time) {
  const auto until = [](std::int64_t wall_ms) {
    return bytes({0xFC}) + little(static_cast<std::uint64_t>(wall_ms), 8);
  };
  using Limits = std::numeric_limits<std::int64_t>;
  EXPECT_EQ(load(until(Limits::max()) + key(0, "late", str("x")) + until(Limits::min()) +
                 key(0, "early", str("x"))),
            "");
  EXPECT_TRUE(look("late")->has_deadline());
  EXPECT_EQ(look("early"), nullptr);
}

TEST_F(RdbLoader, keys_without_items_are_dropped_and_counted) {
  EXPECT_EQ(load(key(4, "h", length(0)) + key(1, "l", length(0)) + key(0, "s", str(""))), "");
  EXPECT_EQ(look("h"), nullptr);
  EXPECT_EQ(get("s"), "");
  EXPECT_EQ(loaded.databases[0].empty, 2U);
}

TEST_F(RdbLoader, every_key_has_a_token_of_its_own) {
  EXPECT_EQ(load(key(0, "a", str("x")) + key(0, "b", str("x"))), "");
  EXPECT_GT(look("a")->token(), 0U);
  EXPECT_GT(look("b")->token(), look("a")->token());
}

TEST_F(RdbLoader, many_keys_are_several_frames) {
  keyspace.set_frames_wanted(true);
  std::string parts;
  for (int at = 0; at < 1000; ++at) parts += key(0, "k" + std::to_string(at), str("x"));
  EXPECT_EQ(load(parts), "");
  const engine::Batch batch = keyspace.take_batch();
  EXPECT_GT(batch.frames, 1U);
  EXPECT_EQ(batch.mutations, 1000U);
  engine::Keyspace again(1, 7);
  EXPECT_TRUE(again.replay(batch.bytes));
  EXPECT_EQ(again.database(0).size(), 1000U);
}

TEST_F(RdbLoader, what_does_not_fit_is_refused) {
  EXPECT_THAT(load(bytes({0xFE, 16}) + key(0, "a", str("x"))), HasSubstr("database 16"));
  EXPECT_THAT(load(key(0, "a", str("x")) + key(0, "a", str("y"))), HasSubstr("twice"));
  engine::KeyspaceLimits limits;
  limits.string_bytes_max = 10;
  keyspace.set_limits(limits);
  EXPECT_THAT(load(key(0, "b", str("12345678901"))), HasSubstr("proto-max-bulk-len"));
  EXPECT_THAT(load(key(0, "12345678901", str("b"))), HasSubstr("proto-max-bulk-len"));
  EXPECT_THAT(load(key(4, "c", length(1) + str("f") + str("12345678901"))),
              HasSubstr("proto-max-bulk-len"));
  EXPECT_THAT(load(key(1, "c", length(1) + str("12345678901"))), HasSubstr("proto-max-bulk-len"));
  EXPECT_THAT(load(key(5, "c", length(1) + str("12345678901") + number(1))),
              HasSubstr("proto-max-bulk-len"));
  limits.bytes_max = 1;
  keyspace.set_limits(limits);
  EXPECT_THAT(load(key(0, "d", str("x"))), HasSubstr("maxmemory"));
}

TEST_F(RdbLoader, libraries_scripts_and_foreign_keys_are_kept_or_counted) {
  EXPECT_EQ(load(bytes({0xFA}) + str("lua") + str("return 1") + bytes({0xF5}) + str("#!lua") +
                 bytes({0xFA}) + str("redis-ver") + str("7.0.15") + key(7, "m", bytes({1, 0})) +
                 key(15, "s", bytes({0, 0, 0, 0, 0}))),
            "");
  EXPECT_THAT(loaded.libraries, ElementsAre("#!lua"));
  EXPECT_THAT(loaded.scripts, ElementsAre("return 1"));
  EXPECT_EQ(loaded.redis_version, "7.0.15");
  EXPECT_EQ(loaded.databases[0].modules, 1U);
  EXPECT_EQ(loaded.databases[0].streams, 1U);
}

}  // namespace
