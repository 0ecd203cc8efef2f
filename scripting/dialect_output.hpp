// The 5.4 source while it is written: text with line breaks where the script had them, and
// insertions at earlier places ("L51_concat(" in front of an operand already written).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace scripting {

class DialectOutput {
 public:
  // Goes to `line` and returns the place where the next token begins.
  std::size_t mark(int line);
  void put(std::string_view text, int line) {
    mark(line);
    text_ += text;
  }
  // Right behind what is there.
  void append(std::string_view text) { text_ += text; }
  // Among insertions at one place the later comes first: it encloses the earlier.
  void insert(std::size_t place, std::string_view text);
  [[nodiscard]] std::string_view from(std::size_t place) const {
    return std::string_view(text_).substr(place);
  }
  void replace_from(std::size_t place, std::string_view text);
  void replace(std::size_t place, std::size_t size, std::string_view text) {
    text_.replace(place, size, text);
  }
  [[nodiscard]] bool has_insertions_from(std::size_t place) const;
  [[nodiscard]] std::size_t size() const { return text_.size(); }
  [[nodiscard]] std::string finished() const;

 private:
  struct Insertion {
    std::size_t place;
    std::string text;
  };
  std::string text_;
  std::vector<Insertion> insertions_;
  int line_ = 1;
};

}  // namespace scripting
