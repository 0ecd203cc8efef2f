#include "keyspace_fixture.hpp"

#include <map>
#include <set>

namespace {

using engine::Encoding;
using engine::Error;
using engine::HashView;

class HashesTest : public KeyspaceTest {
 protected:
  std::string listed(std::string_view key) {
    std::string text;
    HashView(*look(key)).for_each([&](std::string_view field, std::string_view value) {
      text += std::string(field) + "=" + std::string(value) + " ";
    });
    return text;
  }
  Encoding encoding(std::string_view key) { return look(key)->encoding(); }
};

TEST_F(HashesTest, small_hashes_keep_the_order_of_insertion) {
  EXPECT_EQ(hset("h", {{"b", "1"}, {"a", "2"}, {"b", "3"}}), 2U);
  EXPECT_EQ(hset("h", {{"c", "63"}, {"a", "a longer value"}}), 1U);
  EXPECT_EQ(listed("h"), "b=3 a=a longer value c=63 ");
  EXPECT_EQ(hdel("h", {"a", "x", "a"}), 1U);
  EXPECT_EQ(listed("h"), "b=3 c=63 ");
}

TEST_F(HashesTest, fields_and_values_may_look_like_anything) {
  const std::vector<std::string> texts = {"",
                                          "0",
                                          "5",
                                          "07",
                                          "63",
                                          "64",
                                          "-1",
                                          "9",
                                          "00",
                                          "abc",
                                          "1.0",
                                          "99",
                                          std::string(1, '\0'),
                                          std::string(63, 'x'),
                                          "10",
                                          " 1",
                                          "1 ",
                                          "6"};
  for (const auto& text : texts) hset("h", {{text, text}});
  EXPECT_EQ(HashView(*look("h")).size(), texts.size());
  for (const auto& text : texts) EXPECT_EQ(hget("h", text), text);
}

TEST_F(HashesTest, goes_with_its_last_field) {
  hset("h", {{"a", "1"}, {"b", "2"}});
  EXPECT_EQ(hdel("h", {"a", "b"}), 2U);
  EXPECT_EQ(look("h"), nullptr);
  hset("one", {{"a", "1"}});
  EXPECT_EQ(hdel("one", {"b"}), 0U);
  EXPECT_EQ(hdel("one", {"a"}), 1U);
  EXPECT_EQ(look("one"), nullptr);
  EXPECT_EQ(db().size(), 0U);
}

TEST_F(HashesTest, becomes_a_table_beyond_the_limits_and_stays_one) {
  for (int field = 0; field < 128; ++field) hset("many", {{std::to_string(field), "v"}});
  EXPECT_EQ(encoding("many"), Encoding::listpack);
  hset("many", {{"one more", "v"}});
  EXPECT_EQ(encoding("many"), Encoding::hashtable);
  for (int field = 1; field < 128; ++field) hdel("many", {std::to_string(field)});
  EXPECT_EQ(encoding("many"), Encoding::hashtable);
  EXPECT_EQ(hget("many", "one more"), "v");

  hset("wide", {{"f", std::string(64, 'v')}});
  EXPECT_EQ(encoding("wide"), Encoding::listpack);
  hset("wide", {{"g", std::string(65, 'v')}});
  EXPECT_EQ(encoding("wide"), Encoding::hashtable);
  hset("name", {{std::string(65, 'f'), "v"}});
  EXPECT_EQ(encoding("name"), Encoding::hashtable);
}

TEST_F(HashesTest, many_fields_in_one_call) {
  std::vector<std::string> names;
  for (int field = 0; field < 1000; ++field) names.push_back("field" + std::to_string(field));
  std::vector<engine::FieldValue> fields;
  for (const auto& name : names) fields.emplace_back(name, name);
  EXPECT_EQ(frame([&] { return db().hash_set("h", fields); }), 1000U);
  EXPECT_EQ(frame([&] { return db().hash_set("h", fields); }), 0U);
  for (const auto& name : names) EXPECT_EQ(hget("h", name), name);
}

TEST_F(HashesTest, increments) {
  const auto increment = [&](std::string_view field, std::int64_t delta) {
    return frame([&] { return db().hash_increment("h", field, delta); });
  };
  EXPECT_EQ(increment("n", 1), 1);
  EXPECT_EQ(increment("n", 1), 2);
  EXPECT_EQ(increment("n", 100), 102);
  EXPECT_EQ(increment("m", -3), -3);
  EXPECT_EQ(increment("n", -101), 1);
  hset("h", {{"text", "x"}, {"max", "9223372036854775807"}});
  EXPECT_EQ(increment("text", 1), std::unexpected(Error::hash_value_not_an_integer));
  EXPECT_EQ(increment("max", 1), std::unexpected(Error::increment_overflow));
  EXPECT_EQ(hget("h", "max"), "9223372036854775807");
}

TEST_F(HashesTest, refuses_strings) {
  set("s", "x");
  const engine::FieldValue field{"f", "v"};
  EXPECT_EQ(frame([&] { return db().hash_set("s", {&field, 1}); }),
            std::unexpected(Error::wrong_type));
  EXPECT_EQ(frame([&] { return db().hash_remove("s", {&field.first, 1}); }),
            std::unexpected(Error::wrong_type));
  EXPECT_EQ(frame([&] { return db().hash_increment("s", "f", 1); }),
            std::unexpected(Error::wrong_type));
}

TEST_F(HashesTest, scan_visits_small_hashes_whole) {
  hset("h", {{"a", "1"}, {"b", "2"}});
  std::set<std::string> seen;
  const auto cursor =
      HashView(*look("h")).scan(0, 1, [&](std::string_view field, std::string_view) {
        seen.emplace(field);
      });
  EXPECT_EQ(cursor, 0U);
  EXPECT_EQ(seen, (std::set<std::string>{"a", "b"}));
}

TEST_F(HashesTest, scan_of_a_table_visits_everything) {
  for (int field = 0; field < 3000; ++field) hset("h", {{std::to_string(field), "v"}});
  std::set<std::string> seen;
  std::uint64_t cursor = 0;
  int rounds = 0;
  do {
    cursor = HashView(*look("h")).scan(cursor, 10, [&](std::string_view field, std::string_view) {
      seen.emplace(field);
    });
    ++rounds;
  } while (cursor != 0);
  EXPECT_EQ(seen.size(), 3000U);
  EXPECT_GT(rounds, 100);
}

TEST_F(HashesTest, random_fields_are_spread_evenly) {
  for (const int fields : {5, 200}) {
    const std::string key = "h" + std::to_string(fields);
    for (int field = 0; field < fields; ++field) hset(key, {{std::to_string(field), "v"}});
    std::map<std::string, int> drawn;
    const HashView hash(*look(key));
    for (int draw = 0; draw < fields * 1000; ++draw) {
      ++drawn[std::string(hash.random_field([&] { return keyspace.random_bits(); }).first)];
    }
    EXPECT_EQ(drawn.size(), static_cast<std::size_t>(fields));
    // Six standard deviations of a binomial around 1000.
    for (const auto& [field, count] : drawn) EXPECT_NEAR(count, 1000, 190) << field;
  }
}

TEST_F(HashesTest, a_small_hash_can_hold_values_beyond_its_entry) {
  for (int field = 0; field < 20; ++field) {
    hset("h", {{"field" + std::to_string(field), std::string(60, 'v')}});
  }
  EXPECT_EQ(encoding("h"), Encoding::listpack);
  EXPECT_EQ(hget("h", "field19"), std::string(60, 'v'));
  EXPECT_EQ(HashView(*look("h")).size(), 20U);
  keyspace.validate();
}

}  // namespace
