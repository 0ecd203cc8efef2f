#include "script_bench.hpp"

#include <gtest/gtest.h>

namespace scripting_tests {
namespace {

class SlowScripts : public testing::Test {
 protected:
  SlowScripts() { set_clock_step_us(1'000'000); }
  ~SlowScripts() override { set_clock_step_us(0); }
  void expect_killed(std::string_view script) {
    bench.invoker.kill_when_slow = true;
    const std::string reply = bench.run(script);
    EXPECT_TRUE(reply.starts_with("-ERR Script killed by user with SCRIPT KILL... script: "))
        << reply;
    EXPECT_EQ(bench.run("return 7"), ":7");
  }
  ScriptBench bench;
};

TEST_F(SlowScripts, die_in_an_empty_loop) {
  expect_killed("while true do end");
}
TEST_F(SlowScripts, die_in_repeat) {
  expect_killed("repeat until false");
}
TEST_F(SlowScripts, die_in_a_numeric_loop) {
  expect_killed("for i = 1, 1e15 do end");
}
TEST_F(SlowScripts, die_in_recursion) {
  expect_killed(
      "local function f(n) if n == 0 then return 0 end f(n - 1) return f(n - 1) end f(60)");
}
TEST_F(SlowScripts, die_when_pcall_loops) {
  expect_killed("while true do pcall(function() while true do end end) end");
}
TEST_F(SlowScripts, die_when_xpcall_loops) {
  expect_killed(
      "while true do xpcall(function() while true do end end, function(m) return m end) end");
}
TEST_F(SlowScripts, die_when_coroutines_loop) {
  expect_killed(
      "while true do coroutine.resume(coroutine.create(function() while true do end end)) end");
}
TEST_F(SlowScripts, die_when_only_redis_call_repeats) {
  expect_killed("local function f(...) redis.pcall('ping') return f(...) end f()");
}
TEST_F(SlowScripts, die_in_a_loaded_chunk) {
  expect_killed("loadstring('while true do end')()");
}
TEST_F(SlowScripts, die_when_sorting_calls_back) {
  expect_killed(
      "local t = {} for i = 1, 100 do t[i] = i end "
      "while true do table.sort(t, function(a, b) return a > b end) end");
}

// Each loop has fewer rounds than the countdown of statements.
TEST_F(SlowScripts, die_among_few_calls_that_each_take_long) {
  expect_killed("for i = 1, 500 do string.rep('x', 100000) end");
  expect_killed(
      "local s = string.rep('x', 100000) for i = 1, 500 do string.find(s, 'ab', 1, true) end");
  expect_killed("local s = string.rep('x', 100000) for i = 1, 500 do redis.sha1hex(s) end");
  expect_killed("local s = string.rep('a=1 ', 1000) for i = 1, 500 do loadstring(s) end");
  expect_killed(
      "local t = {string.byte(string.rep('x', 5000), 1, -1)} "
      "for i = 1, 500 do table.insert(t, 1, 1) table.remove(t, 1) end");
  expect_killed(
      "local t = {string.byte(string.rep('x', 5000), 1, -1)} for i = 1, 500 do table.sort(t) end");
}

TEST_F(SlowScripts, die_in_one_call_that_moves_for_ever) {
  expect_killed("table.insert({1}, -2^31, 5)");
}

TEST_F(SlowScripts, die_while_a_pattern_backtracks) {
  expect_killed("return string.find(string.rep('a', 20000), '.-.-.-.-.-b')");
}

TEST_F(SlowScripts, serve_others_and_go_on_when_nobody_kills) {
  EXPECT_EQ(bench.run("for i = 1, 100000 do end return 'done'"), "$'done'");
  EXPECT_GT(bench.invoker.slow_calls, 0);
  EXPECT_FALSE(bench.engine.is_over_time_limit());
}

TEST_F(SlowScripts, are_never_interrupted_without_a_limit) {
  bench.engine.set_limits({.time_limit_ms = 0, .memory_bytes_max = 1u << 26u});
  EXPECT_EQ(bench.run("for i = 1, 100000 do end return 1"), ":1");
  EXPECT_EQ(bench.invoker.slow_calls, 0);
}

}  // namespace
}  // namespace scripting_tests
