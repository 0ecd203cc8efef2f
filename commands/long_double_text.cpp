#include "commands/long_double_text.hpp"

#include "base/assert.hpp"

#include <array>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace commands {
namespace {

// The longest value of 80 bits has 4933 digits before the point.
constexpr std::size_t text_bytes_max = std::size_t{5} * 1024;

}  // namespace

std::optional<long double> parse_long_double(std::string_view text) {
  if (text.empty() || text.size() >= text_bytes_max) return std::nullopt;
  if (std::isspace(static_cast<unsigned char>(text.front())) != 0) return std::nullopt;
  const std::string terminated(text);
  char* end = nullptr;
  errno = 0;
  const long double value = std::strtold(terminated.c_str(), &end);
  if (end != terminated.c_str() + terminated.size()) return std::nullopt;
  const bool out_of_range = errno == ERANGE && (std::isinf(value) || value == 0);
  if (out_of_range || errno == EINVAL || std::isnan(value)) return std::nullopt;
  return value;
}

std::string format_long_double(long double value) {
  std::array<char, text_bytes_max> text{};
  const int length = std::snprintf(text.data(), text.size(), "%.17Lf", value);
  ASSERT(length > 0 && static_cast<std::size_t>(length) < text.size());
  std::string_view digits(text.data(), static_cast<std::size_t>(length));
  digits.remove_suffix(digits.size() - 1 - digits.find_last_not_of('0'));
  if (digits.ends_with('.')) digits.remove_suffix(1);
  return digits == "-0" ? "0" : std::string(digits);
}

}  // namespace commands
