#include "keyspace_fixture.hpp"

namespace {

using engine::Encoding;
using engine::Error;

class StringsTest : public KeyspaceTest {
 protected:
  Encoding encoding(std::string_view key) { return look(key)->encoding(); }
};

TEST_F(StringsTest, keeps_values_of_every_size) {
  for (const std::size_t size : {0U, 1U, 44U, 45U, 254U, 255U, 256U, 1000U, 100'000U, 2'000'000U}) {
    const std::string value(size, 'v');
    set("key", value);
    EXPECT_EQ(get("key"), value) << size;
    keyspace.validate();
  }
  set("key", "small again");
  EXPECT_EQ(get("key"), "small again");
}

TEST_F(StringsTest, keeps_keys_of_every_size) {
  for (const std::size_t size : {0U, 1U, 254U, 255U, 256U, 70'000U}) {
    const std::string key(size, 'k');
    set(key, "v");
    EXPECT_EQ(get(key), "v") << size;
    EXPECT_EQ(look(key)->key(), key);
  }
  EXPECT_EQ(db().size(), 6U);
}

TEST_F(StringsTest, values_and_keys_are_bytes) {
  const std::string bytes("\0\r\n\xff", 4);
  set(bytes, bytes);
  EXPECT_EQ(get(bytes), bytes);
}

TEST_F(StringsTest, encoding_follows_the_history) {
  set("n", "12345");
  EXPECT_EQ(encoding("n"), Encoding::integer);
  set("n", "9223372036854775808");
  EXPECT_EQ(encoding("n"), Encoding::embstr);
  set("n", "012");
  EXPECT_EQ(encoding("n"), Encoding::embstr);
  set("n", std::string(44, 'x'));
  EXPECT_EQ(encoding("n"), Encoding::embstr);
  set("n", std::string(45, 'x'));
  EXPECT_EQ(encoding("n"), Encoding::raw);
  set("n", "1");
  frame([&] { return db().append("n", "2"); });
  EXPECT_EQ(encoding("n"), Encoding::raw);
  frame([&] { return db().increment("n", 1); });
  EXPECT_EQ(encoding("n"), Encoding::integer);
  frame([&] { return db().set_range("n", 0, "9"); });
  EXPECT_EQ(encoding("n"), Encoding::raw);
  EXPECT_EQ(get("n"), "93");
  frame([&] { return db().replace_value("n", "94"); });
  EXPECT_EQ(encoding("n"), Encoding::embstr);
  frame([&] { return db().append("fresh", "7"); });
  EXPECT_EQ(encoding("fresh"), Encoding::integer);
  frame([&] { return db().set_range("padded", 2, "7"); });
  EXPECT_EQ(encoding("padded"), Encoding::raw);
  EXPECT_EQ(get("padded"), std::string("\0\0007", 3));
}

TEST_F(StringsTest, append_grows_out_of_the_entry) {
  std::string expected;
  set("key", "", in_ms(1000));
  for (int step = 0; step < 300; ++step) {
    expected += "abc";
    EXPECT_EQ(frame([&] { return db().append("key", "abc"); }), expected.size());
  }
  EXPECT_EQ(get("key"), expected);
  EXPECT_EQ(look("key")->deadline_ms(), in_ms(1000));
}

TEST_F(StringsTest, set_range_pads_and_overwrites) {
  set("key", "hello");
  EXPECT_EQ(frame([&] { return db().set_range("key", 7, "!"); }), 8U);
  EXPECT_EQ(get("key"), std::string("hello\0\0!", 8));
  EXPECT_EQ(frame([&] { return db().set_range("key", 0, "J"); }), 8U);
  EXPECT_EQ(frame([&] { return db().set_range("key", 1000, "end"); }), 1003U);
  EXPECT_EQ(get("key")->substr(0, 5), "Jello");
  EXPECT_EQ(get("key")->substr(1000), "end");
}

TEST_F(StringsTest, set_range_of_nothing_changes_nothing) {
  EXPECT_EQ(frame([&] { return db().set_range("none", 5, ""); }), 0U);
  EXPECT_EQ(look("none"), nullptr);
  set("key", "abc");
  EXPECT_EQ(frame([&] { return db().set_range("key", 50, ""); }), 3U);
}

TEST_F(StringsTest, refuses_strings_that_are_too_long) {
  engine::KeyspaceLimits limits;
  limits.string_bytes_max = 100;
  keyspace.set_limits(limits);
  set("key", std::string(90, 'x'));
  EXPECT_EQ(frame([&] { return db().append("key", std::string(11, 'x')); }),
            std::unexpected(Error::string_too_long));
  EXPECT_EQ(frame([&] { return db().set_range("key", 100, "x"); }),
            std::unexpected(Error::string_too_long));
  EXPECT_EQ(frame([&] { return db().set_range("key", ~std::size_t{0}, "x"); }),
            std::unexpected(Error::string_too_long));
  EXPECT_EQ(frame([&] { return db().set_range("key", 99, "x"); }), 100U);
}

TEST_F(StringsTest, increments_and_its_refusals) {
  EXPECT_EQ(frame([&] { return db().increment("n", 5); }), 5);
  EXPECT_EQ(frame([&] { return db().increment("n", -7); }), -2);
  EXPECT_EQ(get("n"), "-2");
  set("n", "9223372036854775806");
  EXPECT_EQ(frame([&] { return db().increment("n", 1); }), 9223372036854775807);
  EXPECT_EQ(frame([&] { return db().increment("n", 1); }),
            std::unexpected(Error::increment_overflow));
  EXPECT_EQ(get("n"), "9223372036854775807");
  for (const std::string_view text : {"", " 1", "1 ", "+1", "01", "1.0", "a"}) {
    set("n", text);
    EXPECT_EQ(frame([&] { return db().increment("n", 1); }), std::unexpected(Error::not_an_integer))
        << text;
  }
}

TEST_F(StringsTest, refuses_other_types) {
  hset("hash", {{"f", "1"}});
  EXPECT_EQ(frame([&] { return db().append("hash", "x"); }), std::unexpected(Error::wrong_type));
  EXPECT_EQ(frame([&] { return db().set_range("hash", 0, "x"); }),
            std::unexpected(Error::wrong_type));
  EXPECT_EQ(frame([&] { return db().set_range("hash", 0, ""); }),
            std::unexpected(Error::wrong_type));
  EXPECT_EQ(frame([&] { return db().increment("hash", 1); }), std::unexpected(Error::wrong_type));
  EXPECT_EQ(frame([&] { return db().replace_value("hash", "x"); }),
            std::unexpected(Error::wrong_type));
  set("hash", "x");
  EXPECT_EQ(get("hash"), "x");
}

TEST_F(StringsTest, set_replaces_the_deadline) {
  set("key", "v", in_ms(500));
  EXPECT_EQ(db().with_deadline(), 1U);
  set("key", "w");
  EXPECT_FALSE(look("key")->has_deadline());
  EXPECT_EQ(db().with_deadline(), 0U);
}

TEST_F(StringsTest, events_tell_of_creation_once) {
  set("a", "1");
  set("a", "2");
  hset("h", {{"f", "v"}});
  hset("h", {{"g", "v"}});
  frame([&] { return db().increment("n", 1); });
  EXPECT_EQ(events, (std::vector<std::string>{"created 0 a", "created 0 h", "created 0 n"}));
}

}  // namespace
