// One kind of damage after the other: what the check says of it, that it changes nothing, and what
// a start finds after the repair.
#include "check/directory_check.hpp"
#include "check/file_check.hpp"
#include "check/repair.hpp"
#include "journal_fixture.hpp"

#include <gmock/gmock.h>

#include <vector>

namespace check_tests {
namespace {

using check::Finding;
using check::Replay;
using check::Verdict;
using engine::SyncPolicy;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class DamageIsFoundAndRepaired : public JournalFixture {
 protected:
  // Batches 1 to 3 durable, as batch 4 says.
  void write_four() {
    restart();
    set("a", "one");
    set("b", "two");
    set("c", "three");
    sync();
    set("d", "four", SyncPolicy::no);
  }

  // Whatever there is, looking changes nothing.
  Finding look(Replay replay = Replay::full) {
    const Files before = contents();
    Finding finding = check::check_directory(files, replay);
    EXPECT_TRUE(contents() == before);
    return finding;
  }

  // Afterwards a start finds `expected`, and every file that is different now has a copy.
  void expect_repaired(const Keys& expected) {
    const Files before = contents();
    const Finding finding =
        check::Repair(files, [&](std::string_view line) { said.emplace_back(line); }).run();
    EXPECT_EQ(finding.verdict, Verdict::whole) << finding.file << ": " << finding.reason;
    const Files after = contents();
    for (const auto& [name, content] : before) {
      const auto now = after.find(name);
      if (now != after.end() && now->second == content) continue;
      EXPECT_TRUE(files.content(name + ".broken-1") == content) << name;
    }
    EXPECT_EQ(start(), expected);
    EXPECT_EQ(last_found.dropped_bytes, 0U) << "nothing is left for the start to cut";
    EXPECT_EQ(finding.position, last_found.position);
    EXPECT_EQ(look().verdict, Verdict::whole);
  }

  std::vector<std::string> said;
};

TEST_F(DamageIsFoundAndRepaired, None) {
  write_four();
  const Finding finding = look();
  EXPECT_EQ(finding.verdict, Verdict::whole);
  EXPECT_EQ(finding.position, 4U);
  EXPECT_EQ(finding.batches, 4U);
  EXPECT_EQ(finding.keys, 4U);
  EXPECT_EQ(look(Replay::none).keys, std::nullopt);
  EXPECT_EQ(check::check_file(files, segment(0)).verdict, Verdict::whole);
  EXPECT_EQ(check::check_file(files, segment(0)).batches, 4U);
  const Files before = contents();
  check::Repair(files, [&](std::string_view line) { said.emplace_back(line); }).run();
  EXPECT_TRUE(contents() == before);
  EXPECT_THAT(said, IsEmpty());
}

TEST_F(DamageIsFoundAndRepaired, ATornEnd) {
  write_four();
  const std::size_t at = spoil(segment(0), "four");
  const Finding finding = look();
  EXPECT_EQ(finding.verdict, Verdict::torn);
  EXPECT_EQ(finding.file, segment(0));
  EXPECT_LT(finding.offset, at);
  EXPECT_EQ(finding.position, 3U);
  EXPECT_EQ(finding.loss.intact_batches, 0U);
  EXPECT_EQ(finding.loss.last, 0U);
  EXPECT_GT(finding.loss.bytes, 4U);
  EXPECT_LT(finding.loss.bytes, 100U) << "zeros ahead do not count";
  const Finding of_file = check::check_file(files, segment(0));
  EXPECT_EQ(of_file.verdict, Verdict::torn);
  EXPECT_EQ(of_file.offset, finding.offset);
  EXPECT_EQ(of_file.loss.bytes, finding.loss.bytes);
  expect_repaired({{"a", "one"}, {"b", "two"}, {"c", "three"}});
  EXPECT_THAT(said, ElementsAre(HasSubstr("cut at offset " + std::to_string(finding.offset))));
}

TEST_F(DamageIsFoundAndRepaired, AnEndWithBatchesBehindIt) {
  restart();
  world.worker.held = true;
  set("a", "one");
  set("b", "two", SyncPolicy::no);
  set("c", "three", SyncPolicy::no);
  spoil(segment(0), "two");
  const Finding finding = look();
  EXPECT_EQ(finding.verdict, Verdict::torn);
  EXPECT_EQ(finding.position, 1U);
  EXPECT_EQ(finding.loss.intact_batches, 1U);
  EXPECT_EQ(finding.loss.last, 3U);
  EXPECT_EQ(finding.loss.durable, 0U);
  expect_repaired({{"a", "one"}});
}

TEST_F(DamageIsFoundAndRepaired, ABatchThatWasDurable) {
  write_four();
  const std::size_t at = spoil(segment(0), "two");
  const Finding finding = look();
  EXPECT_EQ(finding.verdict, Verdict::damaged);
  EXPECT_THAT(finding.reason, HasSubstr("durable"));
  EXPECT_LT(finding.offset, at);
  EXPECT_EQ(finding.position, 1U);
  EXPECT_EQ(finding.loss.intact_batches, 2U);
  EXPECT_EQ(finding.loss.last, 4U);
  EXPECT_EQ(finding.loss.durable, 3U);
  const Finding of_file = check::check_file(files, segment(0));
  EXPECT_EQ(of_file.verdict, Verdict::damaged);
  EXPECT_EQ(of_file.offset, finding.offset);
  EXPECT_EQ(of_file.loss.last, 4U);
  EXPECT_EQ(of_file.loss.durable, 3U);
  expect_repaired({{"a", "one"}});
}

TEST_F(DamageIsFoundAndRepaired, AnOlderSegment) {
  write_four();
  restart();
  set("e", "five");
  sync();
  restart();
  set("f", "six");
  spoil(segment(0), "four");
  const Finding finding = look();
  EXPECT_EQ(finding.verdict, Verdict::damaged);
  EXPECT_EQ(finding.file, segment(0));
  EXPECT_EQ(finding.position, 3U);
  EXPECT_EQ(finding.loss.last, 6U);
  EXPECT_EQ(finding.loss.intact_batches, 2U);
  expect_repaired({{"a", "one"}, {"b", "two"}, {"c", "three"}});
  EXPECT_THAT(said, ElementsAre(HasSubstr(segment(5) + ": set aside"),
                                HasSubstr(segment(4) + ": set aside"), HasSubstr("cut")));
}

TEST_F(DamageIsFoundAndRepaired, TheHeadOfASegment) {
  write_four();
  restart();
  set("e", "five");
  sync();
  std::string bytes = files.content(segment(4));
  bytes[engine::journal::preamble_bytes + 12] ^= 1;
  files.set_content(segment(4), bytes);
  Finding finding = look();
  EXPECT_EQ(finding.verdict, Verdict::torn) << "batch 5 names 4 as durable, itself nobody";
  EXPECT_EQ(finding.file, segment(4));
  EXPECT_EQ(finding.offset, 0U);
  EXPECT_EQ(finding.loss.intact_batches, 1U);
  EXPECT_EQ(check::check_file(files, segment(4)).reason, "the head is damaged");
  bytes[0] = 'X';
  files.set_content(segment(4), bytes);
  finding = look();
  EXPECT_EQ(finding.verdict, Verdict::torn);
  expect_repaired({{"a", "one"}, {"b", "two"}, {"c", "three"}, {"d", "four"}});
}

TEST_F(DamageIsFoundAndRepaired, AMissingSegment) {
  write_four();
  restart();
  set("e", "five");
  restart();
  set("f", "six");
  ASSERT_TRUE(files.remove(segment(4)));
  Finding finding = look();
  EXPECT_EQ(finding.verdict, Verdict::damaged);
  EXPECT_EQ(finding.file, segment(5));
  EXPECT_EQ(finding.position, 4U);
  EXPECT_EQ(finding.loss.last, 6U);
  const Files without_middle = contents();
  expect_repaired({{"a", "one"}, {"b", "two"}, {"c", "three"}, {"d", "four"}});

  put_back(without_middle);
  ASSERT_TRUE(files.remove(segment(0)));
  finding = look();
  EXPECT_EQ(finding.verdict, Verdict::damaged);
  EXPECT_THAT(finding.reason, HasSubstr("missing"));
  EXPECT_EQ(finding.position, 0U);
  expect_repaired({});
}

TEST_F(DamageIsFoundAndRepaired, BatchesMissingWithinASegment) {
  write_four();
  std::string record;
  engine::journal::write_batch(record, {6, 1, 0, 0, ""});
  add_record(segment(0), record);
  const Finding finding = look();
  EXPECT_EQ(finding.verdict, Verdict::damaged);
  EXPECT_THAT(finding.reason, HasSubstr("missing"));
  EXPECT_EQ(finding.position, 4U);
  EXPECT_EQ(finding.loss.last, 6U) << "the batch at the very place counts";
  EXPECT_EQ(check::check_file(files, segment(0)).verdict, Verdict::damaged);
  EXPECT_EQ(check::check_file(files, segment(0)).offset, finding.offset);
  expect_repaired({{"a", "one"}, {"b", "two"}, {"c", "three"}, {"d", "four"}});
}

TEST_F(DamageIsFoundAndRepaired, ABatchThatDoesNotFit) {
  write_four();
  set("e", "five");
  append_to("e", "more");
  keyspace.begin_frame(0);
  keyspace.database(0).remove("e");
  keyspace.end_frame();
  world.append(keyspace.take_batch().bytes);
  // The same removal again: nothing is there any more.
  keyspace.begin_frame(0);
  ASSERT_TRUE(keyspace.database(0).set_string("e", "five"));
  keyspace.end_frame();
  static_cast<void>(keyspace.take_batch());
  keyspace.begin_frame(0);
  keyspace.database(0).remove("e");
  keyspace.end_frame();
  world.append(keyspace.take_batch().bytes);
  const Finding finding = look();
  EXPECT_EQ(finding.verdict, Verdict::damaged);
  EXPECT_THAT(finding.reason, HasSubstr("does not fit"));
  EXPECT_EQ(finding.position, 7U);
  EXPECT_EQ(look(Replay::none).verdict, Verdict::whole) << "only a store can see it";
  expect_repaired({{"a", "one"}, {"b", "two"}, {"c", "three"}, {"d", "four"}});
}

TEST_F(DamageIsFoundAndRepaired, FramesWithoutSenseInAGoodRecord) {
  write_four();
  std::string record;
  engine::journal::write_batch(record, {5, 1, 0, 0, "\x05no"});
  add_record(segment(0), record);
  for (const Replay replay : {Replay::full, Replay::none}) {
    const Finding finding = look(replay);
    EXPECT_EQ(finding.verdict, Verdict::damaged);
    EXPECT_EQ(finding.position, 4U);
  }
  EXPECT_THAT(check::check_file(files, segment(0)).reason, HasSubstr("frames"));
  expect_repaired({{"a", "one"}, {"b", "two"}, {"c", "three"}, {"d", "four"}});
}

TEST_F(DamageIsFoundAndRepaired, ARecordOfAnotherKind) {
  write_four();
  std::string record;
  engine::journal::write_image(record, "");
  add_record(segment(0), record);
  const Finding finding = look();
  EXPECT_EQ(finding.verdict, Verdict::damaged);
  EXPECT_THAT(finding.reason, HasSubstr("does not belong there"));
  EXPECT_EQ(check::check_file(files, segment(0)).reason, finding.reason);
  expect_repaired({{"a", "one"}, {"b", "two"}, {"c", "three"}, {"d", "four"}});
}

TEST_F(DamageIsFoundAndRepaired, AFileOfAnotherName) {
  write_four();
  restart();
  set("e", "five");
  files.set_content(segment(2), files.content(segment(4)));
  Finding finding = look();
  EXPECT_EQ(finding.verdict, Verdict::damaged);
  EXPECT_EQ(finding.file, segment(2));
  EXPECT_THAT(finding.reason, HasSubstr("not what its name says"));
  EXPECT_EQ(check::check_file(files, segment(2)).reason, finding.reason);
  expect_repaired({{"a", "one"}, {"b", "two"}, {"c", "three"}, {"d", "four"}, {"e", "five"}});
}

TEST_F(DamageIsFoundAndRepaired, ASnapshotBesideTheWholeJournal) {
  write_four();
  write_snapshot(4);
  restart();
  set("e", "five");
  EXPECT_EQ(look().snapshot_position, 4U);
  EXPECT_EQ(check::check_file(files, snapshot(4)).images, 4U);
  spoil(snapshot(4), "two");
  const Finding finding = look();
  EXPECT_EQ(finding.verdict, Verdict::damaged);
  EXPECT_TRUE(finding.is_of_snapshot());
  EXPECT_EQ(check::check_file(files, snapshot(4)).verdict, Verdict::damaged);
  EXPECT_EQ(check::check_file(files, snapshot(4)).offset, finding.offset);
}

TEST_F(DamageIsFoundAndRepaired, ASnapshotIsReplacedByTheJournalFromItsBeginning) {
  write_four();
  restart();
  set("e", "five");
  write_snapshot(4);
  spoil(snapshot(4), "two");
  expect_repaired({{"a", "one"}, {"b", "two"}, {"c", "three"}, {"d", "four"}, {"e", "five"}});
  EXPECT_THAT(said, ElementsAre(HasSubstr("set aside")));
}

TEST_F(DamageIsFoundAndRepaired, ASnapshotAloneIsWrittenAgainWithoutTheDamagedPart) {
  write_four();
  write_snapshot(4);
  restart();
  set("e", "five");
  ASSERT_TRUE(files.remove(segment(0)));
  const Files good = contents();
  spoil(snapshot(4), "two");
  expect_repaired({{"a", "one"}, {"c", "three"}, {"d", "four"}, {"e", "five"}});
  EXPECT_THAT(said, ElementsAre(HasSubstr("set aside"), HasSubstr("3 images")));
  EXPECT_EQ(last_found.snapshot_position, 4U);

  // Without its head: the times come from the segment behind it.
  put_back(good);
  said.clear();
  spoil(snapshot(4), "boot");
  EXPECT_EQ(look().verdict, Verdict::damaged);
  expect_repaired({{"a", "one"}, {"b", "two"}, {"c", "three"}, {"d", "four"}, {"e", "five"}});

  // Cut off: neither the last images nor the end.
  put_back(good);
  std::string bytes = files.content(snapshot(4));
  bytes.resize(bytes.size() / 2);
  files.set_content(snapshot(4), bytes);
  EXPECT_EQ(check::check_file(files, snapshot(4)).verdict, Verdict::damaged);
  const Finding repaired = check::Repair(files, [](std::string_view) {}).run();
  EXPECT_EQ(repaired.verdict, Verdict::whole);
  EXPECT_EQ(repaired.position, 5U);
  EXPECT_GE(repaired.keys, 2U);
}

TEST_F(DamageIsFoundAndRepaired, WhatNeedsALostImageGoesToo) {
  write_four();
  write_snapshot(4);
  restart();
  set("e", "five");
  append_to("b", "!");
  set("f", "six");
  ASSERT_TRUE(files.remove(segment(0)));
  spoil(snapshot(4), "two");
  expect_repaired({{"a", "one"}, {"c", "three"}, {"d", "four"}, {"e", "five"}});
  EXPECT_THAT(said, ElementsAre(HasSubstr("set aside"), HasSubstr("3 images"), HasSubstr("cut")));
}

TEST_F(DamageIsFoundAndRepaired, ASnapshotOfWhichNothingCanBeRead) {
  write_four();
  write_snapshot(4);
  restart();
  set("e", "five");
  ASSERT_TRUE(files.remove(segment(0)));
  files.set_content(snapshot(4), std::string(5000, 'x'));
  expect_repaired({});
  EXPECT_THAT(said, ElementsAre(HasSubstr("set aside"), HasSubstr("nothing of it"),
                                HasSubstr(segment(4) + ": set aside")));
}

TEST_F(DamageIsFoundAndRepaired, AFileOfANewerVersionIsLeftAlone) {
  write_four();
  std::string bytes = files.content(segment(0));
  bytes[engine::journal::preamble_bytes - 1] = 9;
  files.set_content(segment(0), bytes);
  const Finding finding = look();
  EXPECT_EQ(finding.verdict, Verdict::unreadable);
  EXPECT_THAT(finding.reason, HasSubstr("newer version"));
  EXPECT_EQ(check::check_file(files, segment(0)).verdict, Verdict::unreadable);
  const Files before = contents();
  EXPECT_EQ(check::Repair(files, [](std::string_view) {}).run().verdict, Verdict::unreadable);
  EXPECT_TRUE(contents() == before);
}

TEST_F(DamageIsFoundAndRepaired, ADiskThatFailsTellsNothing) {
  write_four();
  write_snapshot(3);
  files.count_reads(true);
  bool was_whole = false;
  for (std::size_t call = 0; call < 200 && !was_whole; ++call) {
    files.fail_at(call, std::errc::io_error);
    const Finding finding = check::check_directory(files, Replay::full);
    was_whole = finding.verdict == Verdict::whole;
    if (!was_whole) {
      EXPECT_EQ(finding.verdict, Verdict::unreadable) << call << " " << finding.reason;
      EXPECT_EQ(finding.error, std::errc::io_error);
    }
    files.heal();
  }
  EXPECT_TRUE(was_whole);
}

TEST_F(DamageIsFoundAndRepaired, ARepairThatFailsHalfwayLosesNothing) {
  write_four();
  restart();
  set("e", "five");
  sync();
  spoil(segment(0), "two");
  const Files damaged = contents();
  for (std::size_t call = 0; call < 40; ++call) {
    put_back(damaged);
    files.fail_from(call, std::errc::no_space_on_device);
    const Finding failed = check::Repair(files, [](std::string_view) {}).run();
    files.heal();
    for (const auto& [name, content] : damaged) {
      bool is_kept = false;
      for (const auto& [now, bytes] : contents()) {
        is_kept = is_kept || (now.starts_with(name) && bytes == content);
      }
      EXPECT_TRUE(is_kept) << name << " after a failure of call " << call;
    }
    const Finding again = check::Repair(files, [](std::string_view) {}).run();
    EXPECT_EQ(again.verdict, Verdict::whole);
    EXPECT_EQ(again.keys, 1U);
    if (failed.verdict == Verdict::whole) return;
  }
  FAIL() << "the repair never ended";
}

TEST_F(DamageIsFoundAndRepaired, WhatAStartRemovesIsNamed) {
  write_four();
  write_snapshot(4);
  files.set_content(snapshot(3), "older");
  files.set_content(engine::journal::draft_name(5), "half");
  const Finding finding = look();
  EXPECT_EQ(finding.verdict, Verdict::whole);
  EXPECT_THAT(finding.left_over,
              testing::UnorderedElementsAre(snapshot(3), engine::journal::draft_name(5)));
}

}  // namespace
}  // namespace check_tests
