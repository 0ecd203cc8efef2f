// The whole program over a directory of the machine: what it says, its exit codes, and what it
// refuses.
#include "check/program.hpp"

#include "check/options.hpp"
#include "engine/posix_file_system.hpp"
#include "journal_fixture.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace check_tests {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr unsigned some_other_user = 65534;

class ProgramTest : public JournalFixture {
 protected:
  ProgramTest() {
    std::filesystem::remove_all(path);
    std::filesystem::create_directory(path);
  }
  ~ProgramTest() override { std::filesystem::remove_all(path); }
  ProgramTest(const ProgramTest&) = delete;
  ProgramTest& operator=(const ProgramTest&) = delete;

  // Batches 1 to 3 durable, as batch 4 says; then the files go to the directory.
  void write_four() {
    restart();
    set("a", "one");
    set("b", "two");
    set("c", "three");
    sync();
    set("d", "four", engine::SyncPolicy::no);
  }
  void save() {
    for (const auto& [name, bytes] : contents()) write_file(name, bytes);
  }
  void write_file(const std::string& name, const std::string& bytes) const {
    std::ofstream(path + "/" + name, std::ios::binary) << bytes;
  }
  [[nodiscard]] std::map<std::string, std::string> saved() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      if (!entry.is_regular_file() || entry.path().filename() == "lock") continue;
      std::ifstream file(entry.path(), std::ios::binary);
      all[entry.path().filename()] = std::string(std::istreambuf_iterator<char>(file), {});
    }
    return all;
  }

  int run(std::vector<std::string> arguments, const std::string& of = "") {
    arguments.push_back(of.empty() ? path : path + "/" + of);
    const auto options = check::read_options(arguments);
    EXPECT_TRUE(options.has_value());
    std::ostringstream out;
    std::ostringstream errors;
    const int code = check::run(*options, out, errors);
    said = out.str();
    complained = errors.str();
    return code;
  }

  const std::string path = testing::TempDir() + "mortise-check-test-" + std::to_string(::getpid());
  std::string said;
  std::string complained;
};

TEST_F(ProgramTest, a_whole_journal_is_0) {
  write_four();
  save();
  EXPECT_EQ(run({}), 0);
  EXPECT_THAT(said, StartsWith("whole:   position 4 of "));
  EXPECT_THAT(said, HasSubstr("4 batches, 4 keys"));
  EXPECT_EQ(run({"--no-replay"}), 0);
  EXPECT_EQ(run({}, segment(0)), 0);
  const auto before = saved();
  EXPECT_EQ(run({"--fix"}), 0);
  EXPECT_EQ(saved(), before) << "there is nothing to do";
}

TEST_F(ProgramTest, a_torn_end_is_1_until_it_is_cut) {
  write_four();
  spoil(segment(0), "four");
  save();
  const auto before = saved();
  EXPECT_EQ(run({}), 1);
  EXPECT_THAT(said, AllOf(HasSubstr("torn:    " + segment(0)), HasSubstr("start:   works"),
                          HasSubstr("nothing of it was known to be")));
  EXPECT_EQ(run({}, segment(0)), 1);
  EXPECT_EQ(saved(), before);
  EXPECT_EQ(run({"--fix"}), 0);
  EXPECT_THAT(said, AllOf(HasSubstr("fixed:   "), HasSubstr("whole:   position 3")));
  EXPECT_EQ(saved().at(segment(0) + ".broken-1"), before.at(segment(0)));
  EXPECT_EQ(run({}), 0);
}

TEST_F(ProgramTest, lost_durable_batches_are_1_and_named) {
  write_four();
  spoil(segment(0), "two");
  save();
  EXPECT_EQ(run({}), 1);
  EXPECT_THAT(said, AllOf(HasSubstr("damaged: " + segment(0)), HasSubstr("batches 2 to 4 (3)"),
                          HasSubstr("all up to position 3 was"), HasSubstr("start:   stops here"),
                          HasSubstr("good:    position 1")));
  EXPECT_EQ(run({"--fix"}), 0);
  EXPECT_THAT(said, HasSubstr("lost:    3 batches, those behind position 1; up to 3 they were"));
  EXPECT_EQ(run({}), 0);
}

TEST_F(ProgramTest, a_missing_segment_is_1) {
  write_four();
  restart();
  set("e", "five");
  ASSERT_TRUE(files.remove(segment(0)));
  save();
  EXPECT_EQ(run({}), 1);
  EXPECT_THAT(said, HasSubstr("missing"));
  EXPECT_EQ(run({"--fix"}), 0);
  EXPECT_EQ(saved().count(segment(4) + ".broken-1"), 1U);
  EXPECT_EQ(saved().count(segment(4)), 0U);
}

TEST_F(ProgramTest, a_damaged_snapshot_is_1) {
  write_four();
  write_snapshot(4);
  restart();
  set("e", "five");
  ASSERT_TRUE(files.remove(segment(0)));
  spoil(snapshot(4), "two");
  save();
  EXPECT_EQ(run({}), 1);
  EXPECT_THAT(said, HasSubstr("damaged: " + snapshot(4)));
  EXPECT_EQ(run({}, snapshot(4)), 1);
  EXPECT_EQ(run({"--fix"}), 0);
  EXPECT_THAT(said, AllOf(HasSubstr("3 images that are whole"), HasSubstr("4 keys")));
  EXPECT_EQ(run({}), 0);
}

TEST_F(ProgramTest, a_newer_version_is_2_and_never_changed) {
  write_four();
  restart();
  set("e", "five");
  std::string newer = files.content(segment(4));
  newer[engine::journal::preamble_bytes - 1] = 9;
  files.set_content(segment(4), newer);
  save();
  EXPECT_EQ(run({}), 2);
  EXPECT_THAT(said, HasSubstr("newer version"));
  EXPECT_EQ(run({}, segment(4)), 2);
  spoil(segment(0), "two");
  save();
  const auto before = saved();
  EXPECT_EQ(run({}), 1) << "the damage before it is told";
  EXPECT_EQ(run({"--fix"}), 2);
  EXPECT_THAT(said, AllOf(HasSubstr(segment(4)), HasSubstr("newer version"),
                          HasSubstr("nothing was changed"), Not(HasSubstr("fixed:"))));
  EXPECT_EQ(saved(), before);
}

TEST_F(ProgramTest, what_is_no_journal_is_2) {
  EXPECT_EQ(run({}), 2) << "empty";
  EXPECT_THAT(complained, HasSubstr("holds no journal"));
  EXPECT_EQ(run({"--fix"}), 2);
  EXPECT_THAT(complained, HasSubstr("holds no journal"));
  write_file("readme.txt", "text");
  EXPECT_EQ(run({}), 2);
  EXPECT_EQ(run({"--fix"}), 2);
  EXPECT_EQ(run({}, "nowhere"), 2);
  EXPECT_THAT(complained, HasSubstr("no such file"));
  EXPECT_EQ(run({}, "readme.txt/below"), 2);
  EXPECT_EQ(saved().size(), 1U);
  EXPECT_FALSE(std::filesystem::exists(path + "/lock")) << "looking creates nothing";
}

TEST_F(ProgramTest, a_file_with_other_bytes_is_no_journal) {
  write_file("readme.txt", "some text, much longer than the first bytes of a journal are");
  EXPECT_EQ(run({}, "readme.txt"), 2);
  EXPECT_THAT(said, HasSubstr("no file of a journal"));
  write_file(segment(0), "some text, much longer than the first bytes of a journal are");
  EXPECT_EQ(run({}, segment(0)), 1) << "its name says that it should be one";
  EXPECT_EQ(run({}), 1);
}

TEST_F(ProgramTest, fix_refuses_a_directory_that_a_server_has) {
  write_four();
  spoil(segment(0), "two");
  save();
  const auto before = saved();
  const auto server = engine::PosixFileSystem::open_directory(path);
  ASSERT_TRUE(server.has_value());
  EXPECT_EQ(run({"--fix"}), 2);
  EXPECT_THAT(complained, HasSubstr("a server has"));
  EXPECT_THAT(said, IsEmpty());
  EXPECT_EQ(saved(), before);
  EXPECT_EQ(run({}), 1) << "looking is allowed";
}

TEST_F(ProgramTest, an_end_that_a_server_writes_is_0) {
  write_four();
  spoil(segment(0), "four");
  save();
  const auto server = engine::PosixFileSystem::open_directory(path);
  ASSERT_TRUE(server.has_value());
  EXPECT_EQ(run({}), 0);
  EXPECT_THAT(said, HasSubstr("in use:  a server writes here"));
}

TEST_F(ProgramTest, without_permission_it_is_2) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, to become somebody else";
  write_four();
  spoil(segment(0), "two");
  save();
  const auto before = saved();
  ASSERT_EQ(::chmod(path.c_str(), 0755), 0);
  ASSERT_EQ(::chmod((path + "/" + segment(0)).c_str(), 0600), 0);
  ASSERT_EQ(::seteuid(some_other_user), 0);
  const int of_directory = run({});
  const int of_file = run({}, segment(0));
  const int fixed = run({"--fix"});
  const std::string complained_of_fix = complained;
  ASSERT_EQ(::seteuid(0), 0);
  EXPECT_EQ(of_directory, 2);
  EXPECT_EQ(of_file, 2);
  EXPECT_EQ(fixed, 2);
  EXPECT_THAT(complained_of_fix, HasSubstr("the user that owns"));
  EXPECT_EQ(saved(), before);

  ASSERT_EQ(::chown(path.c_str(), some_other_user, some_other_user), 0);
  EXPECT_EQ(run({"--fix"}), 2) << "not as root either: the server could not read what it writes";
  ASSERT_EQ(::chmod(path.c_str(), 0555), 0);
  ASSERT_EQ(::seteuid(some_other_user), 0);
  const int fixed_read_only = run({"--fix"});
  ASSERT_EQ(::seteuid(0), 0);
  EXPECT_EQ(fixed_read_only, 2);
  EXPECT_THAT(complained, HasSubstr("Permission denied"));
  EXPECT_EQ(saved(), before);
}

TEST_F(ProgramTest, fix_takes_the_directory_alone) {
  write_four();
  save();
  EXPECT_EQ(run({"--fix"}, segment(0)), 2);
  EXPECT_THAT(complained, HasSubstr("not one file of it"));
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--fix", "--list", "x"},
        {"--key", "a", "x"},
        {"--full", "x"},
        {"x", "y"},
        {"--what"},
        {"--list", "--key"},
        {}}) {
    EXPECT_FALSE(check::read_options(arguments).has_value());
  }
}

TEST_F(ProgramTest, lists_and_counts) {
  write_four();
  keyspace.begin_frame(1000);
  keyspace.database(0).remove("b");
  keyspace.end_frame();
  world.append(keyspace.take_batch().bytes);
  save();
  EXPECT_EQ(run({"--list"}), 0);
  EXPECT_THAT(said, AllOf(HasSubstr(segment(0) + ": segment behind position 0"),
                          HasSubstr("batch 2 at "), HasSubstr("put_string 0 \"b\" \"two\""),
                          HasSubstr("remove 0 \"b\" requested"), HasSubstr("whole:")));
  EXPECT_EQ(run({"--list", "--key", "c*"}), 0);
  EXPECT_THAT(said, AllOf(HasSubstr("three"), Not(HasSubstr("two"))));
  EXPECT_EQ(run({"--stats"}, segment(0)), 0);
  EXPECT_THAT(said, AllOf(HasSubstr("keys named    4"), HasSubstr("remove ")));
  EXPECT_EQ(run({"--stats"}), 0);
}

}  // namespace
}  // namespace check_tests
