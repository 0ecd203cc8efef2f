#include "tests/transcripts/runner/resp_value.hpp"

#include "tests/transcripts/runner/quoting.hpp"

#include <charconv>
#include <system_error>
#include <utility>

namespace transcripts {
namespace {

using Parsed = std::expected<std::optional<RespValue>, std::string>;

std::optional<long long> read_length(std::string_view digits) {
  long long value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return value;
}

Parsed parse(std::string_view bytes, std::size_t& at);

Parsed parse_string(RespValue value, long long length, std::string_view bytes, std::size_t& at) {
  if (length < 0) {
    value.absent = true;
    return value;
  }
  const auto size = static_cast<std::size_t>(length);
  if (bytes.size() < at + size + 2) return std::nullopt;
  value.text = bytes.substr(at, size);
  if (bytes.substr(at + size, 2) != "\r\n") return std::unexpected("string without CRLF behind it");
  at += size + 2;
  return value;
}

Parsed parse_children(RespValue value, long long length, std::string_view bytes, std::size_t& at) {
  if (length < 0) {
    value.absent = true;
    return value;
  }
  const bool pairs = value.type == '%' || value.type == '|';
  for (long long i = 0; i < (pairs ? 2 * length : length); ++i) {
    auto child = parse(bytes, at);
    if (!child || !*child) return child;
    value.elements.push_back(std::move(**child));
  }
  return value;
}

Parsed parse(std::string_view bytes, std::size_t& at) {
  const std::size_t line_end = bytes.find("\r\n", at);
  if (at < bytes.size() && std::string_view("+-:$*_#,(=!%~>|").find(bytes[at]) == bytes.npos) {
    return std::unexpected("not RESP: " + quoted(bytes.substr(at, 40)));
  }
  if (line_end == std::string_view::npos) return std::nullopt;
  RespValue value{.type = bytes[at], .text = {}, .absent = false, .elements = {}};
  const std::string_view rest = bytes.substr(at + 1, line_end - at - 1);
  at = line_end + 2;
  const bool is_string = value.type == '$' || value.type == '=' || value.type == '!';
  if (!is_string && !is_aggregate(value.type)) {
    value.text = rest;
    return value;
  }
  const auto length = read_length(rest);
  if (!length) return std::unexpected("bad length: " + quoted(rest));
  return is_string ? parse_string(std::move(value), *length, bytes, at)
                   : parse_children(std::move(value), *length, bytes, at);
}

// A line's blanks at the end are not seen, and a star at the end is a matcher.
bool needs_quotes(std::string_view text) {
  return text.starts_with('"') || text.ends_with(' ') || text.ends_with('*');
}

void write(const RespValue& value, const std::string& indent, std::vector<std::string>& out) {
  if (value.absent) {
    out.push_back(indent + value.type + "-1");
    return;
  }
  if (is_aggregate(value.type)) {
    const bool pairs = value.type == '%' || value.type == '|';
    const std::size_t count = pairs ? value.elements.size() / 2 : value.elements.size();
    out.push_back(indent + value.type + std::to_string(count));
    for (const RespValue& child : value.elements) write(child, indent + "  ", out);
    return;
  }
  if (value.type == '$') {
    out.push_back(indent + quoted(value.text));
  } else if (value.type == '=' || value.type == '!' || needs_quotes(value.text)) {
    out.push_back(indent + value.type + quoted(value.text));
  } else {
    out.push_back(indent + value.type + value.text);
  }
}

}  // namespace

std::expected<std::optional<RespValue>, std::string> RespReader::next() {
  std::size_t at = position_;
  auto value = parse(buffer_, at);
  if (!value || !*value) return value;
  position_ = at;
  if (position_ == buffer_.size()) {
    buffer_.clear();
    position_ = 0;
  }
  return value;
}

std::vector<std::string> written_lines(const RespValue& value) {
  std::vector<std::string> out;
  write(value, "", out);
  return out;
}

}  // namespace transcripts
