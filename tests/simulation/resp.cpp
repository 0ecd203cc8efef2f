#include "tests/simulation/resp.hpp"

#include <charconv>

namespace simulation {
namespace {

constexpr std::string_view line_end = "\r\n";

std::string counted(char kind, std::size_t count) {
  return kind + std::to_string(count) + std::string(line_end);
}

std::string aggregate(char kind, const std::vector<std::string>& items) {
  std::string text = counted(kind, items.size());
  for (const std::string& item : items) text += item;
  return text;
}

}  // namespace

std::string request(const Words& words) {
  std::string text = counted('*', words.size());
  for (const std::string& word : words) text += bulk(word);
  return text;
}

std::string simple(std::string_view text) {
  return '+' + std::string(text) + std::string(line_end);
}
std::string integer(std::int64_t number) {
  return ':' + std::to_string(number) + std::string(line_end);
}
std::string bulk(std::string_view text) {
  return counted('$', text.size()) + std::string(text) + std::string(line_end);
}
std::string null(Resp version) {
  return version == Resp::two ? "$-1\r\n" : "_\r\n";
}
std::string null_array(Resp version) {
  return version == Resp::two ? "*-1\r\n" : "_\r\n";
}
std::string array(const std::vector<std::string>& items) {
  return aggregate('*', items);
}
std::string push(Resp version, const std::vector<std::string>& items) {
  return aggregate(version == Resp::two ? '*' : '>', items);
}

std::optional<std::size_t> value_end(std::string_view bytes) {
  const std::size_t end_of_line = bytes.find(line_end);
  if (end_of_line == std::string_view::npos) return std::nullopt;
  std::size_t end = end_of_line + line_end.size();
  long count = 0;
  std::from_chars(bytes.data() + 1, bytes.data() + end_of_line, count);
  switch (bytes.front()) {
    case '$':
      if (count < 0) return end;
      end += static_cast<std::size_t>(count) + line_end.size();
      return end <= bytes.size() ? std::optional(end) : std::nullopt;
    case '%':
      count *= 2;
      [[fallthrough]];
    case '*':
    case '>':
    case '~':
      for (; count > 0; --count) {
        const auto item = value_end(bytes.substr(end));
        if (!item) return std::nullopt;
        end += *item;
      }
      return end;
    default:
      return end;
  }
}

std::string printable(std::string_view bytes) {
  constexpr std::size_t shown_max = 400;
  std::string text;
  for (const char c : bytes.substr(0, shown_max)) {
    if (c == '\r') continue;
    text += c == '\n' ? ' ' : c;
  }
  if (bytes.size() > shown_max) text += "...";
  return text;
}

}  // namespace simulation
