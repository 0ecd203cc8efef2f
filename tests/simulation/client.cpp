#include "tests/simulation/client.hpp"

#include <algorithm>
#include <utility>

namespace simulation {

void Client::connect(server::Session& session) {
  session_ = &session;
  is_deaf_ = false;
  reads_max_ = 0;
  answers_.clear();
  messages_.clear();
  input_.clear();
  read_ = noted_ = 0;
  said_.clear();
  saw_this_turn_ = false;
  monitors = tracks = false;
  channels.clear();
}

void Client::session_ended() {
  session_ = nullptr;
}

void Client::flush() {
  if (is_deaf_ || disk_.is_process_dead() || session_ == nullptr) return;
  const std::string_view there = session_->output();
  const std::size_t size = reads_max_ == 0 ? there.size() : std::min(there.size(), reads_max_);
  if (size == 0) return;
  input_ += there.substr(0, size);
  session_->output_sent(size);
  saw(read_ + size);
  parse();
}

void Client::saw(std::uint64_t end) {
  read_ = end;
  // Some of a piece is as good as all of it.
  while (!said_.empty()) {
    promises_.saw(said_.front().position);
    if (said_.front().end > end) return;
    const bool is_all = said_.front().end == end;
    said_.pop_front();
    if (is_all) return;
  }
  saw_this_turn_ = true;
}

void Client::note_turn(engine::Position position) {
  if (std::exchange(saw_this_turn_, false)) promises_.saw(position);
  if (session_ == nullptr) return;
  session_->refresh_figures();
  const std::uint64_t end = read_ + session_->client().figures.output_bytes;
  if (end > noted_ && end > read_) said_.push_back({end, position});
  noted_ = end;
}

void Client::parse() {
  while (!input_.empty() && !verdict_.has_failed()) {
    const auto end = value_end(input_);
    if (!end) return;
    const std::string value = input_.substr(0, *end);
    input_.erase(0, *end);
    if (verdict_.is_told()) verdict_.tell(name() + " < " + printable(value));
    check(value);
  }
}

void Client::check(std::string_view value) {
  constexpr std::string_view invalidation = ">2\r\n$10\r\ninvalidate\r\n";
  if (value.starts_with(invalidation)) {
    ++pushes_;
    if (!tracks) complain("an invalidation", value, "none");
  } else if (is_message(value)) {
    check_message(value);
  } else if (monitors && answers_.empty()) {
    ++pushes_;
    // A line of MONITOR. What it shows is checked elsewhere; here, when it leaves.
    if (value.front() != '+') complain("a line", value, "+...");
  } else {
    check_answer(value);
  }
}

bool Client::is_message(std::string_view value) const {
  constexpr std::string_view kind = "3\r\n$7\r\nmessage\r\n";
  return !channels.empty() && value.substr(1).starts_with(kind);
}

void Client::check_message(std::string_view value) {
  ++pushes_;
  if (messages_.empty()) return complain("a message", value, "none");
  if (messages_.front() != value) return complain("a message", value, messages_.front());
  messages_.pop_front();
}

bool Client::fits(const Answer& answer, std::string_view value) {
  const bool is_refusal = value.find("MISCONF ") != std::string_view::npos;
  if (answer.may_be_refused && is_refusal) ++refusals_;
  if (answer.is_any || (answer.may_be_refused && is_refusal)) return true;
  return !answer.is_refused && answer.text == value;
}

void Client::check_answer(std::string_view value) {
  if (answers_.empty()) return complain("an answer", value, "none");
  const std::shared_ptr<Answer> answer = answers_.front();
  answers_.pop_front();
  if (!answer->text) return complain("an answer", value, "none yet");
  if (!fits(*answer, value)) {
    return complain("an answer", value,
                    answer->is_refused ? "a refusal" : answer->text.value_or(""));
  }
  if (answer->then) answer->then(std::string(value));
}

void Client::complain(std::string_view what, std::string_view value, std::string_view expected) {
  verdict_.fail(name() + " got " + std::string(what) + " " + printable(value) + ", not " +
                printable(expected));
}

}  // namespace simulation
