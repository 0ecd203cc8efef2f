#include "tests/transcripts/runner/transcript.hpp"

#include <charconv>
#include <cstddef>
#include <fstream>
#include <system_error>
#include <utility>

namespace transcripts {
namespace {

using Kind = Step::Kind;
using Parsed = std::expected<Step, std::string>;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool is_client(std::string_view text) {
  return text.size() == 1 && text[0] >= 'A' && text[0] <= 'Z';
}

Parsed parse_advance(std::string_view rest, Step step) {
  const auto [end, error] =
      std::from_chars(rest.data(), rest.data() + rest.size(), step.advance_ms);
  if (error != std::errc{} || std::string_view(end, rest.data() + rest.size()) != "ms") {
    return std::unexpected("@advance wants milliseconds, as in @advance 20ms");
  }
  step.kind = Kind::advance;
  return step;
}

Parsed parse_skip(std::string_view rest, Step step) {
  const std::size_t colon = rest.find(':');
  if (colon == std::string_view::npos || trimmed(rest.substr(colon + 1)).empty()) {
    return std::unexpected("@skip wants a backend and a reason, as in @skip redis: why");
  }
  step.kind = Kind::skip;
  step.text = trimmed(rest.substr(0, colon));
  if (step.text != "redis" && step.text != "tcp" && step.text != "in_process") {
    return std::unexpected("@skip knows the backends redis, tcp and in_process");
  }
  return step;
}

Parsed parse_directive(std::string_view line, Step step) {
  const std::size_t blank = line.find(' ');
  const std::string_view word = line.substr(0, blank);
  std::string_view rest = blank == std::string_view::npos ? "" : line.substr(blank + 1);
  if (word == "@skip") return parse_skip(rest, std::move(step));
  rest = trimmed(rest.substr(0, rest.find('#')));
  if (word == "@advance") return parse_advance(rest, std::move(step));
  if (word == "@expect-silence") {
    step.kind = Kind::expect_silence;
  } else if (word == "@expect-closed") {
    step.kind = Kind::expect_closed;
  } else if (word == "@disconnect") {
    step.kind = Kind::disconnect;
  } else {
    return std::unexpected("unknown directive " + std::string(word));
  }
  if (!is_client(rest)) return std::unexpected(std::string(word) + " wants a client, A to Z");
  step.client = rest[0];
  return step;
}

Parsed parse_line(const std::string& source, int line) {
  Step step{
      .kind = Kind::note, .line = line, .client = 0, .text = {}, .advance_ms = 0, .source = source};
  const std::string_view text = trimmed(source);
  if (text.empty() || text.front() == '#') return step;
  if (text.front() == '@') return parse_directive(text, std::move(step));
  if (text.size() < 2 || !is_client(text.substr(0, 1))) {
    return std::unexpected("neither a client's line, nor a directive, nor a comment");
  }
  step.client = text[0];
  std::string_view rest = text.substr(1);
  if (rest.starts_with(">> ")) {
    step.kind = Kind::send_bytes;
    rest.remove_prefix(3);
  } else if (rest.starts_with("> ")) {
    step.kind = Kind::send_command;
    rest.remove_prefix(2);
  } else if (rest.starts_with("< ")) {
    step.kind = Kind::expect_reply;
    rest.remove_prefix(2);
  } else {
    return std::unexpected("a client's line is A> command, A>> \"bytes\" or A< reply");
  }
  step.text = trimmed(rest);
  return step;
}

}  // namespace

bool Transcript::runs_on(std::string_view backend) const {
  for (const Step& step : steps) {
    if (step.kind == Kind::skip && step.text == backend) return false;
    if (step.client != 0) return true;
  }
  return true;
}

std::expected<Transcript, std::string> load_transcript(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) return std::unexpected(file.string() + ": cannot be read");
  Transcript out;
  std::string source;
  for (int line = 1; std::getline(in, source); ++line) {
    const auto where = [&] { return file.string() + ":" + std::to_string(line) + ": "; };
    if (line == 1) {
      if (!source.starts_with("# "))
        return std::unexpected(where() + "the first line says what is shown: # …");
      out.description = source.substr(2);
    }
    auto step = parse_line(source, line);
    if (!step) return std::unexpected(where() + step.error());
    out.steps.push_back(std::move(*step));
  }
  if (out.steps.empty()) return std::unexpected(file.string() + ": empty");
  return out;
}

}  // namespace transcripts
