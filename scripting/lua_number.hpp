// Numbers as Lua 5.1 shows and reads them. Every number a script sees is a double: text is "%.14g"
// (no ".0"), reading follows strtod and the base-N rule of 5.1's tonumber.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace scripting {

inline constexpr std::size_t number_text_bytes_max = 40;

class NumberText {
 public:
  // What tostring and ".." give.
  static NumberText shown(double value);
  // What a number becomes as an argument of redis.call: "%.17g".
  static NumberText exact(double value);
  [[nodiscard]] std::string_view view() const { return {text_, size_}; }
  [[nodiscard]] const char* data() const { return text_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  NumberText() = default;
  static NumberText of(double value, double whole_below, const char* format);
  char text_[number_text_bytes_max];
  std::size_t size_ = 0;
};

// Whole text, blanks around allowed: decimal, hexadecimal, "inf", "nan". `text` must be followed by
// a NUL byte (Lua's strings are).
std::optional<double> number_from_text(const char* text, std::size_t size);

}  // namespace scripting
