// conf/mortise.conf names every option that has a meaning, with its default and its sentence.
#include "server/config.hpp"
#include "server/config_loader.hpp"
#include "server/config_table.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>

namespace server {
namespace {

std::string sample() {
  const std::filesystem::path root = MORTISE_SOURCE_DIR;
  std::ifstream file(root / "conf/mortise.conf");
  return {std::istreambuf_iterator<char>(file), {}};
}

// Option → the comment right above it.
std::map<std::string, std::string> described_options() {
  std::map<std::string, std::string> described;
  std::istringstream lines(sample());
  std::string comment;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) {
      comment.clear();
    } else if (line.starts_with("# ")) {
      comment += (comment.empty() ? "" : " ") + line.substr(2);
    } else {
      described.emplace(line.substr(0, line.find(' ')), comment);
    }
  }
  return described;
}

TEST(SampleConfiguration, HasTheDefaults) {
  Config config;
  const auto loaded = load_config_text(config, sample(), "mortise.conf");
  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_TRUE(config.without_meaning().empty());
  for (std::size_t i = 0; i < option_table().size(); ++i) {
    EXPECT_EQ(config.text(i), option_table()[value_index(i)].default_value)
        << option_table()[i].name;
  }
}

TEST(SampleConfiguration, NamesEveryOptionWithItsSentence) {
  const auto described = described_options();
  std::size_t expected = 0;
  for (const Option& option : option_table()) {
    if (!option.has_meaning() || !option.same_as.empty()) continue;
    ++expected;
    const auto found = described.find(std::string(option.name));
    ASSERT_NE(found, described.end()) << option.name;
    EXPECT_EQ(found->second, option.summary) << option.name;
  }
  EXPECT_EQ(described.size(), expected);
}

}  // namespace
}  // namespace server
