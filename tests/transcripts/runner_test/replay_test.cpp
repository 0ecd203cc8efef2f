// The runner itself: that a wrong reply fails, that a missing or a surplus one fails, and that what
// is written may say less than what came only where a matcher says so.
#include "tests/transcripts/runner/replay.hpp"

#include "tests/transcripts/runner/backend.hpp"
#include "tests/transcripts/runner/expectation.hpp"
#include "tests/transcripts/runner/quoting.hpp"
#include "tests/transcripts/runner/resp_value.hpp"
#include "tests/transcripts/runner/transcript.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace transcripts {
namespace {

// Answers each request with the next of the given answers.
class ScriptedBackend final : public Backend {
 public:
  explicit ScriptedBackend(std::vector<std::string> answers) : answers_(std::move(answers)) {}

  BackendResult connect(char /*client*/) override { return {}; }
  BackendResult send(char client, std::string_view bytes) override {
    sent += bytes;
    if (next_ < answers_.size()) waiting_[client] += answers_[next_++];
    return {};
  }
  std::expected<Received, std::string> receive(char client,
                                               std::chrono::milliseconds /*limit*/) override {
    return Received{.bytes = std::exchange(waiting_[client], {}), .closed = closes};
  }
  void disconnect(char /*client*/) override {}
  void advance(std::int64_t ms) override { advanced_ms += ms; }
  BackendResult reset() override { return {}; }

  std::string sent;
  std::int64_t advanced_ms = 0;
  bool closes = false;

 private:
  std::vector<std::string> answers_;
  std::size_t next_ = 0;
  std::map<char, std::string> waiting_;
};

class ReplayTest : public testing::Test {
 protected:
  static Transcript transcript(const std::string& text) {
    const auto file = std::filesystem::path(testing::TempDir()) / "runner_test.resp";
    std::ofstream(file) << "# a transcript\n" << text;
    auto loaded = load_transcript(file);
    std::filesystem::remove(file);
    EXPECT_TRUE(loaded) << loaded.error();
    return loaded ? std::move(*loaded) : Transcript{};
  }
  static bool passes(const std::string& text, std::vector<std::string> answers) {
    ScriptedBackend backend(std::move(answers));
    const Transcript loaded = transcript(text);
    return Replay(loaded, backend, "tcp", Replay::Mode::check).run().has_value();
  }
  static bool matches(const std::string& line, const std::string& reply) {
    return passes("A> PING\nA< " + line + "\n", {reply});
  }
};

TEST_F(ReplayTest, an_exact_element_is_compared_whole) {
  EXPECT_TRUE(matches("+OK", "+OK\r\n"));
  EXPECT_FALSE(matches("+OK", "+OKAY\r\n"));
  EXPECT_FALSE(matches("+OK", "$2\r\nOK\r\n"));
  EXPECT_TRUE(matches("\"a\\x00b\"", std::string("$3\r\na\0b\r\n", 9)));
  EXPECT_FALSE(matches("\"\"", "$-1\r\n"));
  EXPECT_TRUE(matches("$-1", "$-1\r\n"));
  EXPECT_FALSE(matches("$-1", "*-1\r\n"));
  EXPECT_FALSE(matches("$-1", "_\r\n"));
  EXPECT_TRUE(matches("-\"ERR x \"", "-ERR x \r\n"));
}

TEST_F(ReplayTest, a_range_holds_its_bounds) {
  EXPECT_TRUE(matches(":(1..3)", ":1\r\n"));
  EXPECT_TRUE(matches(":(1..3)", ":3\r\n"));
  EXPECT_FALSE(matches(":(1..3)", ":0\r\n"));
  EXPECT_FALSE(matches(":(1..3)", ":4\r\n"));
  EXPECT_TRUE(matches(":(-2..)", ":9223372036854775807\r\n"));
  EXPECT_FALSE(matches(":(1..3)", "$1\r\n2\r\n"));
}

TEST_F(ReplayTest, a_prefix_is_for_texts_of_its_own_kind) {
  EXPECT_TRUE(matches("-ERR a*", "-ERR abc\r\n"));
  EXPECT_FALSE(matches("-ERR a*", "+ERR abc\r\n"));
  EXPECT_FALSE(matches("-ERR ab*", "-ERR a\r\n"));
  EXPECT_TRUE(matches("\"ab\"*", "$3\r\nabc\r\n"));
}

TEST_F(ReplayTest, order_counts_unless_a_tilde_says_otherwise) {
  const std::string reply = "*2\r\n:1\r\n:2\r\n";
  EXPECT_TRUE(passes("A> X\nA< *2\nA<   :1\nA<   :2\n", {reply}));
  EXPECT_FALSE(passes("A> X\nA< *2\nA<   :2\nA<   :1\n", {reply}));
  EXPECT_TRUE(passes("A> X\nA< ~*2\nA<   :2\nA<   :1\n", {reply}));
  EXPECT_FALSE(passes("A> X\nA< ~*2\nA<   :2\nA<   :2\n", {reply}));
  EXPECT_FALSE(passes("A> X\nA< *1\nA<   :1\n", {reply}));
  // In a map a key keeps its value.
  const std::string map = "%2\r\n+a\r\n:1\r\n+b\r\n:2\r\n";
  EXPECT_TRUE(passes("A> X\nA< ~%2\nA< +b\nA< :2\nA< +a\nA< :1\n", {map}));
  EXPECT_FALSE(passes("A> X\nA< ~%2\nA< +b\nA< :1\nA< +a\nA< :2\n", {map}));
}

TEST_F(ReplayTest, a_missing_or_surplus_reply_fails) {
  EXPECT_FALSE(passes("A> PING\nA< +PONG\n", {}));
  EXPECT_FALSE(passes("A> PING\nA< +PONG\n", {"+PONG\r\n+PONG\r\n"}));
  EXPECT_FALSE(passes("A> PING\n@expect-silence A\n", {"+PONG\r\n"}));
  EXPECT_FALSE(passes("A> PING\n@expect-silence A\n", {"+PO"}));
  EXPECT_FALSE(passes("A> PING\n@expect-closed A\n", {"+PONG\r\n"}));
  EXPECT_FALSE(passes("A> PING\nA< +PONG\n", {"?what\r\n"}));
}

TEST_F(ReplayTest, captures_go_into_requests_and_replies) {
  ScriptedBackend backend({":42\r\n", ":42\r\n", ":43\r\n"});
  const Transcript loaded =
      transcript("A> ID\nA< :(1..) as id\nA> KILL <id>\nA< :<id>\nA> X <other>\nA< :(<id>..)\n");
  EXPECT_TRUE(Replay(loaded, backend, "tcp", Replay::Mode::check).run());
  EXPECT_NE(backend.sent.find("$2\r\n42\r\n"), std::string::npos);
  EXPECT_NE(backend.sent.find("$7\r\n<other>\r\n"), std::string::npos);
}

TEST_F(ReplayTest, a_skip_ends_the_file_for_its_backend_only) {
  const std::string text = "A> PING\nA< +PONG\n@skip tcp: why\n@advance 5ms\n";
  ScriptedBackend backend({"+PONG\r\n"});
  const Transcript loaded = transcript(text);
  EXPECT_TRUE(loaded.runs_on("tcp"));
  EXPECT_TRUE(Replay(loaded, backend, "tcp", Replay::Mode::check).run());
  EXPECT_EQ(backend.advanced_ms, 0);
  ScriptedBackend other({"+PONG\r\n"});
  EXPECT_TRUE(Replay(loaded, other, "redis", Replay::Mode::check).run());
  EXPECT_EQ(other.advanced_ms, 5);
  EXPECT_FALSE(transcript("@skip tcp: why\nA> PING\n").runs_on("tcp"));
}

TEST_F(ReplayTest, recording_keeps_what_matched_and_writes_what_came) {
  ScriptedBackend backend({":7\r\n", "*2\r\n$1\r\na\r\n:1\r\n"});
  const Transcript loaded = transcript("A> ONE\nA< :(1..9)\nA> TWO\nA< ?\n");
  Replay replay(loaded, backend, "tcp", Replay::Mode::record);
  ASSERT_TRUE(replay.run());
  const std::vector<std::string> expected = {"# a transcript", "A> ONE",     "A< :(1..9)", "A> TWO",
                                             "A< *2",          "A<   \"a\"", "A<   :1"};
  EXPECT_EQ(replay.recorded(), expected);
}

TEST_F(ReplayTest, arguments_are_quoted_as_in_redis_cli) {
  EXPECT_EQ(split_arguments("SET \"a b\" 'c\\'d' e\"f").value(),
            (std::vector<std::string>{"SET", "a b", "c'd", "e\"f"}));
  EXPECT_EQ(split_arguments("\"\\x00\\xff\\n\\q\"").value().front(), std::string("\0\xff\nq", 4));
  EXPECT_FALSE(split_arguments("\"open"));
  EXPECT_FALSE(split_arguments("\"closed\"x"));
  EXPECT_EQ(read_raw_bytes("\"ab\"*3 \"c\"").value(), "abababc");
}

TEST_F(ReplayTest, torn_replies_are_put_together) {
  const std::string reply = "*2\r\n$5\r\nhello\r\n%1\r\n+k\r\n*-1\r\n";
  RespReader reader;
  for (std::size_t i = 0; i + 1 < reply.size(); ++i) {
    reader.feed(reply.substr(i, 1));
    const auto element = reader.next();
    ASSERT_TRUE(element);
    EXPECT_FALSE(*element);
  }
  reader.feed("\n");
  const auto element = reader.next();
  ASSERT_TRUE(element && *element);
  EXPECT_EQ(written_lines(**element),
            (std::vector<std::string>{"*2", "  \"hello\"", "  %1", "    +k", "    *-1"}));
  EXPECT_TRUE(reader.pending().empty());
}

}  // namespace
}  // namespace transcripts
