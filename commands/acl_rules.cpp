#include "commands/acl_rules.hpp"

#include "commands/error_replies.hpp"

namespace commands::acl {
namespace {

constexpr std::string_view blanks = " \t\r\n";

std::string_view trimmed(std::string_view line) {
  const std::size_t first = line.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return line.substr(first, line.find_last_not_of(blanks) - first + 1);
}

// Empty words stand between two spaces.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t start = 0; start <= line.size();) {
    const std::size_t end = std::min(line.find(' ', start), line.size());
    words.push_back(line.substr(start, end - start));
    start = end + 1;
  }
  return words;
}

// Reads a file line by line; collects what is wrong in the words of Redis 7.0.
class FileReader {
 public:
  FileReader(std::string_view path, ChannelDefault channels) : path_(path), channels_(channels) {}

  void read(std::string_view content) {
    while (!content.empty()) {
      const std::size_t end = content.find('\n');
      ++line_;
      if (const auto line = trimmed(content.substr(0, end)); !line.empty()) read_line(line);
      content.remove_prefix(end == std::string_view::npos ? content.size() : end + 1);
    }
  }

  [[nodiscard]] std::expected<Users, std::string> take() {
    if (complaints_.empty()) return std::move(users_);
    return std::unexpected(complaints_ +
                           "WARNING: ACL errors detected, no change to the previously active ACL "
                           "rules was performed");
  }

 private:
  [[nodiscard]] std::string place() const { return path_ + ":" + std::to_string(line_); }

  void read_line(std::string_view line) {
    const auto words = words_of(line);
    if (words.size() < 2 || words[0] != "user") {
      complaints_ += place() + " should start with user keyword followed by the username. ";
      return;
    }
    const std::string name(words[1]);
    if (!is_user_name(name)) {
      complaints_ += "'" + place() + ": username '" + std::string(up_to_nul(name)) +
                     "' contains invalid characters. ";
      return;
    }
    if (users_.contains(name)) {
      complaints_ +=
          "WARNING: Duplicate user '" + name + "' found on line " + std::to_string(line_) + ". ";
      return;
    }
    const auto rules = join_selectors(std::span(words).subspan(2));
    if (!rules) {
      complaints_ += place() + ": Unmatched parenthesis in selector definition.";
      return;
    }
    users_.emplace(name, std::make_shared<User>(user_of(name, *rules)));
  }

  // Every unknown command is named; of other mistakes the first of a line.
  User user_of(const std::string& name, const std::vector<std::string>& rules) {
    User user(name, channels_);
    bool has_complained = false;
    for (const std::string& rule : rules) {
      const auto applied = user.apply(rule, channels_);
      if (applied) continue;
      if (applied.error() == RuleError::unknown_command) {
        complaints_ += place() + ": Error in applying operation '" + std::string(up_to_nul(rule)) +
                       "': " + std::string(text_of(applied.error())) + ". ";
      } else if (!has_complained) {
        complaints_ += place() + ": " + std::string(text_of(applied.error())) + ". ";
        has_complained = true;
      }
    }
    return user;
  }

  std::string path_;
  ChannelDefault channels_;
  Users users_;
  std::string complaints_;
  int line_ = 0;
};

}  // namespace

bool is_user_name(std::string_view name) {
  constexpr std::string_view separators(" \t\n\v\f\r\0", 7);
  return name.find_first_of(separators) == std::string_view::npos;
}

std::expected<std::vector<std::string>, std::string_view> join_selectors(
    std::span<const std::string_view> words) {
  std::vector<std::string> rules;
  const std::string_view* opened = nullptr;
  for (const std::string_view& word : words) {
    if (opened != nullptr) {
      rules.back().append(" ").append(word);
    } else {
      rules.emplace_back(word);
      if (word.starts_with('(')) opened = &word;
    }
    if (word.ends_with(')')) opened = nullptr;
  }
  if (opened != nullptr) return std::unexpected(*opened);
  return rules;
}

std::expected<User, std::string> user_of_line(std::span<const std::string_view> words,
                                              ChannelDefault channels) {
  if (words.empty()) return std::unexpected("a name and rules must follow");
  const std::string name(words[0]);
  if (!is_user_name(name)) return std::unexpected("the name contains spaces or null characters");
  const auto rules = join_selectors(words.subspan(1));
  if (!rules) {
    return std::unexpected("unmatched parenthesis in the selector that begins with '" +
                           std::string(rules.error()) + "'");
  }
  User user(name, channels);
  for (const std::string& rule : *rules) {
    if (auto applied = user.apply(rule, channels); !applied) {
      return std::unexpected("'" + rule + "': " + std::string(text_of(applied.error())));
    }
  }
  return user;
}

std::expected<Users, std::string> users_of_file(std::string_view content, std::string_view path,
                                                ChannelDefault channels) {
  FileReader reader(path, channels);
  reader.read(content);
  return reader.take();
}

}  // namespace commands::acl
