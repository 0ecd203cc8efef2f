#include "engine/packed_fields.hpp"

#include <gtest/gtest.h>

namespace {

namespace packed_fields = engine::packed_fields;

TEST(PackedFields, small_numbers_take_one_byte) {
  std::string packed;
  packed_fields::add(packed, "owner", "1");
  EXPECT_EQ(packed.size(), 7U);
  EXPECT_EQ(packed_fields::find(packed, "owner")->value, "1");
}

TEST(PackedFields, every_text_comes_back) {
  std::vector<std::string> texts;
  for (int number = -1; number < 130; ++number) texts.push_back(std::to_string(number));
  for (const std::string text : {"", "00", "01", "0a", "+1", " 1", "1 ", "-0"})
    texts.push_back(text);
  for (const std::size_t size : {126U, 127U, 128U, 129U, 255U, 256U, 16'127U, 16'128U, 70'000U}) {
    texts.emplace_back(size, 'x');
  }
  std::string packed;
  for (const auto& text : texts) EXPECT_TRUE(packed_fields::set(packed, text, text)) << text;
  std::string_view rest = packed;
  for (const auto& text : texts) {
    const auto field = packed_fields::take(rest);
    EXPECT_EQ(field.name, text);
    EXPECT_EQ(field.value, text);
  }
  EXPECT_TRUE(rest.empty());
  for (const auto& text : texts) EXPECT_TRUE(packed_fields::remove(packed, text));
  EXPECT_TRUE(packed.empty());
}

TEST(PackedFields, set_replaces_in_place) {
  std::string packed;
  packed_fields::add(packed, "a", "1");
  packed_fields::add(packed, "b", "2");
  EXPECT_FALSE(packed_fields::set(packed, "a", "a much longer value"));
  std::string_view rest = packed;
  EXPECT_EQ(packed_fields::take(rest).value, "a much longer value");
  EXPECT_EQ(packed_fields::take(rest).value, "2");
}

TEST(PackedFields, overwrite_needs_equal_room) {
  std::string packed;
  packed_fields::add(packed, "a", "1");
  packed_fields::add(packed, "b", "xyz");
  EXPECT_TRUE(packed_fields::overwrite(packed.data(), packed.size(), "a", "63"));
  EXPECT_FALSE(packed_fields::overwrite(packed.data(), packed.size(), "a", "64"));
  EXPECT_TRUE(packed_fields::overwrite(packed.data(), packed.size(), "b", "123"));
  EXPECT_FALSE(packed_fields::overwrite(packed.data(), packed.size(), "b", "1234"));
  EXPECT_FALSE(packed_fields::overwrite(packed.data(), packed.size(), "c", "1"));
  EXPECT_EQ(packed_fields::find(packed, "a")->value, "63");
  EXPECT_EQ(packed_fields::find(packed, "b")->value, "123");
}

}  // namespace
