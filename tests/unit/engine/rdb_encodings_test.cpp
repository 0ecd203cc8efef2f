#include "engine/rdb_encodings.hpp"

#include "tests/support/disk/rdb_bytes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace {

using engine::rdb::Walk;
using rdb_bytes::bytes;
using rdb_bytes::listpack;
using rdb_bytes::little;
using rdb_bytes::ziplist;
using testing::ElementsAre;
using testing::IsEmpty;

class PackedValue : public testing::Test {
 protected:
  using Visit = Walk (*)(std::string_view, engine::rdb::ItemVisitor);
  // The items, and a last one that tells of damage.
  static std::vector<std::string> items(Visit visit, std::string_view packed) {
    std::vector<std::string> found;
    const Walk walk = visit(packed, [&](std::string_view item) {
      found.emplace_back(item);
      return true;
    });
    if (walk == Walk::damaged) found.emplace_back("(damaged)");
    return found;
  }
  static std::vector<std::string> in_listpack(std::uint64_t count, std::string_view packed) {
    return items(engine::rdb::visit_listpack, listpack(count, packed));
  }
  static std::vector<std::string> in_ziplist(std::uint64_t count, std::string_view packed) {
    return items(engine::rdb::visit_ziplist, ziplist(count, packed));
  }
  static std::vector<std::string> in_intset(std::string_view packed) {
    return items(engine::rdb::visit_intset, packed);
  }
  static std::vector<std::string> in_zipmap(std::string_view packed) {
    return items(engine::rdb::visit_zipmap, packed);
  }
};

TEST_F(PackedValue, listpack_gives_integers_of_every_width) {
  EXPECT_THAT(in_listpack(2, bytes({0, 1, 127, 1})), ElementsAre("0", "127"));
  // 13 bits with a sign.
  EXPECT_THAT(in_listpack(3, bytes({0xC0, 0x80, 2, 0xDF, 0xFF, 2, 0xD0, 0x00, 2})),
              ElementsAre("128", "-1", "-4096"));
  EXPECT_THAT(in_listpack(1, bytes({0xF1, 0x00, 0x80, 3})), ElementsAre("-32768"));
  EXPECT_THAT(in_listpack(1, bytes({0xF2, 0xFF, 0xFF, 0x7F, 4})), ElementsAre("8388607"));
  EXPECT_THAT(in_listpack(1, bytes({0xF3}) + little(0x80000000U, 4) + bytes({5})),
              ElementsAre("-2147483648"));
  EXPECT_THAT(in_listpack(1, bytes({0xF4}) + little(std::uint64_t{1} << 63U, 8) + bytes({9})),
              ElementsAre("-9223372036854775808"));
}

TEST_F(PackedValue, listpack_gives_text_of_every_length) {
  EXPECT_THAT(in_listpack(2, bytes({0x80, 1, 0x83}) + "abc" + bytes({4})), ElementsAre("", "abc"));
  const std::string middle(1000, 'm');
  EXPECT_THAT(in_listpack(1, bytes({0xE3, 0xE8}) + middle + bytes({0x07, 0xEA})),
              ElementsAre(middle));
  const std::string large(300'000, 'l');
  EXPECT_THAT(in_listpack(1, bytes({0xF0}) + little(large.size(), 4) + large + bytes({1, 2, 3})),
              ElementsAre(large));
}

TEST_F(PackedValue, listpack_may_not_know_its_count_but_not_a_wrong_one) {
  EXPECT_THAT(in_listpack(0xFFFF, bytes({1, 1, 2, 1})), ElementsAre("1", "2"));
  EXPECT_THAT(in_listpack(3, bytes({1, 1, 2, 1})), ElementsAre("1", "2", "(damaged)"));
  EXPECT_THAT(in_listpack(0, ""), IsEmpty());
}

TEST_F(PackedValue, listpack_with_damage_is_found_out) {
  // Longer than what is there, an unknown head, no room for the length behind.
  EXPECT_THAT(in_listpack(1, bytes({0x85}) + "abc"), ElementsAre("(damaged)"));
  EXPECT_THAT(in_listpack(1, bytes({0xF0, 0xFF, 0xFF, 0xFF, 0xFF})), ElementsAre("(damaged)"));
  EXPECT_THAT(in_listpack(1, bytes({0xF5, 1})), ElementsAre("(damaged)"));
  EXPECT_THAT(items(engine::rdb::visit_listpack, ""), ElementsAre("(damaged)"));
  std::string packed = listpack(1, bytes({1, 1}));
  packed.back() = 'x';
  EXPECT_THAT(items(engine::rdb::visit_listpack, packed), ElementsAre("1", "(damaged)"));
  packed = listpack(1, bytes({1, 1})) + "more";
  EXPECT_THAT(items(engine::rdb::visit_listpack, packed), ElementsAre("(damaged)"));
}

TEST_F(PackedValue, ziplist_gives_integers_of_every_width) {
  EXPECT_THAT(in_ziplist(2, bytes({0, 0xF1, 2, 0xFD})), ElementsAre("0", "12"));
  EXPECT_THAT(in_ziplist(1, bytes({0, 0xFE, 0x80})), ElementsAre("-128"));
  EXPECT_THAT(in_ziplist(1, bytes({0, 0xC0, 0xFF, 0x7F})), ElementsAre("32767"));
  EXPECT_THAT(in_ziplist(1, bytes({0, 0xF0, 0, 0, 0x80})), ElementsAre("-8388608"));
  EXPECT_THAT(in_ziplist(1, bytes({0, 0xD0}) + little(0x7FFFFFFF, 4)), ElementsAre("2147483647"));
  EXPECT_THAT(in_ziplist(1, bytes({0, 0xE0}) + little(0x7FFFFFFFFFFFFFFF, 8)),
              ElementsAre("9223372036854775807"));
}

TEST_F(PackedValue, ziplist_gives_text_of_every_length) {
  const std::string middle(300, 'm');
  const std::string large(20'000, 'l');
  EXPECT_THAT(
      in_ziplist(4, bytes({0, 0, 2, 3}) + "abc" + bytes({5, 0x41, 0x2C}) + middle + bytes({0xFE}) +
                        little(303, 4) + bytes({0x80, 0, 0, 0x4E, 0x20}) + large),
      ElementsAre("", "abc", middle, large));
}

TEST_F(PackedValue, ziplist_with_damage_is_found_out) {
  EXPECT_THAT(in_ziplist(1, bytes({0, 5}) + "abc"), ElementsAre("(damaged)"));
  EXPECT_THAT(in_ziplist(1, bytes({0, 0x90})), ElementsAre("(damaged)"));
  EXPECT_THAT(in_ziplist(1, bytes({0xFF, 0xF1})), ElementsAre("(damaged)"));
  EXPECT_THAT(in_ziplist(2, bytes({0, 0xF1})), ElementsAre("0", "(damaged)"));
  EXPECT_THAT(items(engine::rdb::visit_ziplist, "abc"), ElementsAre("(damaged)"));
}

TEST_F(PackedValue, intset_gives_integers_of_its_width) {
  EXPECT_THAT(in_intset(little(2, 4) + little(2, 4) + little(0xFFFF, 2) + little(7, 2)),
              ElementsAre("-1", "7"));
  EXPECT_THAT(in_intset(little(4, 4) + little(1, 4) + little(70'000, 4)), ElementsAre("70000"));
  EXPECT_THAT(in_intset(little(8, 4) + little(1, 4) + little(std::uint64_t{1} << 40U, 8)),
              ElementsAre("1099511627776"));
  EXPECT_THAT(in_intset(little(8, 4) + little(0, 4)), IsEmpty());
}

TEST_F(PackedValue, intset_with_damage_is_found_out) {
  EXPECT_THAT(in_intset(little(3, 4) + little(1, 4) + "abc"), ElementsAre("(damaged)"));
  EXPECT_THAT(in_intset(little(8, 4) + little(0x20000000, 4)), ElementsAre("(damaged)"));
  EXPECT_THAT(in_intset(little(2, 4) + little(1, 4) + "abc"), ElementsAre("(damaged)"));
  EXPECT_THAT(in_intset("abc"), ElementsAre("(damaged)"));
}

TEST_F(PackedValue, zipmap_gives_fields_and_values) {
  EXPECT_THAT(in_zipmap(bytes({2, 1}) + "f" + bytes({2, 1}) + "v1-" + bytes({0, 0, 0, 0xFF})),
              ElementsAre("f", "v1", "", ""));
  const std::string large(300, 'l');
  const std::string wide = bytes({0xFE}) + little(large.size(), 4);
  EXPECT_THAT(in_zipmap(bytes({1}) + wide + large + wide + bytes({0}) + large + bytes({0xFF})),
              ElementsAre(large, large));
}

TEST_F(PackedValue, zipmap_with_damage_is_found_out) {
  EXPECT_THAT(in_zipmap(""), ElementsAre("(damaged)"));
  EXPECT_THAT(in_zipmap(bytes({1, 5}) + "f" + bytes({0xFF})), ElementsAre("(damaged)"));
  EXPECT_THAT(in_zipmap(bytes({1, 0xFF, 0, 0, 0xFF})), ElementsAre("(damaged)"));
  EXPECT_THAT(in_zipmap(bytes({2, 0, 0, 0, 0xFF})), ElementsAre("", "", "(damaged)"));
}

TEST_F(PackedValue, walk_ends_when_told) {
  int seen = 0;
  const auto one = [&](std::string_view) {
    ++seen;
    return false;
  };
  EXPECT_EQ(engine::rdb::visit_listpack(listpack(2, bytes({1, 1, 2, 1})), one), Walk::stopped);
  EXPECT_EQ(seen, 1);
}

TEST(Score, is_any_number_but_nan) {
  using engine::rdb::parse_score;
  EXPECT_EQ(parse_score("3.5"), 3.5);
  EXPECT_EQ(parse_score("-1e+300"), -1e300);
  EXPECT_EQ(parse_score("inf"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(parse_score("-inf"), -std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::signbit(*parse_score("-0")));
  for (const char* text : {"", "nan", "-nan", "1x", " 1", "x"}) EXPECT_FALSE(parse_score(text));
}

}  // namespace
