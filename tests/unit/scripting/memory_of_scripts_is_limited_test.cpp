#include "script_bench.hpp"

#include <gtest/gtest.h>

namespace scripting_tests {
namespace {

class MemoryLimit : public testing::Test {
 protected:
  MemoryLimit() { bench.engine.set_limits({.time_limit_ms = 0, .memory_bytes_max = 8u << 20u}); }
  void expect_refused(std::string_view script) {
    const std::string reply = bench.run(script);
    EXPECT_TRUE(reply.starts_with("-ERR not enough memory script: ")) << reply;
    EXPECT_EQ(bench.run("local t = {} for i = 1, 100 do t[i] = 'v' .. i end return t[100]"),
              "$'v100'");
    EXPECT_LT(bench.engine.memory_bytes(), 8u << 20u);
  }
  ScriptBench bench;
};

TEST_F(MemoryLimit, stops_a_table_that_grows) {
  expect_refused("local t = {} while true do t[#t + 1] = 'x' .. #t end");
}
TEST_F(MemoryLimit, stops_one_huge_text) {
  expect_refused("return #string.rep('x', 1e9)");
}
TEST_F(MemoryLimit, stops_doubling) {
  expect_refused("local s = 'x' while true do s = s .. s end");
}
TEST_F(MemoryLimit, stops_a_chunk_that_never_ends) {
  expect_refused("local s = string.rep(' ', 1e5) return load(function() return s end)");
}
TEST_F(MemoryLimit, stops_packing_one_text_many_times) {
  expect_refused(
      "local s, t = string.rep('x', 1e6), {} for i = 1, 100 do t[i] = s end return "
      "cmsgpack.pack(t)");
}
TEST_F(MemoryLimit, can_be_caught_and_leaves_the_state_clean) {
  EXPECT_EQ(bench.run("local ok, e = pcall(string.rep, 'x', 1e9) return {tostring(ok), e}"),
            "*[$'false', $'not enough memory']");
}
TEST_F(MemoryLimit, counts_replies_too) {
  bench.invoker.strings["big"] = std::string(1u << 20u, 'x');
  const std::string reply = bench.run(
      "local t = {} for i = 1, 100 do t[i] = redis.call('get', 'big') .. i end return #t");
  EXPECT_TRUE(reply.starts_with("-ERR not enough memory")) << reply.substr(0, 200);
  EXPECT_EQ(bench.run("return 1"), ":1");
}
TEST_F(MemoryLimit, does_not_stop_many_scripts_with_little_garbage) {
  for (int i = 0; i < 20000; ++i)
    ASSERT_EQ(bench.run("local t = {} for i = 1, 20 do t[i] = KEYS[1] .. i end return #t", {"key"}),
              ":20");
  EXPECT_LT(bench.engine.memory_bytes(), 8u << 20u);
}

}  // namespace
}  // namespace scripting_tests
