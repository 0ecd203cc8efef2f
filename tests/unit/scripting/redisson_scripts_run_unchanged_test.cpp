// The idioms that lock clients' scripts use, each where plain Lua 5.4 would go wrong.
#include "script_bench.hpp"

#include <gtest/gtest.h>

namespace scripting_tests {
namespace {

class RedissonScripts : public testing::Test {
 protected:
  ScriptBench bench;
};

TEST_F(RedissonScripts, take_a_free_lock_and_refuse_another_owner) {
  constexpr std::string_view acquire =
      "if (redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[2]) == 1) "
      "then "
      "redis.call('hset', KEYS[1], ARGV[2], 1); redis.call('pexpire', KEYS[1], ARGV[1]); return "
      "nil; "
      "end; return redis.call('pttl', KEYS[1]);";
  EXPECT_EQ(bench.run(acquire, {"lock"}, {"30000", "me:1"}), "$-1");
  EXPECT_EQ(bench.run(acquire, {"lock"}, {"30000", "me:1"}), "$-1");
  EXPECT_EQ(bench.run(acquire, {"lock"}, {"30000", "you:1"}), ":29999");
}

TEST_F(RedissonScripts, compare_a_number_with_text_in_math_max) {
  bench.invoker.record_calls = true;
  bench.run(
      "local left = redis.call('pttl', KEYS[1]); redis.call('pexpire', KEYS[1], "
      "math.max(left, ARGV[1]))",
      {"lock"}, {"30000"});
  ASSERT_EQ(bench.invoker.calls.size(), 2u);
  EXPECT_EQ(bench.invoker.calls[1][2], "30000");
}

TEST_F(RedissonScripts, count_down_from_a_text_reply_without_fractions) {
  bench.invoker.hashes["lock"]["me"] = "2";
  EXPECT_EQ(bench.run("local counter = redis.call('hget', KEYS[1], 'me') local names = {} "
                      "for c = counter, 1, -1 do table.insert(names, KEYS[1] .. ':' .. c) end "
                      "return names",
                      {"lock"}),
            "*[$'lock:2', $'lock:1']");
}

TEST_F(RedissonScripts, join_integer_replies_into_keys) {
  EXPECT_EQ(bench.run("local n = redis.call('incr', 'n') return KEYS[1] .. ':' .. (n + 1)", {"k"}),
            "$'k:2'");
}

TEST_F(RedissonScripts, add_text_and_pass_the_sum_as_an_argument) {
  bench.invoker.record_calls = true;
  bench.run("redis.call('pexpire', KEYS[1], 1700000000000 + ARGV[1])", {"k"}, {"1"});
  EXPECT_EQ(bench.invoker.calls[0][2], "1700000000001");
}

TEST_F(RedissonScripts, divide_a_length_and_index_with_the_result) {
  EXPECT_EQ(
      bench.run("local n = #KEYS/2 local r = {} for j = 1, n, 1 do r[j] = KEYS[n + j] end return r",
                {"a", "b", "c", "d"}),
      "*[$'c', $'d']");
}

TEST_F(RedissonScripts, pack_and_unpack_permits) {
  EXPECT_EQ(
      bench.run("local v = struct.pack('Bc0I', string.len(ARGV[1]), ARGV[1], ARGV[2]) "
                "local random, permits = struct.unpack('Bc0I', v) return {random, permits + 1}",
                {}, {"abc", "7"}),
      "*[$'abc', :8]");
}

TEST_F(RedissonScripts, unpack_thousands_of_keys) {
  EXPECT_EQ(bench.run("local keys = {} for i = 1, 5000 do keys[i] = 'k' .. i end "
                      "return redis.call('del', unpack(keys, 1, table.getn(keys)))"),
            ":0");
}

TEST_F(RedissonScripts, see_missing_values_as_false) {
  EXPECT_EQ(
      bench.run("local v = redis.call('get', 'none') if v == false then return 1 end return 0"),
      ":1");
}

TEST_F(RedissonScripts, name_commands_at_run_time_in_any_case) {
  EXPECT_EQ(bench.run("redis.call('HSET', 'h', 'f', 'v') return redis.call(ARGV[1], 'h', 'f')", {},
                      {"hGeT"}),
            "$'v'");
}

TEST_F(RedissonScripts, fail_with_the_text_of_an_assert) {
  const std::string reply =
      bench.run("assert(tonumber(ARGV[1]) > 5, 'Requested too much') ", {}, {"1"});
  EXPECT_TRUE(reply.starts_with("-ERR user_script:1: Requested too much script: ")) << reply;
}

}  // namespace
}  // namespace scripting_tests
