#include "commands/score_text.hpp"

#include "base/integers.hpp"

#include <array>
#include <cctype>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace commands {
namespace {

struct Reading {
  double value;
  std::size_t bytes;
  bool out_of_range;
};

Reading read_number(const std::string& text) {
  char* end = nullptr;
  errno = 0;
  const double value = std::strtod(text.c_str(), &end);
  const bool out_of_range = errno == ERANGE && (std::isinf(value) || value == 0);
  return {value, static_cast<std::size_t>(end - text.c_str()), out_of_range};
}

}  // namespace

std::optional<double> parse_score(std::string_view text) {
  if (text.empty() || std::isspace(static_cast<unsigned char>(text.front())) != 0) {
    return std::nullopt;
  }
  const Reading reading = read_number(std::string(text));
  if (reading.bytes != text.size() || reading.out_of_range || std::isnan(reading.value)) {
    return std::nullopt;
  }
  return reading.value;
}

std::optional<double> parse_score_bound(std::string_view text) {
  const std::string terminated(text.substr(0, text.find('\0')));
  const Reading reading = read_number(terminated);
  if (reading.bytes != terminated.size() || std::isnan(reading.value)) return std::nullopt;
  return reading.value;
}

std::string packed_score_text(double score) {
  constexpr double integers_max = 4611686018427387904.0;
  if (score < -integers_max || score > integers_max || score != std::trunc(score)) {
    return score_text(score);
  }
  return std::string(base::IntegerText(static_cast<std::int64_t>(score)).view());
}

std::string score_text(double score) {
  if (std::isinf(score)) return score > 0 ? "inf" : "-inf";
  std::array<char, 40> text{};
  const int length = std::snprintf(text.data(), text.size(), "%.17g", score);
  return {text.data(), static_cast<std::size_t>(length)};
}

}  // namespace commands
