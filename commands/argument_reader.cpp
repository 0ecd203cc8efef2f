#include "commands/argument_reader.hpp"

#include "base/integers.hpp"
#include "commands/error_replies.hpp"

namespace commands {

bool is_word(std::string_view text, std::string_view upper) {
  if (text.size() != upper.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    const bool lower = letter >= 'a' && letter <= 'z';
    if ((lower ? static_cast<char>(letter - 32) : letter) != upper[i]) return false;
  }
  return true;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& letter : lower) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter + 32);
  }
  return lower;
}

std::string_view ArgumentReader::next() {
  if (failed()) return {};
  if (next_ >= args_.size()) {
    fail(error_text::syntax);
    return {};
  }
  return args_[next_++];
}

std::span<const std::string_view> ArgumentReader::take(std::size_t count) {
  if (count > left()) fail(error_text::syntax);
  if (failed()) return {};
  const auto taken = args_.subspan(next_, count);
  next_ += count;
  return taken;
}

std::int64_t ArgumentReader::next_integer() {
  const std::string_view text = next();
  if (failed()) return 0;
  const auto value = base::parse_int64(text);
  if (!value) fail(error_text::not_an_integer);
  return value.value_or(0);
}

std::int64_t ArgumentReader::next_integer_between(std::int64_t low, std::int64_t high,
                                                  std::string_view error) {
  const std::string_view text = next();
  if (failed()) return low;
  const auto value = base::parse_int64(text);
  if (value && low <= *value && *value <= high) return *value;
  fail(error);
  return low;
}

bool ArgumentReader::take_word(std::string_view upper) {
  if (!has_more() || !is_word(args_[next_], upper)) return false;
  ++next_;
  return true;
}

void ArgumentReader::fail(std::string_view error) {
  if (error_.empty()) error_ = error;
}

bool ArgumentReader::done() {
  if (!failed() && next_ < args_.size()) fail(error_text::syntax);
  return !failed();
}

}  // namespace commands
