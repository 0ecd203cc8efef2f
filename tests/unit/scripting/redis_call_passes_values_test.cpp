#include "script_bench.hpp"

#include <gtest/gtest.h>

namespace scripting_tests {
namespace {

class RedisCall : public testing::Test {
 protected:
  RedisCall() { bench.invoker.record_calls = true; }
  ScriptBench bench;
};

TEST_F(RedisCall, writes_numbers_with_17_digits) {
  bench.run(
      "redis.call('echo', 3) redis.call('echo', 0.1) redis.call('echo', 1e17) "
      "redis.call('echo', -5) redis.call('echo', 2^53) redis.call('echo', 1/0)");
  std::vector<std::string> arguments;
  for (const auto& call : bench.invoker.calls) arguments.push_back(call[1]);
  EXPECT_EQ(arguments, (std::vector<std::string>{"3", "0.10000000000000001", "1e+17", "-5",
                                                 "9007199254740992", "inf"}));
}

TEST_F(RedisCall, passes_any_bytes) {
  EXPECT_EQ(bench.run("return redis.call('echo', ARGV[1])", {}, {std::string("a\0\r\n\xff", 5)}),
            "$'a\\x00\\x0d\\x0a\\xff'");
}

TEST_F(RedisCall, resolves_a_name_once) {
  bench.run("for i = 1, 100 do redis.call('ping') end");
  EXPECT_LE(bench.invoker.resolves, 2);
}

TEST_F(RedisCall, shows_resp2_replies) {
  EXPECT_EQ(bench.run("local r = redis.call('nested') return {tostring(r[1]), r[2], r[3], "
                      "tostring(r[4]), r[5][1].ok, #r[5][2]}"),
            "*[$'1', $'12345678901234567890', $'hi', $'false', $'k', :0]");
  EXPECT_EQ(bench.run("return redis.call('score', 'x')"), "$'1.5'");
  EXPECT_EQ(bench.run("return redis.call('wide')"), "*[$'a', $'b']");
  EXPECT_EQ(bench.run("return redis.call('ping').ok"), "$'PONG'");
}

TEST_F(RedisCall, shows_resp3_replies_when_asked) {
  EXPECT_EQ(bench.run("redis.setresp(3) local r = redis.call('nested') return {tostring(r[1]), "
                      "r[2].big_number, r[3].verbatim_string.string, r[3].verbatim_string.format, "
                      "tostring(r[4])}"),
            "*[$'true', $'12345678901234567890', $'hi', $'txt', $'nil']");
  EXPECT_EQ(bench.run("redis.setresp(3) return tostring(redis.call('score', 'x').double)"),
            "$'1.5'");
  EXPECT_EQ(bench.run("redis.setresp(3) local s = redis.call('wide').set return {s.a, s.b, s.c}"),
            "*[:1, :1]");
}

TEST_F(RedisCall, answers_resp3_clients_in_their_types) {
  bench.client_version = protocol::RespVersion::resp3;
  EXPECT_EQ(bench.run("return {double = 1.5}"), ",1.5");
  EXPECT_EQ(bench.run("return {map = {a = 1}}"), "%[$'a', :1]");
  EXPECT_EQ(bench.run("return {set = {a = true}}"), "~[$'a']");
  EXPECT_EQ(bench.run("return {big_number = '12'}"), "(12");
  EXPECT_EQ(bench.run("return {verbatim_string = {format = 'txt', string = 'x'}}"), "='txt:x'");
  EXPECT_EQ(bench.run("return nil"), "_");
  EXPECT_EQ(bench.run("return {true, false}"), "*[:1, _]");
  EXPECT_EQ(bench.run("redis.setresp(3) return {true, false}"), "*[#t, #f]");
}

TEST_F(RedisCall, answers_booleans_to_resp2_clients_by_the_version_of_the_script) {
  EXPECT_EQ(bench.run("return {true, false}"), "*[:1, $-1]");
  EXPECT_EQ(bench.run("redis.setresp(3) return {true, false}"), "*[:1, :0]");
}

TEST_F(RedisCall, raises_errors_with_sha_and_line) {
  EXPECT_EQ(bench.run("\nredis.call('lpush', 'k', 'v')"),
            "-WRONGTYPE Operation against a key holding the wrong kind of value script: "
            "637d212ec623d9716e4929a1ef5ef4e490b26a58, on @user_script:2.");
}

TEST_F(RedisCall, returns_errors_from_pcall_as_tables) {
  EXPECT_EQ(bench.run("local e = redis.pcall('lpush', 'k', 'v') return {type(e), e.err, "
                      "tostring(e.ignore_error_stats_update)}"),
            "*[$'table', $'WRONGTYPE Operation against a key holding the wrong kind of value', "
            "$'true']");
}

TEST_F(RedisCall, logs_by_level) {
  bench.run("redis.log(redis.LOG_WARNING, 'a', 5, 'b') redis.log(0, 'x')");
  EXPECT_EQ(bench.log.lines, (std::vector<std::string>{"3 a 5 b", "0 x"}));
}

TEST_F(RedisCall, asks_whether_the_user_may) {
  EXPECT_EQ(bench.run("return {redis.acl_check_cmd('get', 'x')}"), "*[:1]");
}

}  // namespace
}  // namespace scripting_tests
