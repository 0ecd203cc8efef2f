#include "scripting/lua_number.hpp"

#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace scripting {

NumberText NumberText::of(double value, double whole_below, const char* format) {
  NumberText text;
  if (std::fabs(value) < whole_below && value == std::floor(value) &&
      !(value == 0 && std::signbit(value))) {
    const auto whole = static_cast<std::int64_t>(value);
    const auto end = std::to_chars(text.text_, text.text_ + sizeof text.text_, whole).ptr;
    *end = '\0';
    text.size_ = static_cast<std::size_t>(end - text.text_);
    return text;
  }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"  // both formats are constants of this file
  const int written = std::snprintf(text.text_, sizeof text.text_, format, value);
#pragma GCC diagnostic pop
  text.size_ = static_cast<std::size_t>(written);
  return text;
}

NumberText NumberText::shown(double value) {
  return of(value, 1e14, "%.14g");
}

NumberText NumberText::exact(double value) {
  return of(value, 1e17, "%.17g");
}

namespace {

// Most numbers of scripts are short decimal integers: keys' arguments and replies.
std::optional<double> small_whole(const char* text, std::size_t size) {
  constexpr std::size_t digits_max = 15;
  const bool negative = size > 1 && text[0] == '-';
  const std::size_t from = negative ? 1 : 0;
  if (size == from || size - from > digits_max) return std::nullopt;
  std::int64_t value = 0;
  for (std::size_t i = from; i < size; ++i) {
    if (text[i] < '0' || text[i] > '9') return std::nullopt;
    value = value * 10 + (text[i] - '0');
  }
  const auto magnitude = static_cast<double>(value);
  return negative ? -magnitude : magnitude;
}

}  // namespace

std::optional<double> number_from_text(const char* text, std::size_t size) {
  if (const auto whole = small_whole(text, size)) return whole;
  char* end = nullptr;
  double value = std::strtod(text, &end);
  if (end == text) return std::nullopt;
  if (*end == 'x' || *end == 'X') value = static_cast<double>(std::strtoul(text, &end, 16));
  while (std::isspace(static_cast<unsigned char>(*end)) != 0) ++end;
  if (*end != '\0') return std::nullopt;  // a NUL ends the text, as in 5.1
  return value;
}

}  // namespace scripting
