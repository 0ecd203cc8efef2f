#include "server/session.hpp"

#include "commands/argument_reader.hpp"
#include "commands/dispatcher.hpp"
#include "server/core.hpp"

#include <utility>

namespace server {
namespace {

// The share of one connection in a turn of the loop; then the others have theirs.
constexpr std::size_t requests_per_turn_max = 1000;
constexpr std::size_t bytes_per_turn_max = std::size_t{1} << 20u;
// A connection without pending input keeps no storage for it, so that idle ones stay small.
constexpr std::size_t kept_input_bytes_max = 15;

}  // namespace

Session::Session(Core& core, std::int64_t id, Transport* transport)
    : core_(core), transport_(transport), client_(id, *this), writer_(outbox_.bytes()) {
  client_.pushes = this;
  core.dispatcher().acl().admit(client_);
  client_.connected_at_us = core.now_us();
  client_.last_command_at_us = core.now_us();
}

Session::~Session() {
  core_.dispatcher().forget(client_);
}

void Session::feed(std::string_view bytes) {
  if (state_ != State::open) return;
  core_.count_input(bytes.size());
  if (executing_ || client_.blocked || !kept().empty()) {
    keep(bytes);
    if (!executing_) execute();
    return;
  }
  const Progress progress = run(bytes);
  if (state_ == State::open) keep(bytes.substr(progress.used));
  if (progress.stop == Stop::budget) core_.make_ready(*this);
}

void Session::execute() {
  if (executing_ || state_ != State::open || client_.blocked || kept().empty()) return;
  // While a script of these requests is slow more input comes: it must not move them.
  std::string running = std::exchange(input_, {});
  const std::size_t start = std::exchange(input_start_, 0);
  const Progress progress = run(std::string_view(running).substr(start));
  if (state_ != State::open) return;
  const bool has_more = !kept().empty();
  running.append(kept());
  input_ = std::move(running);
  input_start_ = start + progress.used;
  keep({});
  if (has_more || progress.stop == Stop::budget) core_.make_ready(*this);
}

void Session::keep(std::string_view rest) {
  if (input_start_ == input_.size()) {
    input_start_ = 0;
    if (input_.capacity() > kept_input_bytes_max + rest.size()) std::string().swap(input_);
    input_.assign(rest);
  } else {
    if (input_start_ > input_.size() / 2) {
      input_.erase(0, input_start_);
      input_start_ = 0;
    }
    input_.append(rest);
  }
  if (input_.size() - input_start_ <= core_.server_settings().query_bytes_max) return;
  core_.log().warning("Closing client that reached max query buffer length: id=" +
                      std::to_string(client_.id()) + " addr=" + client_.figures.address);
  core_.count_query_buffer_limit();
  abort();
}

bool Session::wants_turn() const {
  return state_ == State::open && !executing_ && !client_.blocked && !is_paused &&
         input_start_ < input_.size();
}

Session::Progress Session::run(std::string_view input) {
  Progress progress;
  executing_ = true;
  core_.begin_run(*this);
  const std::size_t said_before = outbox_.size();
  for (std::size_t requests = 0; may_go_on(progress, requests, said_before); ++requests) {
    if (!run_next(input.substr(progress.used), progress)) break;
  }
  executing_ = false;
  core_.end_run(*this);
  return progress;
}

// Whether another request may run in this turn; tells `progress` why not.
bool Session::may_go_on(Progress& progress, std::size_t requests, std::size_t said_before) {
  if (state_ != State::open || client_.blocked || core_.holds_everyone(*this)) {
    progress.stop = Stop::held;
    return false;
  }
  const bool has_share = requests < requests_per_turn_max && progress.used < bytes_per_turn_max &&
                         outbox_.size() < said_before + bytes_per_turn_max;
  if (!has_share) progress.stop = Stop::budget;
  return has_share;
}

// The first request of `rest`. False: it is incomplete, must wait, or was the last.
bool Session::run_next(std::string_view rest, Progress& progress) {
  if (rest.empty()) return false;
  parser_.set_authenticated(client_.authenticated);
  const auto outcome = parser_.next(rest);
  if (outcome == protocol::RequestParser::Outcome::incomplete) return false;
  if (outcome == protocol::RequestParser::Outcome::broken) {
    writer_.error(parser_.complaint());
    end();
    return false;
  }
  const auto args = parser_.args();
  if (!args.empty()) {
    if (refuse_web_request(rest, args[0])) return false;
    if (core_.holds(*this, args)) {
      progress.stop = Stop::held;
      return false;
    }
    run_request(args);
  }
  progress.used += parser_.consumed();
  return true;
}

void Session::run_request(std::span<const std::string_view> args) {
  using commands::ReplyMode;
  client_.last_command_at_us = core_.now_us();
  if (client_.reply_mode != ReplyMode::on) {
    run_muted(args);
  } else {
    core_.dispatcher().execute(args, client_, writer_);
  }
  if (client_.close_after_reply) end();
}

// Messages, and confirmations of subscriptions, are not replies: they go out all the same.
void Session::run_muted(std::span<const std::string_view> args) {
  using commands::ReplyMode;
  if (client_.reply_mode == ReplyMode::skip_next) client_.reply_mode = ReplyMode::skip;
  std::string unheard;
  protocol::RespWriter writer(unheard, client_.version);
  const ReplyMode before = client_.reply_mode;
  core_.dispatcher().execute(args, client_, writer);
  writer_.set_version(client_.version);
  const bool confirms_subscriptions =
      client_.last_command != nullptr &&
      client_.last_command->flags.has(commands::flag::pubsub | commands::flag::subscribed_ok);
  if (client_.reply_mode == ReplyMode::on || confirms_subscriptions) {
    outbox_.bytes() += unheard;  // CLIENT REPLY ON, RESET
  }
  if (client_.blocked) return;  // what it waits for is still to be silenced
  if (before == ReplyMode::skip && client_.reply_mode == ReplyMode::skip) {
    client_.reply_mode = ReplyMode::on;
  }
}

// A web page may make a browser send requests here: what begins like HTTP ends the connection.
bool Session::refuse_web_request(std::string_view input, std::string_view name) {
  if (input.front() == '*') return false;
  if (!commands::is_word(name, "POST") && !commands::is_word(name, "HOST:")) return false;
  core_.log().warning(
      "Possible SECURITY ATTACK: a client sends HTTP (cross-protocol scripting). Connection "
      "closed: addr=" +
      client_.figures.address);
  abort();
  return true;
}

void Session::deliver(engine::ChannelKind kind, std::string_view pattern, std::string_view channel,
                      std::string_view message) {
  if (state_ != State::open) return;
  switch (kind) {
    case engine::ChannelKind::pattern:
      writer_.push(4);
      writer_.bulk("pmessage");
      writer_.bulk(pattern);
      break;
    case engine::ChannelKind::shard:
      writer_.push(3);
      writer_.bulk("smessage");
      break;
    case engine::ChannelKind::channel:
      writer_.push(3);
      writer_.bulk("message");
      break;
  }
  writer_.bulk(channel);
  writer_.bulk(message);
  core_.make_dirty(*this);
  check_output_limit();
}

void Session::push(base::FunctionRef<void(protocol::ReplySink&)> write) {
  if (state_ != State::open) return;
  write(writer_);
  core_.make_dirty(*this);
  check_output_limit();
}

void Session::check_output_limit() {
  const bool is_subscriber = client_.subscriptions + client_.shard_subscriptions != 0;
  const OutputLimit& limit = core_.server_settings().output_limits.at(
      std::to_underlying(is_subscriber ? ClientClass::pubsub : ClientClass::normal));
  const std::size_t size = outbox_.size();
  if (limit.soft_bytes == 0 || size <= limit.soft_bytes) {
    soft_limit_until_us_ = 0;
  } else if (soft_limit_until_us_ == 0) {
    soft_limit_until_us_ = core_.now_us() + limit.soft_seconds * 1'000'000;
    core_.watch_soft_limit();
  }
  const bool too_long = soft_limit_until_us_ != 0 && core_.now_us() > soft_limit_until_us_;
  if (!too_long && (limit.hard_bytes == 0 || size <= limit.hard_bytes)) return;
  core_.log().warning("Client closed for overcoming of output buffer limits: id=" +
                      std::to_string(client_.id()) + " addr=" + client_.figures.address);
  core_.count_output_buffer_limit();
  abort();
}

// What silences replies silences this one, too.
void Session::answer_blocked_call(commands::ClientRegistry::Answer answer) {
  using commands::ReplyMode;
  if (!client_.blocked) return;
  const auto call = std::move(client_.blocked);
  std::string unheard;
  protocol::RespWriter muted(unheard, client_.version);
  answer(*call, client_.reply_mode == ReplyMode::on ? writer_ : muted);
  if (client_.reply_mode == ReplyMode::skip) client_.reply_mode = ReplyMode::on;
  core_.clients().forget_blocked(*this);
  core_.make_dirty(*this);
  core_.make_ready(*this);
}

void Session::time_out_blocked_call() {
  answer_blocked_call(
      [](commands::BlockedCall& call, protocol::ReplySink& reply) { call.time_out(reply); });
}

void Session::unblock(commands::UnblockReason reason) {
  if (reason == commands::UnblockReason::timeout) return time_out_blocked_call();
  answer_blocked_call([](commands::BlockedCall& call, protocol::ReplySink& reply) {
    call.unblock_with_error(reply);
  });
}

void Session::output_sent(std::size_t bytes) {
  outbox_.sent(bytes);
  core_.count_output(bytes);
  if (soft_limit_until_us_ != 0) check_output_limit();
  if (state_ == State::ending && outbox_.size() == 0) abort();
}

std::string Session::take_output() {
  std::string taken(output());
  output_sent(taken.size());
  return taken;
}

void Session::hang_up() {
  abort();
}

void Session::end() {
  if (state_ != State::open) return;
  state_ = State::ending;
  std::string().swap(input_);
  input_start_ = 0;
  core_.make_dirty(*this);
  if (!executing_ && outbox_.size() == 0) abort();
}

void Session::abort() {
  if (state_ == State::ended) return;
  state_ = State::ended;
  // From here on others are served in its place.
  client_.blocked.reset();
  core_.clients().forget_blocked(*this);
  core_.bury(*this);
}

void Session::seal(const Condition& condition, const Condition& reached) {
  outbox_.seal(condition, reached);
  if (state_ == State::ending && outbox_.size() == 0) abort();
}

void Session::refresh_figures() {
  commands::ConnectionFigures& figures = client_.figures;
  figures.query_bytes = input_.size() - input_start_;
  figures.query_free_bytes = input_.capacity() - input_.size();
  figures.output_bytes = outbox_.size();
  figures.memory_bytes =
      sizeof(Session) + input_.capacity() + outbox_.memory_bytes() + parser_.memory_bytes();
}

}  // namespace server
