// A start that cannot take over the journal names the file, and what helps with this kind of
// trouble.
#include "engine/journal_format.hpp"
#include "server/config.hpp"
#include "server/core.hpp"
#include "server/journal.hpp"
#include "tests/unit/server/memory_machine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace server {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ARefusedStart : public testing::Test {
 protected:
  ARefusedStart() { log.silence(); }
  static Config& journalled(Config& config) {
    EXPECT_TRUE(config.assign("appendonly", "yes"));
    return config;
  }
  void write_segment(engine::Position position, std::uint8_t version) {
    std::string bytes;
    engine::journal::write_preamble(bytes);
    bytes.back() = static_cast<char>(version);
    engine::journal::write_head(bytes, {engine::journal::FileKind::segment, position, {}});
    engine::journal::write_batch(bytes, {position + 1, position, 0, 0, ""});
    name = engine::journal::file_name(engine::journal::FileKind::segment, position);
    machine.files.set_content(name, bytes);
  }
  StartError open() {
    const auto opened = journal.open(core.keyspace(), [] { return true; });
    EXPECT_FALSE(opened.has_value());
    return opened ? StartError{} : opened.error();
  }

  std::string name;
  MemoryMachine machine;
  Config config;
  Log log;
  Journal journal{journalled(config).server(), log, machine};
  Core core{config, log, machine.clock(), journal.commit_log(), 1};
};

TEST_F(ARefusedStart, ForDamageNamesTheCheck) {
  write_segment(5, engine::journal::version);
  const StartError error = open();
  EXPECT_THAT(error.reason,
              AllOf(HasSubstr("/appendonlydir/" + name + " at offset 0"), HasSubstr("missing")));
  EXPECT_THAT(error.hint, AllOf(HasSubstr("mortise-check /"), HasSubstr("--fix")));
}

TEST_F(ARefusedStart, ForANewerVersionNamesThat) {
  write_segment(0, engine::journal::version + 1);
  const StartError error = open();
  EXPECT_THAT(error.reason, HasSubstr("newer version"));
  EXPECT_THAT(error.hint, AllOf(HasSubstr("the version that wrote it"), Not(HasSubstr("fix"))));
}

TEST_F(ARefusedStart, ForADiskThatFailsNamesTheDisk) {
  write_segment(0, engine::journal::version);
  machine.files.count_reads(true);
  machine.files.fail_from(0, std::errc::io_error);
  const StartError error = open();
  EXPECT_THAT(error.hint, AllOf(HasSubstr("disk"), Not(HasSubstr("mortise-check"))));
}

}  // namespace
}  // namespace server
