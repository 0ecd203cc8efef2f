#include "tests/transcripts/runner/expectation.hpp"

#include "tests/transcripts/runner/quoting.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace transcripts {
namespace {

using Matcher = Expectation::Matcher;
using Line = std::expected<Expectation, std::string>;

std::optional<long long> to_number(std::string_view text) {
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

// Cuts ` as name` off the end of a line.
std::string cut_capture(std::string_view& line) {
  const std::size_t at = line.rfind(" as ");
  if (at == std::string_view::npos) return {};
  std::string name(line.substr(at + 4));
  line = line.substr(0, at);
  return name;
}

Line read_integer(std::string_view text, Expectation out) {
  out.value.text = text;
  if (!text.starts_with('(')) {
    if (!to_number(text)) return std::unexpected("not an integer: " + std::string(text));
    return out;
  }
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos || !text.ends_with(')')) {
    return std::unexpected("a range is written (lo..hi), (lo..) or (..hi)");
  }
  const std::string_view low = text.substr(1, dots - 1);
  const std::string_view high = text.substr(dots + 2, text.size() - dots - 3);
  const auto low_value = low.empty() ? std::numeric_limits<long long>::min() : to_number(low);
  const auto high_value = high.empty() ? std::numeric_limits<long long>::max() : to_number(high);
  if (!low_value || !high_value) return std::unexpected("bad range " + std::string(text));
  out.matcher = Matcher::range;
  out.low = *low_value;
  out.high = *high_value;
  return out;
}

Line read_string(std::string_view text, Expectation out) {
  auto bytes = read_quoted(text);
  if (!bytes) return std::unexpected(bytes.error());
  if (text == "*") {
    out.matcher = Matcher::prefix;
  } else if (!text.empty()) {
    return std::unexpected("unexpected text behind the string: " + std::string(text));
  }
  out.value.text = std::move(*bytes);
  return out;
}

// A line that starts with `+`, `-` or another one-line RESP type: the text is taken as it stands,
// or quoted.
Line read_text(std::string_view text, Expectation out) {
  if (text.starts_with('"')) return read_string(text, std::move(out));
  if (text.ends_with('*')) {
    out.matcher = Matcher::prefix;
    text.remove_suffix(1);
  }
  out.value.text = text;
  return out;
}

struct Element {
  Expectation expectation;
  std::size_t children = 0;
};

std::expected<Element, std::string> read_line(std::string_view line) {
  line = trimmed(line);
  if (line.empty()) return std::unexpected("empty reply line");
  Element element;
  Expectation& out = element.expectation;
  if (line.starts_with('"') || line.starts_with(':')) out.capture = cut_capture(line);
  if (line.size() >= 2 && line[0] == '~' && is_aggregate(line[1])) {
    out.matcher = Matcher::unordered;
    line.remove_prefix(1);
  }
  out.value.type = line[0] == '"' ? '$' : line[0];
  if (line == "$-1" || line == "*-1") {
    out.value.absent = true;
    return element;
  }
  Line read;
  const std::string_view rest = line.substr(1);
  if (is_aggregate(out.value.type)) {
    const auto count = to_number(rest);
    if (!count || *count < 0) return std::unexpected("bad element count " + std::string(line));
    const bool pairs = out.value.type == '%' || out.value.type == '|';
    element.children = static_cast<std::size_t>(pairs ? 2 * *count : *count);
    if (out.value.type == '~') out.matcher = Matcher::unordered;  // a RESP3 set has no order
    return element;
  }
  if (line[0] == '"') {
    read = read_string(line, std::move(out));
  } else if (line[0] == '=' || line[0] == '!') {
    read = read_string(rest, std::move(out));
  } else if (line[0] == ':') {
    read = read_integer(rest, std::move(out));
  } else if (std::string_view("+-_#,(").find(line[0]) != std::string_view::npos) {
    read = read_text(rest, std::move(out));
  } else {
    return std::unexpected("not a reply element: " + std::string(line));
  }
  if (!read) return std::unexpected(read.error());
  element.expectation = std::move(*read);
  return element;
}

bool matches_without_order(const std::vector<Expectation>& expected,
                           const std::vector<RespValue>& actual, std::size_t stride,
                           Captures& captures) {
  std::vector<bool> used(actual.size() / stride);
  for (std::size_t i = 0; i < expected.size(); i += stride) {
    bool found = false;
    for (std::size_t j = 0; j < used.size() && !found; ++j) {
      if (used[j]) continue;
      Captures trial = captures;
      found = std::ranges::equal(
          std::span(expected).subspan(i, stride), std::span(actual).subspan(j * stride, stride),
          [&](const Expectation& want, const RespValue& got) { return want.matches(got, trial); });
      if (!found) continue;
      used[j] = true;
      captures = std::move(trial);
    }
    if (!found) return false;
  }
  return true;
}

bool matches_leaf(const Expectation& want, const RespValue& actual) {
  switch (want.matcher) {
    case Matcher::exact:
      return want.value.text == actual.text;
    case Matcher::prefix:
      return actual.text.starts_with(want.value.text);
    case Matcher::range: {
      const auto number = to_number(actual.text);
      return number && want.low <= *number && *number <= want.high;
    }
    case Matcher::unordered:
      break;
  }
  return false;
}

}  // namespace

bool Expectation::matches(const RespValue& actual, Captures& captures) const {
  if (actual.type != value.type || actual.absent != value.absent) return false;
  if (value.absent) return true;
  if (is_aggregate(value.type)) {
    if (actual.elements.size() != elements.size()) return false;
    if (matcher == Matcher::unordered) {
      return matches_without_order(elements, actual.elements, value.type == '%' ? 2 : 1, captures);
    }
    return std::ranges::equal(
        elements, actual.elements,
        [&](const Expectation& want, const RespValue& got) { return want.matches(got, captures); });
  }
  if (!matches_leaf(*this, actual)) return false;
  if (!capture.empty()) captures[capture] = actual.text;
  return true;
}

std::expected<ReadExpectation, std::string> read_expectation(std::span<const std::string> lines) {
  if (lines.empty()) return std::unexpected("the reply has fewer lines than its header says");
  auto element = read_line(lines.front());
  if (!element) return std::unexpected(element.error());
  ReadExpectation out{.expectation = std::move(element->expectation), .lines_used = 1};
  for (std::size_t i = 0; i < element->children; ++i) {
    auto child = read_expectation(lines.subspan(out.lines_used));
    if (!child) return child;
    out.lines_used += child->lines_used;
    out.expectation.elements.push_back(std::move(child->expectation));
  }
  return out;
}

}  // namespace transcripts
