// Clients that wait for keys (BLPOP and kin): in order, once, at little cost, with nothing lost.
#include "tests/unit/server/server_in_process.hpp"

#include <string>
#include <vector>

namespace server {
namespace {

using ListWaiters = ServerInProcess;

constexpr std::string_view one_of_k = "*2\r\n$1\r\nk\r\n$1\r\n1\r\n";

TEST_F(ListWaiters, AreHeldUntilTheirKeyComes) {
  Session& waiter = connect();
  Session& feeder = connect();
  EXPECT_EQ(say(waiter, "BLPOP k 0\r\nPING\r\n"), "");
  EXPECT_FALSE(core.next_check_us());
  EXPECT_EQ(say(feeder, "RPUSH k 1\r\n"), ":1\r\n");
  core.run_turn();
  EXPECT_EQ(hear(waiter), std::string(one_of_k) + "+PONG\r\n");
  EXPECT_EQ(say(feeder, "EXISTS k\r\n"), ":0\r\n");
}

TEST_F(ListWaiters, TimeOutToTheMillisecond) {
  Session& first = connect();
  Session& second = connect();
  say(second, "BLPOP k 0.251\r\n");
  say(first, "BLPOP k 0.25\r\n");
  ASSERT_TRUE(core.next_check_us());
  EXPECT_EQ(*core.next_check_us(), clock.monotonic_us() + 250'000);
  advance_ms(249);
  EXPECT_EQ(hear(first), "");
  advance_ms(1);
  EXPECT_EQ(hear(first), "*-1\r\n");
  EXPECT_EQ(hear(second), "");
  advance_ms(1);
  EXPECT_EQ(hear(second), "*-1\r\n");
  EXPECT_FALSE(core.next_check_us());
  EXPECT_EQ(say(first, "RPUSH k 1\r\n"), ":1\r\n");
  EXPECT_EQ(say(first, "LLEN k\r\n"), ":1\r\n") << "nobody waits any more";
}

TEST_F(ListWaiters, ServedInTimeNeverTimeOut) {
  Session& waiter = connect();
  Session& feeder = connect();
  say(waiter, "BLPOP k 1\r\n");
  say(feeder, "RPUSH k 1\r\n");
  EXPECT_EQ(hear(waiter), one_of_k);
  EXPECT_FALSE(core.next_check_us());
  say(waiter, "BLPOP k 5\r\n");
  advance_ms(1500);
  EXPECT_EQ(hear(waiter), "");
  advance_ms(3500);
  EXPECT_EQ(hear(waiter), "*-1\r\n");
}

TEST_F(ListWaiters, LoseNothingWhenTheyGoInTheTurnThatFeedsThem) {
  Session& waiter = connect();
  Session& killed = connect();
  Session& next = connect();
  Session& feeder = connect();
  say(waiter, "BLPOP k 0\r\n");
  say(killed, "BLPOP k 0\r\n");
  say(next, "BLPOP k 0\r\n");
  // All before the end of the turn.
  waiter.hang_up();
  const std::string id = std::to_string(killed.client().id());
  feeder.feed("CLIENT KILL ID " + id + "\r\nRPUSH k 1\r\n");
  core.end_turn();
  EXPECT_EQ(hear(next), one_of_k);
}

TEST_F(ListWaiters, OfOneKeyCostLittleWhenThereAreMany) {
  constexpr int count = 10'000;
  std::vector<Session*> waiters;
  for (int i = 0; i < count; ++i) {
    waiters.push_back(&connect());
    waiters.back()->feed("BLPOP k 3600\r\n");
  }
  Session& feeder = connect();
  for (int i = 0; i < count; ++i) {
    feeder.feed("RPUSH k 1\r\n");
    core.end_turn();
    ASSERT_EQ(waiters[static_cast<std::size_t>(i)]->take_output(), one_of_k) << i;
  }
  EXPECT_FALSE(core.next_check_us());
}

TEST_F(ListWaiters, OfManyKeysCostLittle) {
  std::string request = "BLPOP";
  for (int key = 0; key < 1000; ++key) request += " k" + std::to_string(key);
  request += " 0\r\n";
  Session& waiter = connect();
  Session& feeder = connect();
  for (int round = 0; round < 100; ++round) {
    waiter.feed(request);
    feeder.feed("RPUSH k" + std::to_string(round * 7) + " 1\r\n");
    core.end_turn();
    ASSERT_NE(waiter.take_output(), "") << round;
    while (core.run_turn()) {
    }
  }
  EXPECT_TRUE(core.keyspace().waiters().is_empty());
}

TEST_F(ListWaiters, AreServedWhenMemoryIsFull) {
  Session& waiter = connect();
  Session& feeder = connect();
  say(waiter, "BLMOVE k d LEFT LEFT 0\r\n");
  // The push was granted; what it fed moves on, whatever the limit says by then.
  feeder.feed("MULTI\r\nRPUSH k 1\r\nCONFIG SET maxmemory 1\r\nEXEC\r\n");
  core.end_turn();
  EXPECT_EQ(hear(waiter), "$1\r\n1\r\n");
  static_cast<void>(hear(feeder));
  EXPECT_EQ(say(feeder, "RPUSH k 1\r\n"),
            "-OOM command not allowed when used memory > 'maxmemory'.\r\n");
  EXPECT_EQ(say(waiter, "BLMOVE d e LEFT LEFT 0\r\n"),
            "-OOM command not allowed when used memory > 'maxmemory'.\r\n");
  EXPECT_EQ(say(waiter, "BLPOP d 0\r\n"), "*2\r\n$1\r\nd\r\n$1\r\n1\r\n");
}

TEST_F(ListWaiters, AreCounted) {
  Session& waiter = connect();
  Session& other = connect();
  say(waiter, "BLPOP k 10\r\n");
  EXPECT_NE(say(other, "INFO clients\r\n").find("blocked_clients:1\r\n"), std::string::npos);
  EXPECT_NE(say(other, "CLIENT LIST\r\n").find("flags=b "), std::string::npos);
  say(other, "RPUSH k 1\r\n");
  EXPECT_NE(say(other, "INFO clients\r\n").find("blocked_clients:0\r\n"), std::string::npos);
}

}  // namespace
}  // namespace server
