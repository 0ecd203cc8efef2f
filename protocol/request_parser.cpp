#include "protocol/request_parser.hpp"

#include "base/integers.hpp"
#include "protocol/quoting.hpp"

#include <utility>

namespace protocol {
namespace {

// A request of this many arguments is rare enough not to keep its storage afterwards.
constexpr std::size_t kept_arguments_max = 1024;

// Lengths of up to three digits are nearly all there are; anything else is read with care.
std::optional<std::int64_t> read_number(std::string_view digits) {
  const auto digit = [&](std::size_t i) { return static_cast<unsigned>(digits[i]) - '0'; };
  if (digits.size() == 1 && digit(0) <= 9) return digit(0);
  if (digits.size() == 2 && digit(0) - 1 <= 8 && digit(1) <= 9) return digit(0) * 10 + digit(1);
  return base::parse_int64(digits);
}

}  // namespace

RequestParser::Outcome RequestParser::next(std::string_view input) {
  if (arguments_left_ < 0 && position_ == 0 && searched_ == 0) start();
  if (input.empty()) return wait_for(1);
  return arguments_left_ >= 0 || input.front() == '*' ? next_multibulk(input) : next_inline(input);
}

void RequestParser::start() {
  consumed_ = 0;
  arguments_.clear();
  pieces_.clear();
  unquoted_.clear();
  if (pieces_.capacity() > kept_arguments_max) {
    pieces_.shrink_to_fit();
    arguments_.shrink_to_fit();
  }
}

RequestParser::Outcome RequestParser::next_multibulk(std::string_view input) {
  if (arguments_left_ < 0) {
    if (const Outcome outcome = read_count(input); outcome != Outcome::request) return outcome;
  }
  while (arguments_left_ > 0) {
    if (bulk_bytes_ < 0) {
      const Outcome outcome = read_bulk_header(input);
      if (outcome != Outcome::request) return outcome;
    }
    // Redis 7.0: the two bytes behind an argument are skipped, whatever they are.
    const auto size = static_cast<std::size_t>(bulk_bytes_);
    const std::size_t needed = position_ + size + 2;
    if (input.size() < needed) return wait_for(needed - input.size());
    pieces_.push_back({position_, size});
    position_ = needed;
    bulk_bytes_ = -1;
    --arguments_left_;
  }
  finish(input);
  return Outcome::request;
}

RequestParser::Outcome RequestParser::read_count(std::string_view input) {
  switch (read_header(input)) {
    case Header::incomplete:
      return wait_for(1);
    case Header::too_long:
      return break_with("too big mbulk count string");
    case Header::read:
      break;
  }
  if (!number_ || *number_ > limits_.arguments_max) return break_with("invalid multibulk length");
  if (!authenticated_ && *number_ > arguments_max_unauthenticated) {
    return break_with("unauthenticated multibulk length");
  }
  arguments_left_ = *number_ > 0 ? *number_ : 0;
  return Outcome::request;
}

RequestParser::Outcome RequestParser::read_bulk_header(std::string_view input) {
  const std::size_t start = position_;
  switch (read_header(input)) {
    case Header::incomplete:
      return wait_for(1);
    case Header::too_long:
      return break_with("too big bulk count string");
    case Header::read:
      break;
  }
  if (input[start] != '$') {
    return break_with(std::string("expected '$', got '") + input[start] + "'");
  }
  if (!number_ || *number_ < 0 || std::cmp_greater(*number_, limits_.bulk_bytes_max)) {
    return break_with("invalid bulk length");
  }
  if (!authenticated_ && std::cmp_greater(*number_, bulk_bytes_max_unauthenticated)) {
    return break_with("unauthenticated bulk length");
  }
  bulk_bytes_ = *number_;
  return Outcome::request;
}

// Redis 7.0: a header ends at the first CR, and the byte after it is skipped unseen.
RequestParser::Header RequestParser::read_header(std::string_view input) {
  const std::size_t end = input.find('\r', position_ + searched_);
  const std::size_t length = (end == std::string_view::npos ? input.size() : end) - position_;
  if (length > line_bytes_max) return Header::too_long;
  searched_ = length;
  if (end == std::string_view::npos || end + 1 >= input.size()) return Header::incomplete;
  // An empty line has no letter in front of its number.
  number_ = length == 0 ? std::nullopt : read_number(input.substr(position_ + 1, length - 1));
  position_ = end + 2;
  searched_ = 0;
  return Header::read;
}

RequestParser::Outcome RequestParser::next_inline(std::string_view input) {
  const std::size_t end = input.find('\n', searched_);
  const std::size_t length = end == std::string_view::npos ? input.size() : end;
  if (length > line_bytes_max) return break_with("too big inline request");
  searched_ = length;
  if (end == std::string_view::npos) return wait_for(1);
  std::string_view line = input.substr(0, end);
  if (line.ends_with('\r')) line.remove_suffix(1);
  auto words = split_words(line);
  if (!words) return break_with("unbalanced quotes in request");
  unquoted_ = std::move(*words);
  for (const std::string& word : unquoted_) arguments_.emplace_back(word);
  searched_ = 0;
  consumed_ = end + 1;
  return Outcome::request;
}

void RequestParser::finish(std::string_view input) {
  arguments_.resize(pieces_.size());
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    arguments_[i] = {input.data() + pieces_[i].offset, pieces_[i].size};
  }
  consumed_ = position_;
  position_ = 0;
  arguments_left_ = -1;
}

RequestParser::Outcome RequestParser::wait_for(std::size_t bytes) {
  missing_ = bytes;
  return Outcome::incomplete;
}

RequestParser::Outcome RequestParser::break_with(std::string_view what) {
  complaint_ = "ERR Protocol error: ";
  complaint_ += what;
  return Outcome::broken;
}

std::size_t RequestParser::memory_bytes() const {
  return arguments_.capacity() * sizeof(std::string_view) + pieces_.capacity() * sizeof(Piece) +
         unquoted_.capacity() * sizeof(std::string);
}

}  // namespace protocol
