#include "commands/command_page.hpp"
#include "commands/command_syntax.hpp"
#include "commands/command_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace commands {
namespace {

void add_names(std::set<std::string>& names, std::span<const CommandSpec> rows) {
  for (const CommandSpec& row : rows) {
    names.insert(full_name(row));
    add_names(names, row.subcommands);
  }
}

TEST(EveryCommand, HasASyntaxLineAndNothingElseHas) {
  std::set<std::string> names;
  add_names(names, command_table());
  std::set<std::string> described;
  for (const CommandSyntax& line : all_syntax()) described.insert(std::string(line.name));
  std::set<std::string> missing;
  std::ranges::set_symmetric_difference(names, described, std::inserter(missing, missing.end()));
  EXPECT_EQ(missing, std::set<std::string>{}) << "see commands/command_syntax.cpp";
}

TEST(EveryCommand, IsFoundByItsName) {
  ASSERT_NE(find_syntax("client|list"), nullptr);
  EXPECT_EQ(find_syntax("get")->arguments, "key");
  EXPECT_EQ(find_syntax("nosuch"), nullptr);
  EXPECT_EQ(find_syntax(""), nullptr);
}

TEST(EveryCommand, StandsOnThePage) {
  const std::string page = command_page();
  EXPECT_NE(page.find("| `GETSET key value` |"), std::string::npos);
  EXPECT_NE(page.find("| `CLIENT NO-EVICT ON \\| OFF` |"), std::string::npos);
  EXPECT_EQ(page.find("`?"), std::string::npos);
}

}  // namespace
}  // namespace commands
