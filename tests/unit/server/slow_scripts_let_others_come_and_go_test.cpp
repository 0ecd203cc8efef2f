// While a script is slow others are served from within it: input arrives for the very connection
// that runs it, and connections end that were next in line.
#include "base/clock.hpp"
#include "engine/commit_log.hpp"
#include "server/config.hpp"
#include "server/core.hpp"
#include "server/log.hpp"

#include <gtest/gtest.h>

#include <string>

namespace server {
namespace {

// Each look at it takes a millisecond.
class TickingClock final : public base::Clock {
 public:
  [[nodiscard]] std::int64_t lease_ms() const override { return now_us_ / 1000; }
  [[nodiscard]] std::int64_t wall_us() const override { return now_us_; }
  [[nodiscard]] std::int64_t monotonic_us() const override { return now_us_ += 1000; }
  [[nodiscard]] std::int64_t boottime_us() const override { return monotonic_us(); }
  [[nodiscard]] std::string boot_id() const override { return "ticking"; }

 private:
  mutable std::int64_t now_us_ = 1'700'000'000'000'000;
};

class SlowScripts : public testing::Test {
 protected:
  SlowScripts() {
    log.silence();
    core.open_session().feed("CONFIG SET lua-time-limit 10\r\n");
  }
  // Blocks, so that what follows is kept and runs in a later turn.
  static constexpr const char* wait = "WAIT 1 1\r\n";
  static constexpr const char* loop = "EVAL \"while true do end\" 0\r\n";

  void run_until_quiet() {
    for (int i = 0; i < 100; ++i) core.run_turn();
  }

  TickingClock clock;
  Config config;
  Log log;
  engine::NoneCommitLog commit_log;
  Core core{config, log, clock, commit_log, 1};
};

TEST_F(SlowScripts, KeepTheirOwnConnectionsInputInOrder) {
  Session& runner = core.open_session();
  Session& other = core.open_session();
  runner.feed(std::string(wait) + loop + "ECHO 1\r\n");
  core.set_serve_others([&] {
    runner.feed("ECHO " + std::string(10'000, '2') + "\r\n");
    runner.feed("ECHO 3\r\n");
    other.feed("SCRIPT KILL\r\n");
    core.end_turn();
  });
  run_until_quiet();
  const std::string heard = runner.take_output();
  EXPECT_TRUE(heard.starts_with(":0\r\n-ERR Script killed")) << heard.substr(0, 100);
  const std::string rest = heard.substr(heard.find("\r\n", 4) + 2);
  EXPECT_EQ(rest, "$1\r\n1\r\n$10000\r\n" + std::string(10'000, '2') + "\r\n$1\r\n3\r\n");
}

TEST_F(SlowScripts, LoseThoseWhoWereNextInLine) {
  Session& runner = core.open_session();
  Session& next = core.open_session();
  Session& other = core.open_session();
  const std::int64_t next_id = next.client().id();
  runner.feed(std::string(wait) + loop);
  next.feed(std::string(wait) + "PING\r\n");
  core.set_serve_others([&] {
    if (core.clients().find(next_id) != nullptr) next.hang_up();
    other.feed("SCRIPT KILL\r\n");
    core.end_turn();
  });
  run_until_quiet();
  EXPECT_TRUE(runner.take_output().starts_with(":0\r\n-ERR Script killed"));
  EXPECT_EQ(core.clients().find(next_id), nullptr);
}

// Without end each: one killed script must not make room for the next.
TEST_F(SlowScripts, EndWithTheProcessHoweverManyWaitInLine) {
  Session& runner = core.open_session();
  Session& other = core.open_session();
  core.set_serve_others([&] {
    other.feed(loop);
    core.shutdown(commands::ShutdownMode::orderly);
  });
  runner.feed(std::string("MULTI\r\n") + loop + loop + "EXEC\r\n" + loop + loop);
  run_until_quiet();
  EXPECT_TRUE(core.is_stopping());
  other.feed(loop);
  run_until_quiet();
}

}  // namespace
}  // namespace server
