#include "script_bench.hpp"

#include <gtest/gtest.h>

namespace scripting_tests {
namespace {

constexpr std::string_view read_only = "Attempt to modify a readonly table";

class Sandbox : public testing::Test {
 protected:
  void expect_refused(std::string_view script, std::string_view text = read_only) {
    const std::string reply = bench.run(script);
    EXPECT_NE(reply.find(text), std::string::npos) << script << " gave " << reply;
  }
  ScriptBench bench;
};

TEST_F(Sandbox, keeps_globals) {
  expect_refused("x = 1");
  expect_refused("redis = 1");
  expect_refused("_G.x = 1");
  expect_refused("_G['redis'] = nil");
  expect_refused("function foo() end");
  expect_refused("rawset(_G, 'x', 1)");
  expect_refused("setmetatable(_G, {})");
  expect_refused("loadstring('x = 1')()");
  expect_refused("getmetatable(_G).__index = nil");
  expect_refused("table.insert(_G, 1)");
  expect_refused("KEYS = {}");
}

TEST_F(Sandbox, keeps_libraries) {
  expect_refused("redis.call = 1");
  expect_refused("string.len = nil");
  expect_refused("math.x = 1");
  expect_refused("local s = string s.len = 1");
  expect_refused("rawset(redis, 'call', 1)");
  expect_refused("rawset(table, 'insert', 1)");
  expect_refused("setmetatable(string, {})");
  expect_refused("getmetatable('').__index = {}");
  expect_refused("getmetatable('').__add = function() end");
}

TEST_F(Sandbox, refuses_unknown_globals) {
  expect_refused("return x", "Script attempted to access nonexistent global variable 'x'");
  for (const char* name : {"io", "os", "debug", "require", "package", "dofile", "loadfile", "print",
                           "getfenv", "setfenv", "newproxy", "module", "utf8", "rawlen", "warn"}) {
    expect_refused("return " + std::string(name), "nonexistent global variable");
  }
}

TEST_F(Sandbox, has_no_bytecode) {
  expect_refused("return string.dump(function() end)", "unable to dump given function");
  EXPECT_EQ(bench.run("return {loadstring('\\27Lua')}"), "*[]");
}

TEST_F(Sandbox, does_not_run_finalizers) {
  EXPECT_EQ(
      bench.run("local ran = false do setmetatable({}, {__gc = function() ran = true end}) end "
                "collectgarbage() return tostring(ran)"),
      "$'false'");
}

TEST_F(Sandbox, shows_the_globals_of_redis) {
  EXPECT_EQ(
      bench.run("local n = {} for k in pairs(_G) do n[#n + 1] = k end table.sort(n) "
                "return table.concat(n, ' ')"),
      "$'ARGV KEYS _G _VERSION __redis__err__handler assert bit cjson cmsgpack collectgarbage "
      "coroutine error gcinfo getmetatable ipairs load loadstring math next pairs pcall "
      "rawequal rawget rawset redis select setmetatable string struct table tonumber tostring "
      "type unpack xpcall'");
}

TEST_F(Sandbox, gives_each_script_its_own_parameters) {
  EXPECT_EQ(
      bench.run("KEYS[2] = 'left' KEYS.x = 'left' setmetatable(ARGV, {}) return #KEYS", {"a"}),
      ":2");
  EXPECT_EQ(bench.run("return {tostring(KEYS[2]), #KEYS, #ARGV}", {"a"}, {"b"}),
            "*[$'nil', :1, :1]");
  EXPECT_EQ(bench.run("return KEYS[3]", {"a", "b", "c"}), "$'c'");
  EXPECT_EQ(bench.run("return {tostring(KEYS[3]), #KEYS}", {"a"}), "*[$'nil', :1]");
}

TEST_F(Sandbox, forgets_the_resp_version_of_the_last_script) {
  EXPECT_EQ(bench.run("redis.setresp(3) return type(redis.call('get', 'none'))"), "$'nil'");
  EXPECT_EQ(bench.run("return type(redis.call('get', 'none'))"), "$'boolean'");
}

}  // namespace
}  // namespace scripting_tests
