#include "tests/transcripts/runner/replay.hpp"

#include "tests/transcripts/runner/quoting.hpp"

#include <span>
#include <utility>

namespace transcripts {
namespace {

using Kind = Step::Kind;
using std::chrono::milliseconds;

constexpr milliseconds reply_limit{30000};     // generous: a sanitized server on a busy machine
constexpr milliseconds silence_limit{40};      // how long "nothing arrives" listens over TCP
constexpr milliseconds recording_limit{15};    // further replies to one command: SUBSCRIBE a b
constexpr std::string_view placeholder = "?";  // a reply line still to be recorded

bool is_request(const Step& step) {
  return step.kind == Kind::send_command || step.kind == Kind::send_bytes;
}

std::string encoded(const std::vector<std::string>& arguments) {
  std::string out = "*" + std::to_string(arguments.size()) + "\r\n";
  for (const std::string& argument : arguments) {
    out += "$" + std::to_string(argument.size()) + "\r\n" + argument + "\r\n";
  }
  return out;
}

std::string joined(std::span<const std::string> lines) {
  std::string out;
  for (const std::string& line : lines) out += "    " + line + "\n";
  return out;
}

std::unexpected<std::string> failure(const Step& step, const std::string& what) {
  return std::unexpected("line " + std::to_string(step.line) + ": " + step.source + "\n" + what);
}

std::expected<std::string, std::string> request_bytes(const Step& step, std::string_view text) {
  if (step.kind == Kind::send_bytes) return read_raw_bytes(text);
  const auto arguments = split_arguments(text);
  if (!arguments) return std::unexpected(arguments.error());
  return encoded(*arguments);
}

}  // namespace

Replay::Replay(const Transcript& transcript, Backend& backend, std::string backend_name, Mode mode)
    : transcript_(transcript),
      backend_(backend),
      backend_name_(std::move(backend_name)),
      mode_(mode) {}

PlayResult Replay::run() {
  while (next_ < transcript_.steps.size()) {
    const Step& step = transcript_.steps[next_];
    if (step.kind == Kind::skip && step.text == backend_name_) break;
    if (auto result = play_next(); !result) return failure(step, result.error());
  }
  while (next_ < transcript_.steps.size()) recorded_.push_back(transcript_.steps[next_++].source);
  return mode_ == Mode::check ? expect_nothing_more() : PlayResult{};
}

// What has arrived by now and is not written down.
PlayResult Replay::expect_nothing_more() {
  for (auto& [name, client] : clients_) {
    if (!client.closed) {
      auto received = backend_.receive(name, milliseconds(0));
      if (!received) return std::unexpected(received.error());
      client.reader.feed(received->bytes);
    }
    if (client.reader.pending().empty()) continue;
    return std::unexpected("at the end, unexpected for " + std::string(1, name) + ": " +
                           quoted(client.reader.pending()));
  }
  return {};
}

PlayResult Replay::play_next() {
  const Step& step = transcript_.steps[next_];
  if (step.client != 0 && !clients_.contains(step.client)) {
    clients_[step.client] = {};
    if (auto result = backend_.connect(step.client); !result) return result;
  }
  if (is_request(step)) return play_requests();
  if (step.kind == Kind::expect_reply) return play_reply();
  recorded_.push_back(step.source);
  ++next_;
  switch (step.kind) {
    case Kind::expect_silence:
      return expect_silence(step.client);
    case Kind::expect_closed:
      return expect_closed(step.client);
    case Kind::advance:
      backend_.advance(step.advance_ms);
      return {};
    case Kind::disconnect:
      backend_.disconnect(step.client);
      clients_.erase(step.client);
      return {};
    default:
      return {};
  }
}

// Consecutive request lines of one client leave in one piece, as a pipeline.
PlayResult Replay::play_requests() {
  const char name = transcript_.steps[next_].client;
  std::string bytes;
  do {
    const Step& step = transcript_.steps[next_];
    const auto request = request_bytes(step, with_captures(step.text));
    if (!request) return std::unexpected(request.error());
    bytes += *request;
    recorded_.push_back(step.source);
    ++next_;
  } while (next_ < transcript_.steps.size() && is_request(transcript_.steps[next_]) &&
           transcript_.steps[next_].client == name);
  if (auto result = backend_.send(name, bytes); !result) return result;
  if (mode_ == Mode::check || reply_is_written(name)) return {};
  return record_what_comes(name);
}

PlayResult Replay::play_reply() {
  const Step& first = transcript_.steps[next_];
  const std::vector<std::string> lines = reply_lines();
  const bool unknown = lines.front() == placeholder;
  auto expectation =
      unknown ? ReadExpectation{.expectation = {}, .lines_used = 1} : read_expectation(lines);
  if (!expectation) return std::unexpected(expectation.error());
  auto arrived = next_element(first.client, reply_limit);
  if (!arrived) return std::unexpected(arrived.error());
  const std::span<const std::string> used = std::span(lines).first(expectation->lines_used);
  if (!*arrived) return std::unexpected("expected\n" + joined(used) + "  nothing came\n");
  if (!unknown && expectation->expectation.matches(**arrived, captures_)) {
    for (std::size_t i = 0; i < used.size(); ++i) {
      recorded_.push_back(transcript_.steps[next_++].source);
    }
    return {};
  }
  if (mode_ == Mode::check) {
    return std::unexpected("expected\n" + joined(used) + "  got\n" +
                           joined(written_lines(**arrived)));
  }
  next_ += used.size();
  record(first.client, **arrived);
  return {};
}

PlayResult Replay::expect_silence(char name) {
  auto arrived = next_element(name, silence_limit);
  if (!arrived) return std::unexpected(arrived.error());
  if (*arrived) return std::unexpected("got\n" + joined(written_lines(**arrived)));
  if (!clients_[name].reader.pending().empty()) {
    return std::unexpected("got " + quoted(clients_[name].reader.pending()));
  }
  return {};
}

PlayResult Replay::expect_closed(char name) {
  Client& client = clients_[name];
  while (!client.closed) {
    auto received = backend_.receive(name, reply_limit);
    if (!received) return std::unexpected(received.error());
    client.reader.feed(received->bytes);
    client.closed = received->closed;
    if (received->bytes.empty() && !client.closed) return std::unexpected("still open");
  }
  if (!client.reader.pending().empty()) {
    return std::unexpected("closed, but before that came " + quoted(client.reader.pending()));
  }
  return {};
}

Replay::Arrived Replay::next_element(char name, milliseconds limit) {
  Client& client = clients_[name];
  while (true) {
    auto element = client.reader.next();
    if (!element || *element) return element;
    if (client.closed) return std::unexpected("the server closed the connection");
    auto received = backend_.receive(name, limit);
    if (!received) return std::unexpected(received.error());
    client.reader.feed(received->bytes);
    client.closed = received->closed;
    if (received->bytes.empty() && !received->closed) return std::nullopt;
  }
}

std::vector<std::string> Replay::reply_lines() const {
  std::vector<std::string> lines;
  const char name = transcript_.steps[next_].client;
  for (std::size_t i = next_; i < transcript_.steps.size(); ++i) {
    const Step& step = transcript_.steps[i];
    if (step.kind != Kind::expect_reply || step.client != name) break;
    lines.push_back(with_captures(step.text));
  }
  return lines;
}

// Whether the step behind a client's requests says what to expect; if not, recording asks the
// server.
bool Replay::reply_is_written(char name) const {
  if (next_ == transcript_.steps.size()) return false;
  const Step& step = transcript_.steps[next_];
  return step.client == name &&
         (step.kind == Kind::expect_reply || step.kind == Kind::expect_silence);
}

PlayResult Replay::record_what_comes(char name) {
  milliseconds limit = reply_limit;
  while (true) {
    auto arrived = next_element(name, limit);
    if (!arrived && clients_[name].closed) return {};
    if (!arrived) return std::unexpected(arrived.error());
    if (!*arrived) return {};
    record(name, **arrived);
    limit = recording_limit;
  }
}

void Replay::record(char name, const RespValue& value) {
  for (const std::string& line : written_lines(value)) {
    recorded_.push_back(std::string(1, name) + "< " + line);
  }
}

std::string Replay::with_captures(std::string_view text) const {
  std::string out(text);
  for (const auto& [name, value] : captures_) {
    const std::string mark = "<" + name + ">";
    // As it stands between quotes; a word or a number is the same without.
    const std::string quotes = transcripts::quoted(value);
    const std::string written = quotes.substr(1, quotes.size() - 2);
    for (std::size_t at = out.find(mark); at != std::string::npos; at = out.find(mark, at)) {
      out.replace(at, mark.size(), written);
      at += written.size();
    }
  }
  return out;
}

}  // namespace transcripts
