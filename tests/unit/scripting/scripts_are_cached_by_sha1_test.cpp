#include "script_bench.hpp"

#include <gtest/gtest.h>

namespace scripting_tests {
namespace {

using scripting::ScriptEngine;

class ScriptCache : public testing::Test {
 protected:
  const scripting::Script* load(std::string_view text) { return bench.engine.load(text, error); }
  ScriptBench bench;
  std::string error;
};

TEST_F(ScriptCache, knows_a_script_by_its_digest_in_any_case) {
  const auto* script = load("return 1");
  ASSERT_NE(script, nullptr);
  EXPECT_EQ(ScriptEngine::sha_of(*script), "e0e1f9fabfc9d4800c877a703b823ac0578ff8db");
  EXPECT_EQ(bench.engine.find("E0E1F9FABFC9D4800C877A703B823AC0578FF8DB"), script);
  EXPECT_EQ(load("return 1"), script);
  EXPECT_EQ(bench.engine.cached_scripts(), 1u);
}

TEST_F(ScriptCache, knows_nothing_else) {
  EXPECT_EQ(bench.engine.find(""), nullptr);
  EXPECT_EQ(bench.engine.find("e0e1f9fabfc9d4800c877a703b823ac0578ff8db"), nullptr);
  EXPECT_EQ(bench.engine.find(std::string(41, 'a')), nullptr);
}

TEST_F(ScriptCache, is_empty_after_a_flush) {
  load("return 1");
  bench.engine.flush();
  EXPECT_EQ(bench.engine.cached_scripts(), 0u);
  EXPECT_EQ(bench.engine.find("e0e1f9fabfc9d4800c877a703b823ac0578ff8db"), nullptr);
  EXPECT_EQ(bench.run("return 1"), ":1");
}

TEST_F(ScriptCache, does_not_keep_what_does_not_compile) {
  EXPECT_EQ(load("return +"), nullptr);
  EXPECT_EQ(error,
            "ERR Error compiling script (new function): user_script:1: unexpected symbol near '+'");
  EXPECT_EQ(bench.engine.cached_scripts(), 0u);
}

TEST_F(ScriptCache, gives_memory_back) {
  const std::size_t before = bench.engine.memory_bytes();
  for (int i = 0; i < 1000; ++i) load("return 'script " + std::to_string(i) + "'");
  EXPECT_GT(bench.engine.memory_bytes(), before);
  bench.engine.flush();
  EXPECT_LT(bench.engine.memory_bytes(), before + 64 * 1024);
}

TEST_F(ScriptCache, carries_the_flags_of_the_first_line) {
  const auto* plain = load("return 1");
  EXPECT_TRUE(ScriptEngine::flags_of(*plain).compat);
  const auto* flagged = load("#!lua flags=no-writes,allow-stale\nreturn 1");
  ASSERT_NE(flagged, nullptr) << error;
  const auto& flags = ScriptEngine::flags_of(*flagged);
  EXPECT_FALSE(flags.compat);
  EXPECT_TRUE(flags.no_writes);
  EXPECT_TRUE(flags.allow_stale);
  EXPECT_FALSE(flags.allow_oom);
  EXPECT_EQ(load("#!lua flags=nope\nreturn 1"), nullptr);
  EXPECT_EQ(error, "ERR Unexpected flag in script shebang: nope");
}

}  // namespace
}  // namespace scripting_tests
