#include "script_bench.hpp"
#include "scripting/function_libraries.hpp"

#include <gtest/gtest.h>

namespace scripting_tests {
namespace {

using scripting::RestorePolicy;

class FunctionsLiveInLibraries : public testing::Test {
 protected:
  // The library's name, or the error.
  std::string load(std::string_view code, bool replaces = false) {
    const auto name = bench.engine.functions().load(code, replaces);
    return name ? *name : name.error();
  }
  std::string call(std::string_view name) {
    const auto* function = bench.engine.functions().find(name);
    if (function == nullptr) return "none";
    TextReply reply(protocol::RespVersion::resp2);
    bench.engine.run(*function->script, {}, reply);
    return reply.text();
  }
  static std::string library(const std::string& name, const std::string& function,
                             const std::string& body) {
    return "#!lua name=" + name + "\nredis.register_function('" + function + "', function() " +
           body + " end)";
  }
  ~FunctionsLiveInLibraries() override { set_clock_step_us(0); }
  ScriptBench bench;
};

TEST_F(FunctionsLiveInLibraries, AreFoundInAnyLetterCase) {
  EXPECT_EQ(load(library("lib", "One", "return 1")), "lib");
  EXPECT_EQ(call("one"), ":1");
  EXPECT_EQ(call("ONE"), ":1");
  EXPECT_EQ(load(library("other", "oNE", "return 2")), "ERR Function oNE already exists");
  EXPECT_EQ(call("one"), ":1");
}

TEST_F(FunctionsLiveInLibraries, SurviveAFlushOfTheScriptCache) {
  load(library("lib", "f", "return redis.call('ping') and 1"));
  bench.engine.flush();
  EXPECT_EQ(bench.engine.functions().functions(), 1U);
  EXPECT_EQ(call("f").substr(0, 1), ":");
}

TEST_F(FunctionsLiveInLibraries, StayWhenTheirReplacementCannotBeLoaded) {
  load(library("lib", "f", "return 1"));
  load(library("two", "g", "return 2"));
  EXPECT_TRUE(load("#!lua name=lib\nlocal x =", true).starts_with("ERR Error compiling"));
  EXPECT_TRUE(load("#!lua name=lib\nnosuch()", true).starts_with("ERR Error registering"));
  EXPECT_EQ(load("#!lua name=lib\n", true), "ERR No functions registered");
  EXPECT_EQ(load(library("lib", "g", "return 3"), true), "ERR Function g already exists");
  EXPECT_EQ(call("f"), ":1");
  EXPECT_EQ(call("g"), ":2");
}

TEST_F(FunctionsLiveInLibraries, TwoNamesThatDifferInCaseShareTheFirst) {
  EXPECT_EQ(load("#!lua name=lib\nredis.register_function('F', function() return 1 end) "
                 "redis.register_function('f', function() return 2 end)"),
            "lib");
  EXPECT_EQ(call("f"), ":1");
  EXPECT_EQ(load(library("lib", "f", "return 3"), true), "lib");
  EXPECT_EQ(call("F"), ":3");
  EXPECT_TRUE(bench.engine.functions().remove("lib"));
  EXPECT_EQ(call("f"), "none");
}

TEST_F(FunctionsLiveInLibraries, KeepWhatTheirLibraryRemembers) {
  load(
      "#!lua name=lib\nlocal n = 0 local function up() n = n + 1 return n end\n"
      "redis.register_function('f', up)");
  EXPECT_EQ(call("f"), ":1");
  EXPECT_EQ(call("f"), ":2");
}

TEST_F(FunctionsLiveInLibraries, AreRestoredAllOrNone) {
  const std::string one = library("one", "f", "return 1");
  const std::string two = library("two", "g", "return 2");
  auto& functions = bench.engine.functions();
  load(library("three", "g", "return 3"));
  const std::string_view codes[] = {one, two};
  EXPECT_EQ(functions.restore(codes, RestorePolicy::append).error(),
            "ERR Function g already exists");
  EXPECT_EQ(call("f"), "none");
  EXPECT_EQ(call("g"), ":3");
  const std::string broken = "#!lua name=x\nlocal x =";
  const std::string_view with_broken[] = {one, broken};
  EXPECT_FALSE(functions.restore(with_broken, RestorePolicy::flush));
  EXPECT_EQ(call("g"), ":3");
  const std::string_view twice[] = {one, one};
  EXPECT_EQ(functions.restore(twice, RestorePolicy::flush).error(),
            "ERR Library one already exists");
  EXPECT_TRUE(functions.restore(codes, RestorePolicy::flush));
  EXPECT_EQ(call("g"), ":2");
  EXPECT_EQ(functions.all().size(), 2U);
}

TEST_F(FunctionsLiveInLibraries, MayNotTakeLongToLoad) {
  set_clock_step_us(400'000);
  EXPECT_EQ(load("#!lua name=lib\nwhile true do end"),
            "ERR Error registering functions: ERR FUNCTION LOAD timeout");
}

TEST_F(FunctionsLiveInLibraries, MayNotEatAllMemoryWhileTheyLoad) {
  bench.engine.set_limits({.time_limit_ms = 0, .memory_bytes_max = 4u << 20u});
  EXPECT_EQ(load("#!lua name=lib\nlocal t = {} local n = 1\nwhile n < 1e9 do t[n] = {n} n = n + 1 "
                 "end"),
            "ERR Error registering functions: ERR not enough memory");
  EXPECT_EQ(load(library("lib", "f", "return 1")), "lib");
}

TEST_F(FunctionsLiveInLibraries, LoadAgainWhateverTheLimits) {
  const std::string code =
      "#!lua name=lib\nlocal t = {} for i = 1, 20000 do t[i] = {i} end\n"
      "redis.register_function('f', function() return #t end)";
  EXPECT_EQ(load(code), "lib");
  bench.engine.functions().flush();
  set_clock_step_us(400'000);
  bench.engine.set_limits({.time_limit_ms = 0, .memory_bytes_max = 1u << 20u});
  EXPECT_TRUE(load(code).starts_with("ERR Error registering functions"));
  EXPECT_EQ(bench.engine.functions().reload(code), "lib");
  set_clock_step_us(0);
  EXPECT_TRUE(load(code, true).starts_with("ERR Error registering functions"))
      << "limits count again";
  EXPECT_EQ(bench.engine.functions().reload(library("lib", "f", "return 2")), "lib");
  EXPECT_EQ(call("f"), ":2");
}

TEST_F(FunctionsLiveInLibraries, StayAsTextWhenTheyNoLongerLoad) {
  auto& functions = bench.engine.functions();
  load(library("lib", "f", "return 1"));
  functions.keep_unloadable("lib", "code");
  functions.keep_unloadable("lib", "later code");
  EXPECT_EQ(call("f"), "none");
  EXPECT_TRUE(functions.all().empty());
  EXPECT_EQ(functions.unloadable().at("lib"), "later code");
  EXPECT_EQ(load(library("lib", "f", "return 2")), "lib");
  EXPECT_TRUE(functions.unloadable().empty());
  functions.keep_unloadable("other", "code");
  EXPECT_TRUE(functions.restore({}, RestorePolicy::replace));
  EXPECT_EQ(functions.unloadable().size(), 1U);
  EXPECT_TRUE(functions.restore({}, RestorePolicy::flush));
  EXPECT_TRUE(functions.unloadable().empty());
}

TEST_F(FunctionsLiveInLibraries, AreStoppedAsScriptsAre) {
  load(library("lib", "f", "while true do end"));
  set_clock_step_us(1'000'000);
  bench.invoker.kill_when_slow = true;
  EXPECT_EQ(call("f"),
            "-ERR Script killed by user with SCRIPT KILL... script: f, on @user_function:2.");
}

}  // namespace
}  // namespace scripting_tests
