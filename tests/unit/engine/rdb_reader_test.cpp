#include "engine/rdb_reader.hpp"

#include "tests/support/disk/rdb_bytes.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace {

using engine::rdb::Verdict;
using rdb_bytes::bytes;
using rdb_bytes::crc64;
using rdb_bytes::file;
using rdb_bytes::key;
using rdb_bytes::length;
using rdb_bytes::listpack;
using rdb_bytes::little;
using rdb_bytes::number;
using rdb_bytes::opened;
using rdb_bytes::str;
using rdb_bytes::ziplist;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// What was found, as lines.
class Notes final : public engine::rdb::Listener {
 public:
  std::vector<std::string> lines;
  std::optional<std::string> refused;  // a key of this name

  Verdict begin_key(const engine::rdb::Key& key) override {
    static constexpr const char* types[] = {"string", "hash", "list", "set", "sorted set"};
    std::string line = std::to_string(key.database) + " " + std::string(key.name) + ": ";
    line += types[static_cast<std::size_t>(key.type)];
    if (key.expires_wall_ms) line += " until " + std::to_string(*key.expires_wall_ms);
    lines.push_back(line);
    if (key.name == refused) return std::unexpected("not wanted");
    return {};
  }
  Verdict add_text(std::string_view text) override { return note(text); }
  Verdict add_names(std::span<const std::string_view> names) override {
    for (const std::string_view name : names) note(name);
    return {};
  }
  Verdict add_fields(std::span<const engine::FieldValue> fields) override {
    for (const auto& [field, value] : fields) note(std::string(field) + "=" + std::string(value));
    return {};
  }
  Verdict add_scored(std::span<const engine::ScoredMember> scored) override {
    for (const auto& [member, score] : scored) {
      note(std::string(member) + " " + std::to_string(score));
    }
    return {};
  }
  Verdict end_key() override {
    ++ended;
    return {};
  }
  Verdict foreign_key(std::uint64_t database, std::string_view name,
                      engine::rdb::Foreign what) override {
    const bool is_stream = what == engine::rdb::Foreign::stream;
    lines.push_back(std::to_string(database) + " " + std::string(name) +
                    (is_stream ? ": stream" : ": module"));
    return {};
  }
  Verdict function_library(std::string_view code) override {
    return note("library " + std::string(code));
  }
  Verdict script(std::string_view body) override { return note("script " + std::string(body)); }
  void made_by(std::string_view version) override { note("made by " + std::string(version)); }

  int ended = 0;

 private:
  Verdict note(std::string_view line) {
    lines.emplace_back(line);
    return {};
  }
};

class RdbReader : public testing::Test {
 protected:
  test::MemoryFileSystem files;
  Notes notes;

  engine::rdb::Outcome read(std::string content) {
    const auto file = opened(files, std::move(content));
    return engine::rdb::Reader(*file, notes).run();
  }
  std::vector<std::string> lines(std::string_view parts, std::string_view version = "0010") {
    const auto outcome = read(file(parts, version));
    EXPECT_TRUE(outcome) << outcome.error().reason << " at " << outcome.error().offset;
    return notes.lines;
  }
  // "reason at offset [key]"
  std::string failure(std::string content) {
    const auto outcome = read(std::move(content));
    if (outcome) return "none";
    const engine::rdb::Failure& failed = outcome.error();
    return failed.reason + " at " + std::to_string(failed.offset) + " [" + failed.key + "]";
  }
};

TEST_F(RdbReader, an_empty_dump_is_one) {
  EXPECT_THAT(lines(""), IsEmpty());
}

TEST_F(RdbReader, strings_come_in_every_form) {
  EXPECT_THAT(lines(key(0, "a", str("text")) + key(0, "b", bytes({0xC0, 0x85})) +
                    key(0, "c", bytes({0xC1, 0x39, 0x30})) +
                    key(0, "d", bytes({0xC2}) + little(0xFFFFFFFF, 4)) + key(0, "", str(""))),
              ElementsAre("0 a: string", "text", "0 b: string", "-123", "0 c: string", "12345",
                          "0 d: string", "-1", "0 : string", ""));
  EXPECT_EQ(notes.ended, 5);
}

TEST_F(RdbReader, lengths_come_in_every_width) {
  const std::string middle(100, 'm');
  const std::string large(600'000, 'l');
  const std::string in_64_bits = bytes({0x81, 0, 0, 0, 0, 0, 0, 0, 2}) + "64";
  EXPECT_THAT(lines(key(0, "a", str(middle)) + key(0, "b", str(large)) + key(0, "c", in_64_bits)),
              ElementsAre("0 a: string", middle, "0 b: string", large, "0 c: string", "64"));
}

TEST_F(RdbReader, compressed_strings_are_opened) {
  // A literal run of one, then 40 bytes back-referenced from one byte before.
  const std::string packed = bytes({0, 'a', 0xE0, 31, 0});
  const std::string compressed = bytes({0xC3}) + length(packed.size()) + length(41) + packed;
  EXPECT_THAT(lines(key(0, "k", compressed)), ElementsAre("0 k: string", std::string(41, 'a')));
}

TEST_F(RdbReader, compressed_strings_of_false_length_are_damage) {
  const std::string packed = bytes({0, 'a', 0xE0, 31, 0});
  const auto compressed = [&](std::string_view lengths) {
    return file(key(0, "k", bytes({0xC3}) + std::string(lengths) + packed));
  };
  EXPECT_EQ(failure(compressed(length(5) + length(42))),
            "a compressed string is damaged at 12 [k]");
  EXPECT_EQ(failure(compressed(length(5) + length(40))),
            "a compressed string is damaged at 12 [k]");
  EXPECT_THAT(failure(compressed(length(5) + length(3000))), HasSubstr("impossible length"));
  EXPECT_THAT(failure(compressed(length(5) + length(0))), HasSubstr("impossible length"));
  EXPECT_THAT(failure(compressed(length(500) + length(600))), HasSubstr("too early"));
  // An offset before the beginning.
  const std::string before = bytes({0, 'a', 0xE0, 31, 9});
  EXPECT_THAT(failure(file(key(0, "k", bytes({0xC3, 5, 41}) + before))), HasSubstr("is damaged"));
}

TEST_F(RdbReader, collections_come_item_by_item) {
  EXPECT_THAT(
      lines(key(1, "l", length(2) + str("x") + str("y")) + key(2, "s", length(1) + str("m")) +
            key(4, "h", length(2) + str("f") + str("v") + str("g") + bytes({0xC0, 7}))),
      ElementsAre("0 l: list", "x", "y", "0 s: set", "m", "0 h: hash", "f=v", "g=7"));
}

TEST_F(RdbReader, scores_come_as_doubles_and_as_text) {
  EXPECT_THAT(lines(key(5, "z", length(1) + str("m") + number(2.5)) +
                    key(3, "t",
                        length(3) + str("a") + bytes({3}) + "1.5" + str("b") + bytes({254}) +
                            str("c") + bytes({255}))),
              ElementsAre("0 z: sorted set", "m 2.500000", "0 t: sorted set", "a 1.500000", "b inf",
                          "c -inf"));
  EXPECT_EQ(failure(file(key(3, "t", length(1) + str("a") + bytes({253})))),
            "a score that is not a number at 15 [t]");
  const std::string nan = little(0x7FF8000000000000U, 8);
  EXPECT_THAT(failure(file(key(5, "z", length(1) + str("m") + nan))), HasSubstr("not a number"));
}

TEST_F(RdbReader, packed_collections_come_in_every_encoding) {
  const std::string pair = bytes({0x81}) + "f" + bytes({2, 5, 1});
  const std::string old_pair = bytes({0, 1}) + "f" + bytes({3, 0xF6});
  EXPECT_THAT(lines(key(16, "a", str(listpack(2, pair))) + key(13, "b", str(ziplist(2, old_pair))) +
                    key(9, "c", str(bytes({1, 1}) + "f" + bytes({1, 0}) + "5" + bytes({0xFF}))) +
                    key(17, "d", str(listpack(2, pair))) + key(12, "e", str(ziplist(2, old_pair)))),
              ElementsAre("0 a: hash", "f=5", "0 b: hash", "f=5", "0 c: hash", "f=5",
                          "0 d: sorted set", "f 5.000000", "0 e: sorted set", "f 5.000000"));
}

TEST_F(RdbReader, packed_lists_and_sets_come_in_every_encoding) {
  const std::string numbers = little(2, 4) + little(1, 4) + little(9, 2);
  EXPECT_THAT(
      lines(
          key(10, "a", str(ziplist(1, bytes({0, 0xF2})))) +
          key(14, "b",
              length(2) + str(ziplist(1, bytes({0, 0xF2}))) + str(ziplist(1, bytes({0, 0xF3})))) +
          key(18, "c",
              length(2) + length(2) + str(listpack(1, bytes({3, 1}))) + length(1) + str("plain")) +
          key(11, "d", str(numbers)) + key(20, "e", str(listpack(1, bytes({4, 1}))))),
      ElementsAre("0 a: list", "1", "0 b: list", "1", "2", "0 c: list", "3", "plain", "0 d: set",
                  "9", "0 e: set", "4"));
}

TEST_F(RdbReader, packed_collections_with_half_an_item_are_damage) {
  const std::string one = str(listpack(1, bytes({3, 1})));
  EXPECT_EQ(failure(file(key(16, "h", one))), "a field without a value at 12 [h]");
  EXPECT_EQ(failure(file(key(17, "z", one))), "a member without a score at 12 [z]");
  const std::string no_score = str(listpack(2, bytes({3, 1, 0x81}) + "x" + bytes({2})));
  EXPECT_EQ(failure(file(key(17, "z", no_score))), "a score that is not a number at 12 [z]");
  EXPECT_EQ(failure(file(key(10, "l", str("abc")))), "a packed value is damaged at 12 [l]");
  EXPECT_EQ(failure(file(key(18, "l", length(1) + length(3) + str("x")))),
            "not a kind of list node at 13 [l]");
}

TEST_F(RdbReader, large_collections_come_whole_in_several_calls) {
  std::string items;
  for (int item = 0; item < 5000; ++item) items += str("m" + std::to_string(item)) + str("v");
  EXPECT_EQ(lines(key(4, "h", length(5000) + items)).size(), 5001U);
  EXPECT_EQ(notes.lines.back(), "m4999=v");
}

TEST_F(RdbReader, what_stands_before_a_key_is_of_that_key_alone) {
  EXPECT_THAT(
      lines(bytes({0xFE, 3, 0xFB, 2, 1, 0xFC}) + little(1'700'000'000'123, 8) + bytes({0xF8, 5}) +
            key(0, "a", str("x")) + bytes({0xFD}) + little(1'700'000'000, 4) + bytes({0xF9, 200}) +
            key(0, "b", str("x")) + key(0, "c", str("x"))),
      ElementsAre("3 a: string until 1700000000123", "x", "3 b: string until 1700000000000", "x",
                  "3 c: string", "x"));
}

TEST_F(RdbReader, facts_of_the_file_are_told) {
  const auto fact = [](std::string_view name, std::string_view value) {
    return bytes({0xFA}) + str(name) + str(value);
  };
  EXPECT_THAT(lines(fact("redis-ver", "7.0.15") + fact("unknown", "x") + fact("aof-base", "0") +
                    fact("lua", "return 1") + bytes({0xF5}) + str("#!lua name=x")),
              ElementsAre("made by 7.0.15", "script return 1", "library #!lua name=x"));
  EXPECT_THAT(failure(file(fact("aof-base", "1"))), HasSubstr("base of an append-only file"));
  EXPECT_THAT(failure(file(fact("aof-preamble", "1"))), HasSubstr("base of an append-only file"));
}

TEST_F(RdbReader, streams_are_passed_over) {
  const std::string node = length(1) + str("sixteen bytes id") + str(listpack(0, ""));
  const std::string old_ids = length(1) + length(2) + length(3);
  const std::string ids = old_ids + length(4) + length(5) + length(6) + length(7) + length(8);
  const std::string id(16, 'i');
  const std::string pending = length(1) + id + little(1, 8) + length(1);
  const std::string consumer = length(1) + str("consumer") + little(1, 8);
  const std::string group = length(1) + str("group") + length(1) + length(2);
  const std::string owned = length(1) + id;
  const std::string after = key(0, "s", str("x"));
  EXPECT_THAT(
      lines(
          key(15, "a", node + old_ids + group + pending + consumer + owned) +
          key(19, "b", node + ids + group + length(3) + pending + consumer + owned) +
          key(21, "c", node + ids + group + length(3) + pending + consumer + little(1, 8) + owned) +
          after),
      ElementsAre("0 a: stream", "0 b: stream", "0 c: stream", "0 s: string", "x"));
}

TEST_F(RdbReader, modules_are_passed_over) {
  const std::string parts = bytes({0x81, 1, 2, 3, 4, 5, 6, 7, 8, 1}) + length(70) +
                            bytes({2, 1, 3, 0, 0, 0, 0, 4}) + number(1) + bytes({5}) + str("text") +
                            bytes({0});
  EXPECT_THAT(lines(bytes({0xF7}) + parts + key(7, "m", parts) + key(0, "s", str("x"))),
              ElementsAre("0 m: module", "0 s: string", "x"));
  EXPECT_THAT(failure(file(key(7, "m", bytes({1, 9})))), HasSubstr("part of a module's value"));
}

TEST_F(RdbReader, what_cannot_be_read_is_refused_by_key_and_offset) {
  const std::string before = key(0, "a", str("x"));
  EXPECT_EQ(failure(file(before + key(6, "early", ""))),
            "a value of a module, in a form that cannot be passed over at 14 [early]");
  EXPECT_EQ(failure(file(before + key(24, "fields", ""))),
            "a hash whose fields expire one by one at 14 [fields]");
  EXPECT_EQ(failure(file(before + bytes({99, 1, 1}))), "unknown type or mark 99 at 14 []");
}

TEST_F(RdbReader, files_that_are_no_dump_are_refused) {
  EXPECT_THAT(failure(""), HasSubstr("too early"));
  EXPECT_THAT(failure("MORTISE and more"), HasSubstr("not an RDB file"));
  EXPECT_THAT(failure(file("", "00x0")), HasSubstr("not an RDB file"));
  EXPECT_THAT(failure(file("", "0004")), StartsWith("RDB version 4"));
  EXPECT_THAT(failure(file("", "0013")), StartsWith("RDB version 13"));
  for (const char* version : {"0005", "0009", "0011", "0012"}) {
    EXPECT_EQ(failure(file("", version)), "none");
  }
}

TEST_F(RdbReader, checksum_holds_or_is_zero) {
  const std::string body =
      "REDIS0010" + key(0, "k", str(std::string(700'000, 'x'))) + bytes({0xFF});
  EXPECT_EQ(crc64("123456789"), 0xE9C6D914C4B8D9CAU);
  EXPECT_EQ(failure(body + little(crc64(body), 8)), "none");
  EXPECT_EQ(failure(body + little(0, 8)), "none");
  EXPECT_EQ(failure(body + little(crc64(body) + 1, 8)),
            "the checksum does not match: the file is damaged somewhere at " +
                std::to_string(body.size()) + " []");
}

TEST_F(RdbReader, bytes_behind_the_end_are_refused) {
  EXPECT_THAT(failure(file("") + "*1"), StartsWith("2 bytes behind the end"));
}

TEST_F(RdbReader, a_file_cut_anywhere_is_refused) {
  const std::string whole =
      file(bytes({0xFE, 1, 0xFB, 2, 1, 0xFC}) + little(1, 8) + key(0, "a", str("x")) +
           key(4, "h", length(1) + str("f") + str("v")));
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
    EXPECT_THAT(failure(whole.substr(0, bytes)), HasSubstr("too early")) << bytes;
  }
}

TEST_F(RdbReader, lengths_larger_than_the_file_allocate_nothing) {
  const std::string huge = bytes({0x81, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF});
  EXPECT_THAT(failure(file(key(0, "a", huge))), HasSubstr("too early"));
  for (const int type : {1, 2, 3, 4, 5, 14, 15, 18}) {
    EXPECT_NE(failure(file(key(type, "a", huge))), "none") << type;
  }
}

TEST_F(RdbReader, refusals_of_the_listener_end_the_reading) {
  notes.refused = "b";
  EXPECT_EQ(failure(file(key(0, "a", str("x")) + key(0, "b", str("y")))), "not wanted at 14 [b]");
  EXPECT_THAT(notes.lines, ElementsAre("0 a: string", "x", "0 b: string"));
}

TEST_F(RdbReader, a_disk_that_fails_is_named) {
  class Broken final : public engine::File {
   public:
    engine::IoResult write_at(std::uint64_t, std::string_view) override { return {}; }
    std::expected<std::size_t, std::error_code> read_at(std::uint64_t, std::span<char>) override {
      return std::unexpected(std::make_error_code(std::errc::io_error));
    }
    engine::IoResult sync() override { return {}; }
    engine::IoResult resize(std::uint64_t) override { return {}; }
    std::expected<std::uint64_t, std::error_code> size() override { return 100; }
  } broken;
  const auto outcome = engine::rdb::Reader(broken, notes).run();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().reason, std::make_error_code(std::errc::io_error).message());
}

}  // namespace
