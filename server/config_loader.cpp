#include "server/config_loader.hpp"

#include "commands/acl_rules.hpp"
#include "commands/argument_reader.hpp"
#include "protocol/quoting.hpp"
#include "server/config.hpp"
#include "server/config_table.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <glob.h>
#include <iostream>
#include <iterator>
#include <system_error>
#include <vector>

namespace server {
namespace {

using Words = std::vector<std::string>;

constexpr int include_depth_max = 16;

std::unexpected<LoadError> failed(std::string place, std::string reason, std::string hint = {}) {
  return std::unexpected(LoadError{std::move(place), std::move(reason), std::move(hint)});
}

// Directives of a redis.conf that are no settings.
bool is_directive_without_meaning(std::string_view name) {
  return name == "rename-command" || name == "loadmodule";
}

class Loader {
 public:
  explicit Loader(Config& config) : config_(config) {}

  LoadResult file(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    std::error_code ignored;
    if (!stream || std::filesystem::is_directory(path, ignored)) {
      const int error = stream ? EISDIR : errno;
      return failed(path, std::string("can't open config file: ") + std::strerror(error),
                    "check the path and its permissions; it is relative to the working directory");
    }
    return text(std::string(std::istreambuf_iterator<char>(stream), {}), path);
  }

  LoadResult text(std::string_view content, const std::string& source) {
    for (int number = 1; !content.empty(); ++number) {
      const std::size_t end = content.find('\n');
      const std::string_view line = content.substr(0, end);
      content.remove_prefix(end == std::string_view::npos ? content.size() : end + 1);
      const std::string place = source + ':' + std::to_string(number);
      const std::size_t first = line.find_first_not_of(" \t\r");
      if (first == std::string_view::npos || line[first] == '#') continue;
      const auto words = protocol::split_words(line);
      if (!words) {
        return failed(place, "unbalanced quotes in '" + std::string(line) + "'",
                      "close the quote, or write a quote inside of quotes as \\\"");
      }
      if (words->empty()) continue;
      if (auto done = directive(*words, place); !done) return done;
    }
    return {};
  }

  // `words` holds the name and the values.
  LoadResult directive(const Words& words, const std::string& place) {
    const std::string name = commands::lower_case(words.front());
    const std::span<const std::string> values = std::span(words).subspan(1);
    if (name == "include") return include(values, place);
    if (is_directive_without_meaning(name)) {
      config_.note_without_meaning(name);
      return {};
    }
    if (name == "user") return user(values, place);
    const auto option = find_option(name);
    if (!option) return unknown(name, place);
    return assign(*option, values, place);
  }

 private:
  // Checked here, where the place is known; the server makes the user when it starts.
  LoadResult user(std::span<const std::string> values, const std::string& place) {
    const std::vector<std::string_view> words(values.begin(), values.end());
    const auto made = commands::acl::user_of_line(words, commands::acl::ChannelDefault::none);
    if (!made) return failed(place, "'user': " + made.error(), "docs/acl.md lists the rules");
    for (const Words& known : config_.users()) {
      if (known.front() == values.front()) {
        return failed(place, "'user': '" + values.front() + "' is defined twice");
      }
    }
    config_.add_user(Words(values.begin(), values.end()));
    return {};
  }

  LoadResult include(std::span<const std::string> patterns, const std::string& place) {
    if (patterns.empty()) return failed(place, "'include': wrong number of arguments");
    if (++depth_ > include_depth_max) {
      return failed(place, "'include': files include each other without end",
                    "remove the include that leads back to a file before it");
    }
    for (const std::string& pattern : patterns) {
      glob_t found{};
      // A name without wildcards that is not there is an error; a pattern without matches is not.
      const bool has_wildcard = pattern.find_first_of("*?[") != std::string::npos;
      const int outcome = ::glob(pattern.c_str(), has_wildcard ? 0 : GLOB_NOCHECK, nullptr, &found);
      const Words paths =
          outcome == 0 ? Words(found.gl_pathv, found.gl_pathv + found.gl_pathc) : Words{};
      ::globfree(&found);
      for (const std::string& path : paths) {
        auto loaded = file(path);
        if (loaded) continue;
        if (loaded.error().place != path) return loaded;
        return failed(place, "'include " + path + "': " + loaded.error().reason,
                      loaded.error().hint);
      }
    }
    --depth_;
    return {};
  }

  static LoadResult unknown(const std::string& name, const std::string& place) {
    const std::string_view nearest = nearest_option(name);
    std::string reason = "unknown option '" + name + "'";
    if (!nearest.empty()) reason += ", did you mean '" + std::string(nearest) + "'?";
    return failed(place, reason, "conf/mortise.conf lists every option with its default");
  }

  LoadResult assign(std::size_t option, std::span<const std::string> values,
                    const std::string& place) {
    const Option& row = option_table()[option];
    Words words(values.begin(), values.end());
    if (row.takes_several_words() && words.size() == 1 && !words[0].empty()) {
      // One argument may hold them all: --save "900 1 300 10".
      words = protocol::split_words(words[0]).value_or(words);
    }
    if (row.kind == OptionKind::save_points) words = with_earlier(save_points_, words);
    if (row.kind == OptionKind::durability) words = with_earlier(durability_, words);
    const auto assigned = config_.assign(option, words);
    if (assigned) return {};
    std::string shown;
    for (const std::string& value : values) shown += ' ' + value;
    return failed(place, "'" + std::string(row.name) + shown + "': " + assigned.error(),
                  row.has_meaning() ? std::string(row.summary) : std::string());
  }

  // Redis 7.0: the first "save" replaces the default, each later one adds to it. "durability" does
  // the same.
  static Words with_earlier(Words& earlier, const Words& words) {
    const bool clears = words.size() == 1 && words[0].empty();
    Words all = clears ? Words{} : earlier;
    all.insert(all.end(), words.begin(), words.end());
    earlier = clears ? Words{} : all;
    return all;
  }

  Config& config_;
  Words save_points_;
  Words durability_;
  int depth_ = 0;
};

bool is_option(std::string_view argument) {
  return argument.starts_with("--");
}

// "--name value…" from `at` on; moves `at` behind it.
Words option_words(std::span<const std::string> arguments, std::size_t& at) {
  const std::string option = arguments[at++].substr(2);
  // Redis 7.0: "--maxmemory 5mb" may be one argument.
  Words words = protocol::split_words(option).value_or(Words{option});
  if (words.empty()) words.emplace_back();
  // Redis 7.0: an option without a value takes whatever follows, save excepted.
  const bool may_be_bare = words.size() > 1 || commands::lower_case(words.front()) == "save";
  const std::size_t first = at;
  while (at < arguments.size()) {
    const bool is_value = !is_option(arguments[at]) || (at == first && !may_be_bare);
    if (!is_value || arguments[at] == "-") break;
    words.push_back(arguments[at++]);
  }
  if (words.size() == 1 && may_be_bare) words.emplace_back();
  if (words.size() == 1 && commands::lower_case(words.front()) == "bind") words.emplace_back();
  return words;
}

}  // namespace

LoadResult load_config_text(Config& config, std::string_view content, const std::string& place) {
  return Loader(config).text(content, place);
}

LoadResult load_config_file(Config& config, const std::string& path) {
  auto loaded = Loader(config).file(path);
  if (loaded) config.set_file(std::filesystem::absolute(path).string());
  return loaded;
}

LoadResult load_arguments(Config& config, std::span<const std::string> arguments) {
  std::size_t at = 0;
  Loader loader(config);
  if (!arguments.empty() && !arguments[0].starts_with('-')) {
    if (auto loaded = loader.file(arguments[0]); !loaded) return loaded;
    config.set_file(std::filesystem::absolute(arguments[0]).string());
    at = 1;
  }
  for (std::size_t i = at; i < arguments.size(); ++i) {
    if (arguments[i] != "-") continue;
    const std::string content(std::istreambuf_iterator<char>(std::cin), {});
    if (auto loaded = loader.text(content, "standard input"); !loaded) return loaded;
  }
  Loader options(config);
  while (at < arguments.size()) {
    if (arguments[at] == "-") {
      ++at;
    } else if (is_option(arguments[at])) {
      const Words words = option_words(arguments, at);
      if (auto done = options.directive(words, "command line"); !done) return done;
    } else {
      return failed("command line", "unexpected argument '" + arguments[at] + "'",
                    "options are written --name value; a file comes first");
    }
  }
  return {};
}

}  // namespace server
