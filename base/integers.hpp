// Text ↔ 64-bit integers, as strictly as Redis reads them: no spaces, no '+', no leading zeros, no
// "-0"; overflow is no number. (string2ll's rules, observed on redis-server 7.0.15.)
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace base {

inline constexpr std::size_t int64_text_bytes_max = 20;

[[nodiscard]] inline std::optional<std::int64_t> parse_int64(std::string_view text) {
  if (text.empty() || text.size() > int64_text_bytes_max) return std::nullopt;
  const bool negative = text.front() == '-';
  const std::string_view digits = negative ? text.substr(1) : text;
  if (digits.empty() || digits.front() < '0' || digits.front() > '9') return std::nullopt;
  if (digits.front() == '0' && text.size() > 1) return std::nullopt;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// A decimal number as text without allocation. The view dies with the object.
class IntegerText {
 public:
  explicit IntegerText(std::int64_t value)
      : end_(std::to_chars(text_, text_ + sizeof text_, value).ptr) {}
  [[nodiscard]] std::string_view view() const {
    return {text_, static_cast<std::size_t>(end_ - text_)};
  }

 private:
  char text_[int64_text_bytes_max];
  char* end_;
};

}  // namespace base
