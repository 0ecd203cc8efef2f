// EVALSHA and FCALL after a restart: what commands did to the script cache and to the function
// libraries is in the frames, and frames alone rebuild both.
#include "engine/frame_reader.hpp"
#include "tests/support/command_fixture.hpp"

#include <gmock/gmock.h>

#include <memory>

namespace {

using engine::Mutation;
using engine::MutationKind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// The process after the restart.
class Restarted : public tests::CommandFixture {
 public:
  using CommandFixture::keyspace;
  using CommandFixture::run;
  using CommandFixture::server;
  void TestBody() override {}
};

class ScriptsOutliveTheProcess : public tests::CommandFixture {
 protected:
  ScriptsOutliveTheProcess() { keyspace.set_frames_wanted(true); }

  // The kinds recorded since the last call, frame by frame; reservations of tokens left out.
  std::vector<std::vector<MutationKind>> recorded() {
    std::vector<std::vector<MutationKind>> frames;
    const engine::Batch batch = keyspace.take_batch();
    journal_ += batch.bytes;
    for (std::string_view bytes = batch.bytes; !bytes.empty();) {
      engine::FrameReader reader(bytes);
      auto& kinds = frames.emplace_back();
      Mutation mutation(MutationKind::flush);
      while (reader.next(mutation)) {
        if (mutation.kind != MutationKind::reserve_tokens) kinds.push_back(mutation.kind);
      }
      EXPECT_FALSE(reader.damaged());
      bytes = reader.rest();
    }
    return frames;
  }

  std::unique_ptr<Restarted> restart() {
    recorded();
    auto next = std::make_unique<Restarted>();
    EXPECT_TRUE(next->keyspace.replay(journal_));
    return next;
  }

  // What a snapshot would hold, as one frame.
  static std::string image_of(const engine::Keyspace& keyspace) {
    std::string body;
    keyspace.script_state()->for_each(
        [&](const Mutation& mutation) { engine::encode(mutation, body); });
    std::string frame;
    engine::encode_frame(0, body, frame);
    return frame;
  }

  std::string load_library(const std::string& name, const std::string& function, int answer) {
    return run({"FUNCTION", "LOAD", "REPLACE", code(name, function, answer)});
  }
  static std::string code(const std::string& name, const std::string& function, int answer) {
    return "#!lua name=" + name + "\nredis.register_function('" + function +
           "', function() return " + std::to_string(answer) + " end)";
  }
  // A bulk string's bytes.
  static std::string content(const std::string& reply) {
    const std::size_t start = reply.find(' ') + 1;
    return reply.substr(start, std::stoul(reply.substr(1)));
  }

  static constexpr const char* sha_of_return_1 = "e0e1f9fabfc9d4800c877a703b823ac0578ff8db";

 private:
  std::string journal_;
};

TEST_F(ScriptsOutliveTheProcess, WhatIsCachedAnswersEvalsha) {
  EXPECT_EQ(run({"SCRIPT", "LOAD", "return 1"}), "$40 " + std::string(sha_of_return_1));
  EXPECT_THAT(recorded(), ElementsAre(ElementsAre(MutationKind::load_script)));
  EXPECT_EQ(run({"EVAL", "return {KEYS[1], ARGV[1]}", "1", "k", "a"}), "*2 $1 k $1 a");
  EXPECT_THAT(recorded(), ElementsAre(ElementsAre(MutationKind::load_script)));
  EXPECT_EQ(run({"EVAL_RO", "return 3", "0"}), ":3");
  EXPECT_THAT(recorded(), ElementsAre(ElementsAre(MutationKind::load_script)));
  const auto next = restart();
  EXPECT_EQ(next->run({"EVALSHA", sha_of_return_1, "0"}), ":1");
  EXPECT_EQ(next->run({"SCRIPT", "EXISTS", sha_of_return_1}), "*1 :1");
  next->keyspace.set_frames_wanted(true);
  EXPECT_EQ(next->run({"EVAL", "return 3", "0"}), ":3");
  EXPECT_TRUE(next->keyspace.take_batch().empty()) << "it is in the cache";
}

TEST_F(ScriptsOutliveTheProcess, NothingIsRecordedOfWhatChangesNothing) {
  run({"SCRIPT", "LOAD", "return 1"});
  recorded();
  run({"SCRIPT", "LOAD", "return 1"});
  run({"EVAL", "return 1", "0"});
  run({"EVALSHA", sha_of_return_1, "0"});
  run({"EVAL", "return return", "0"});
  run({"SCRIPT", "LOAD", "#!lua flags=nosuch\nreturn 1"});
  run({"FUNCTION", "LOAD", "#!lua name=lib\nnosuch()"});
  run({"FUNCTION", "DELETE", "nosuch"});
  EXPECT_THAT(recorded(), IsEmpty());
  run({"SCRIPT", "FLUSH"});
  recorded();
  run({"SCRIPT", "FLUSH"});
  EXPECT_THAT(recorded(), IsEmpty());
}

TEST_F(ScriptsOutliveTheProcess, AScriptJoinsTheFrameOfItsEffects) {
  run({"EVAL", "return redis.call('set', KEYS[1], 'v')", "1", "k"});
  EXPECT_THAT(recorded(),
              ElementsAre(ElementsAre(MutationKind::load_script, MutationKind::put_string)));
  run("MULTI");
  run({"EVAL", "return redis.call('set', KEYS[1], 'w')", "1", "k"});
  run({"SCRIPT", "LOAD", "return 1"});
  run("EXEC");
  EXPECT_THAT(recorded(),
              ElementsAre(ElementsAre(MutationKind::load_script, MutationKind::put_string,
                                      MutationKind::load_script)));
}

TEST_F(ScriptsOutliveTheProcess, AFlushedCacheIsEmpty) {
  run({"SCRIPT", "LOAD", "return 1"});
  run({"SCRIPT", "FLUSH"});
  run({"SCRIPT", "LOAD", "return 2"});
  const auto next = restart();
  EXPECT_EQ(
      next->run({"SCRIPT", "EXISTS", sha_of_return_1, "7f923f79fe76194c868d7e1d0820de36700eb649"}),
      "*2 :0 :1");
  EXPECT_THAT(next->run({"EVALSHA", sha_of_return_1, "0"}), StartsWith("-NOSCRIPT"));
}

TEST_F(ScriptsOutliveTheProcess, ACachedScriptIsNoWrite) {
  const std::uint64_t changes = keyspace.counters().changes;
  run("WATCH k");
  run({"SCRIPT", "LOAD", "return 1"});
  run({"EVAL", "return 2", "0"});
  run({"SCRIPT", "FLUSH"});
  EXPECT_EQ(keyspace.counters().changes, changes);
  load_library("lib", "f", 1);
  EXPECT_EQ(keyspace.counters().changes, changes + 1) << "as in Redis";
  run("MULTI");
  run("PING");
  EXPECT_EQ(run("EXEC"), "*1 +PONG");
  keyspace.set_limits({.bytes_max = 1});
  EXPECT_THAT(run({"EVAL", "return redis.call('set', KEYS[1], 'v')", "1", "k"}), HasSubstr("OOM"));
}

TEST_F(ScriptsOutliveTheProcess, FunctionsCanBeCalled) {
  load_library("lib", "f", 1);
  load_library("lib", "f", 2);
  load_library("gone", "g", 3);
  run("FUNCTION DELETE gone");
  const auto next = restart();
  EXPECT_EQ(next->run("FCALL f 0"), ":2");
  EXPECT_EQ(next->run("FCALL g 0"), "-ERR Function not found");
  EXPECT_EQ(next->run("SCRIPT FLUSH"), "+OK");
  EXPECT_EQ(next->run("FCALL f 0"), ":2");
  run("FUNCTION FLUSH");
  EXPECT_EQ(restart()->run("FCALL f 0"), "-ERR Function not found");
}

TEST_F(ScriptsOutliveTheProcess, RestoredLibrariesMayHaveExchangedTheirFunctions) {
  load_library("one", "f", 1);
  load_library("two", "g", 2);
  const std::string payload = content(run("FUNCTION DUMP"));
  run("FUNCTION FLUSH");
  load_library("one", "g", 3);
  load_library("two", "f", 4);
  load_library("three", "h", 5);
  recorded();
  EXPECT_EQ(run({"FUNCTION", "RESTORE", payload, "REPLACE"}), "+OK");
  EXPECT_THAT(recorded(),
              ElementsAre(ElementsAre(MutationKind::remove_library, MutationKind::remove_library,
                                      MutationKind::put_library, MutationKind::put_library)));
  const auto next = restart();
  EXPECT_EQ(next->run("FCALL f 0"), ":1");
  EXPECT_EQ(next->run("FCALL g 0"), ":2");
  EXPECT_EQ(next->run("FCALL h 0"), ":5");
  EXPECT_EQ(run({"FUNCTION", "RESTORE", payload, "FLUSH"}), "+OK");
  EXPECT_EQ(restart()->run("FCALL h 0"), "-ERR Function not found");
  EXPECT_THAT(run({"FUNCTION", "RESTORE", payload, "APPEND"}), HasSubstr("already exists"));
  EXPECT_THAT(recorded(), IsEmpty());
}

TEST_F(ScriptsOutliveTheProcess, ASnapshotHoldsThemAll) {
  run({"SCRIPT", "LOAD", "return 1"});
  load_library("one", "f", 1);
  load_library("two", "g", 2);
  Restarted next;
  ASSERT_TRUE(next.keyspace.replay(image_of(keyspace)));
  EXPECT_EQ(next.run({"EVALSHA", sha_of_return_1, "0"}), ":1");
  EXPECT_EQ(next.run("FCALL f 0"), ":1");
  EXPECT_EQ(next.run("FCALL g 0"), ":2");
}

TEST_F(ScriptsOutliveTheProcess, WhatNoLongerLoadsIsSaidAndKeptAsText) {
  std::string body;
  Mutation script(MutationKind::load_script);
  script.value = "return return";
  Mutation library(MutationKind::put_library);
  library.key = "lib";
  library.value = "#!lua name=lib\nof_another_version()";
  engine::encode(script, body);
  engine::encode(library, body);
  std::string frame;
  engine::encode_frame(0, body, frame);
  Restarted next;
  ASSERT_TRUE(next.keyspace.replay(frame));
  EXPECT_THAT(next.server.logged,
              ElementsAre(HasSubstr("no longer compiles"), HasSubstr("library 'lib'")));
  EXPECT_EQ(next.run("FUNCTION LIST"), "*0");
  const std::string image = image_of(next.keyspace);
  EXPECT_THAT(image, HasSubstr("of_another_version"));
  EXPECT_THAT(image, testing::Not(HasSubstr("return return")));
  EXPECT_EQ(next.run({"FUNCTION", "LOAD", code("lib", "f", 1)}), "$3 lib");
  EXPECT_THAT(image_of(next.keyspace), testing::Not(HasSubstr("of_another_version")));
  ASSERT_TRUE(next.keyspace.replay(frame));
  EXPECT_EQ(next.run("FCALL f 0"), "-ERR Function not found") << "it was replaced";
  EXPECT_EQ(next.run("FUNCTION DELETE lib"), "+OK");
  EXPECT_EQ(next.run("FUNCTION DELETE lib"), "-ERR Library not found");
  ASSERT_TRUE(next.keyspace.replay(frame));
  next.run("FUNCTION FLUSH");
  EXPECT_THAT(image_of(next.keyspace), testing::Not(HasSubstr("of_another_version")));
}

TEST_F(ScriptsOutliveTheProcess, FramesThatDoNotFitAreRefused) {
  const auto replay = [](Mutation mutation) {
    std::string body;
    engine::encode(mutation, body);
    std::string frame;
    engine::encode_frame(0, body, frame);
    return Restarted().keyspace.replay(frame);
  };
  Mutation removal(MutationKind::remove_library);
  removal.key = "nosuch";
  EXPECT_FALSE(replay(removal));
  const std::string text = code("lib", "f", 1);
  Mutation misnamed(MutationKind::put_library);
  misnamed.key = "other";
  misnamed.value = text;
  EXPECT_FALSE(replay(misnamed));
  misnamed.key = "lib";
  EXPECT_TRUE(replay(misnamed));
}

}  // namespace
