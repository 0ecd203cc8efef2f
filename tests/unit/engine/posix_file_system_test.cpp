#include "engine/posix_file_system.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <unistd.h>

namespace {

using engine::OpenMode;
using engine::PosixFileSystem;
using testing::IsEmpty;

class PosixFileSystemTest : public testing::Test {
 protected:
  PosixFileSystemTest() { std::filesystem::remove_all(path); }
  ~PosixFileSystemTest() override { std::filesystem::remove_all(path); }
  PosixFileSystemTest(const PosixFileSystemTest&) = delete;
  PosixFileSystemTest& operator=(const PosixFileSystemTest&) = delete;

  const std::string path =
      testing::TempDir() + "mortise-posix-file-system-test-" + std::to_string(::getpid());
};

TEST_F(PosixFileSystemTest, one_process_has_a_directory_and_others_may_look) {
  auto owner = PosixFileSystem::open_directory(path);
  ASSERT_TRUE(owner.has_value());
  EXPECT_EQ(PosixFileSystem::open_directory(path).error(), std::errc::operation_would_block);
  const auto file = (*owner)->open("a", OpenMode::create);
  ASSERT_TRUE(file.has_value());
  ASSERT_TRUE((*file)->write_at(0, "text").has_value());

  const auto visitor = PosixFileSystem::look_into(path);
  ASSERT_TRUE(visitor.has_value());
  EXPECT_EQ((*visitor)->is_in_use(), true);
  const auto read = (*visitor)->open("a", OpenMode::read);
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ((*read)->size(), 4U);
  owner->reset();
  EXPECT_EQ((*visitor)->is_in_use(), false);
  EXPECT_TRUE(PosixFileSystem::open_directory(path).has_value()) << "looking holds no lock";
}

TEST_F(PosixFileSystemTest, looking_creates_nothing) {
  EXPECT_EQ(PosixFileSystem::look_into(path).error(), std::errc::no_such_file_or_directory);
  EXPECT_FALSE(std::filesystem::exists(path));
  std::filesystem::create_directory(path);
  const auto visitor = PosixFileSystem::look_into(path);
  ASSERT_TRUE(visitor.has_value());
  EXPECT_EQ((*visitor)->is_in_use(), false);
  EXPECT_THAT((*visitor)->list().value(), IsEmpty());
}

}  // namespace
