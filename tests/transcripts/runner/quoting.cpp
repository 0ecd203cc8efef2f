#include "tests/transcripts/runner/quoting.hpp"

#include <charconv>
#include <cstddef>
#include <system_error>

namespace transcripts {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

int hex_value(char c) {
  const auto lower = static_cast<char>(c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c);
  const std::size_t at = hex_digits.find(lower);
  return at == std::string_view::npos ? -1 : static_cast<int>(at);
}

char unescaped(char c) {
  switch (c) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    default:
      return c;
  }
}

// `text` begins behind a backslash; moves it behind the escape.
char read_escape(std::string_view& text) {
  if (text.size() >= 3 && text[0] == 'x' && hex_value(text[1]) >= 0 && hex_value(text[2]) >= 0) {
    const auto byte = static_cast<char>(hex_value(text[1]) * 16 + hex_value(text[2]));
    text.remove_prefix(3);
    return byte;
  }
  const char c = unescaped(text.front());
  text.remove_prefix(1);
  return c;
}

std::expected<std::string, std::string> read_single_quoted(std::string_view& text) {
  std::string out;
  text.remove_prefix(1);
  while (!text.empty() && text.front() != '\'') {
    if (text.starts_with("\\'")) text.remove_prefix(1);
    out += text.front();
    text.remove_prefix(1);
  }
  if (text.empty()) return std::unexpected("unbalanced single quotes");
  text.remove_prefix(1);
  return out;
}

std::expected<std::string, std::string> read_word(std::string_view& text) {
  if (text.front() == '"' || text.front() == '\'') {
    auto word = text.front() == '"' ? read_quoted(text) : read_single_quoted(text);
    if (word && !text.empty() && !is_blank(text.front())) {
      return std::unexpected("a closing quote must be followed by a blank");
    }
    return word;
  }
  std::string word;
  while (!text.empty() && !is_blank(text.front())) {
    word += text.front();
    text.remove_prefix(1);
  }
  return word;
}

}  // namespace

std::expected<std::string, std::string> read_quoted(std::string_view& text) {
  if (!text.starts_with('"')) return std::unexpected("expected a double-quoted string");
  std::string out;
  text.remove_prefix(1);
  while (!text.empty() && text.front() != '"') {
    const char c = text.front();
    text.remove_prefix(1);
    if (c == '\\' && !text.empty()) {
      out += read_escape(text);
    } else {
      out += c;
    }
  }
  if (text.empty()) return std::unexpected("unbalanced double quotes");
  text.remove_prefix(1);
  return out;
}

std::expected<std::vector<std::string>, std::string> split_arguments(std::string_view line) {
  std::vector<std::string> out;
  while (true) {
    while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
    if (line.empty()) return out;
    auto word = read_word(line);
    if (!word) return std::unexpected(word.error());
    out.push_back(std::move(*word));
  }
}

std::expected<std::string, std::string> read_raw_bytes(std::string_view line) {
  std::string out;
  while (true) {
    while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
    if (line.empty()) return out;
    const auto part = read_quoted(line);
    if (!part) return std::unexpected(part.error());
    std::size_t count = 1;
    if (line.starts_with('*')) {
      line.remove_prefix(1);
      const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), count);
      if (error != std::errc{}) return std::unexpected("expected a number after '*'");
      line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    }
    while (count-- > 0) out += *part;
  }
}

std::string quoted(std::string_view bytes) {
  std::string out = "\"";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    switch (c) {
      case '"':
      case '\\':
        out += '\\';
        out += c;
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (byte >= 0x20 && byte < 0x7f) {
          out += c;
        } else {
          out += "\\x";
          out += hex_digits[byte >> 4];
          out += hex_digits[byte & 15];
        }
    }
  }
  return out + '"';
}

}  // namespace transcripts
