#include "engine/keyspace.hpp"
#include "engine/list_keys.hpp"
#include "engine/value_dump.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

using engine::Database;
using engine::Error;
using engine::Keyspace;

class DumpedValues : public testing::Test {
 protected:
  DumpedValues() : keyspace(1, 7), db(keyspace.database(0)), dump(db) {
    keyspace.begin_frame(1000);
  }
  ~DumpedValues() override {
    keyspace.end_frame();
    keyspace.validate();
  }
  std::string dump_of_hash(std::size_t fields) {
    for (std::size_t i = 0; i < fields; ++i) {
      const std::string field = "f" + std::to_string(i);
      const engine::FieldValue pair{field, "v"};
      EXPECT_TRUE(db.hash_set("h", {&pair, 1}));
    }
    return dump.take("h");
  }
  Keyspace keyspace;
  Database& db;
  engine::ValueDump dump;
};

TEST_F(DumpedValues, ComeBackUnderAnotherNameWithANewToken) {
  EXPECT_TRUE(db.set_string("a", "value"));
  const std::string bytes = dump.take("a");
  EXPECT_TRUE(dump.restore("b", bytes, {.deadline_ms = 2000}));
  EXPECT_EQ(db.peek("b")->string(), "value");
  EXPECT_EQ(db.peek("b")->deadline_ms(), 2000);
  EXPECT_GT(db.peek("b")->token(), db.peek("a")->token());
}

TEST_F(DumpedValues, OfAHashKeepEveryField) {
  const std::string bytes = dump_of_hash(1000);
  EXPECT_TRUE(db.set_string("b", "in the way"));
  EXPECT_TRUE(dump.restore("b", bytes, {}));
  EXPECT_EQ(engine::HashView(*db.peek("b")).size(), 1000U);
  EXPECT_EQ(engine::HashView(*db.peek("b")).get("f999"), "v");
}

TEST_F(DumpedValues, MayBeSmallerThanTheirEncodingAndChooseAnew) {
  dump_of_hash(1000);
  for (std::size_t i = 1; i < 1000; ++i) {
    const std::string field = "f" + std::to_string(i);
    const std::string_view name = field;
    EXPECT_TRUE(db.hash_remove("h", {&name, 1}));
  }
  EXPECT_EQ(db.peek("h")->encoding(), engine::Encoding::hashtable);
  EXPECT_TRUE(dump.restore("b", dump.take("h"), {}));
  EXPECT_EQ(db.peek("b")->encoding(), engine::Encoding::listpack);
}

TEST_F(DumpedValues, RememberHowLongTheyWereIdle) {
  EXPECT_TRUE(db.set_string("a", "value"));
  EXPECT_TRUE(dump.restore("b", dump.take("a"), {.idle_seconds = 77}));
  EXPECT_EQ(db.peek("b")->idle_seconds(1000), 77U);
}

TEST_F(DumpedValues, AreRefusedWhenTheirBytesAreNot) {
  EXPECT_EQ(dump.restore("b", "", {}).error(), Error::bad_data_format);
  EXPECT_EQ(dump.restore("b", "\x01", {}).error(), Error::bad_data_format);
  EXPECT_TRUE(db.set_string("a", "value"));
  const std::string bytes = dump.take("a");
  EXPECT_EQ(dump.restore("b", bytes + bytes, {}).error(), Error::bad_data_format);
  EXPECT_EQ(dump.restore("b", bytes.substr(0, bytes.size() - 1), {}).error(),
            Error::bad_data_format);
  EXPECT_EQ(db.peek("b"), nullptr);
}

// A client may send any bytes under a right checksum: each is refused or makes a sound value.
TEST_F(DumpedValues, SurviveEveryChangeOfOneByte) {
  EXPECT_TRUE(db.set_string("a", "a value"));
  const std::string_view members[] = {"1", "22", "a"};
  EXPECT_TRUE(engine::ListKeys(db).push("list", engine::Side::right, members));
  EXPECT_TRUE(db.set_add("set", members));
  EXPECT_TRUE(db.set_add("integers", {members, 2}));
  const engine::ScoredMember scored[] = {{"a", 1}, {"b", -2.5}};
  EXPECT_TRUE(db.put_sorted_set("zset", scored));
  dump_of_hash(5);
  for (const std::string_view key : {"a", "list", "set", "integers", "zset", "h"}) {
    const std::string bytes = dump.take(key);
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      for (int value = 0; value < 256; ++value) {
        std::string changed = bytes;
        changed[at] = static_cast<char>(value);
        if (!dump.restore("b", changed, {})) continue;
        EXPECT_NE(db.peek("b"), nullptr);
      }
    }
    keyspace.validate();
  }
}

}  // namespace
