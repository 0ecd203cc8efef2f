#include "protocol/quoting.hpp"

#include <cstddef>

namespace protocol {
namespace {

bool is_blank(char letter) {
  return letter == ' ' || (letter >= '\t' && letter <= '\r');
}

int hex_digit(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
  return -1;
}

char escaped(char letter) {
  switch (letter) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'b':
      return '\b';
    case 'a':
      return '\a';
    default:
      return letter;
  }
}

class WordReader {
 public:
  explicit WordReader(std::string_view line) : line_(line) {}

  // Moves to the next word; false at the end of the line.
  bool skip_blanks() {
    while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
    return at_ < line_.size();
  }

  // Nullopt: a quote that is not closed, or text right behind a closing quote.
  std::optional<std::string> next() {
    std::string word;
    while (at_ < line_.size() && !ends_word(line_[at_])) {
      const char letter = line_[at_++];
      if (letter != '"' && letter != '\'') {
        word += letter;
        continue;
      }
      if (!(letter == '"' ? double_quoted(word) : single_quoted(word))) return std::nullopt;
      if (at_ < line_.size() && !is_blank(line_[at_])) return std::nullopt;
      return word;
    }
    if (at_ < line_.size()) ++at_;
    return word;
  }

 private:
  bool double_quoted(std::string& word) {
    while (at_ < line_.size()) {
      const char letter = line_[at_++];
      if (letter == '"') return true;
      if (letter != '\\' || at_ == line_.size()) {
        word += letter;
      } else if (line_[at_] == 'x' && at_ + 2 < line_.size() && hex_digit(line_[at_ + 1]) >= 0 &&
                 hex_digit(line_[at_ + 2]) >= 0) {
        word += static_cast<char>(hex_digit(line_[at_ + 1]) * 16 + hex_digit(line_[at_ + 2]));
        at_ += 3;
      } else {
        word += escaped(line_[at_++]);
      }
    }
    return false;
  }

  bool single_quoted(std::string& word) {
    while (at_ < line_.size()) {
      const char letter = line_[at_++];
      if (letter == '\'') return true;
      if (letter == '\\' && at_ < line_.size() && line_[at_] == '\'') {
        word += line_[at_++];
      } else {
        word += letter;
      }
    }
    return false;
  }

  std::string_view line_;
  std::size_t at_ = 0;
};

}  // namespace

bool ends_word(char letter) {
  return letter == ' ' || letter == '\n' || letter == '\r' || letter == '\t' || letter == '\0';
}

std::optional<std::vector<std::string>> split_words(std::string_view line) {
  std::vector<std::string> words;
  WordReader reader(line);
  while (reader.skip_blanks()) {
    auto word = reader.next();
    if (!word) return std::nullopt;
    words.push_back(std::move(*word));
  }
  return words;
}

std::string quote_word(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  constexpr std::string_view controls = "\n\r\t\a\b";
  constexpr std::string_view control_letters = "nrtab";
  std::string out = "\"";
  for (const char letter : text) {
    const auto value = static_cast<unsigned char>(letter);
    const std::size_t control = controls.find(letter);
    if (letter == '"' || letter == '\\') {
      out += '\\';
      out += letter;
    } else if (control != std::string_view::npos) {
      out += '\\';
      out += control_letters[control];
    } else if (value < 0x20 || value >= 0x7f) {
      out += "\\x";
      out += digits[value >> 4u];
      out += digits[value & 15u];
    } else {
      out += letter;
    }
  }
  out += '"';
  return out;
}

}  // namespace protocol
