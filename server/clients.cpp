#include "server/clients.hpp"

#include "commands/dispatcher.hpp"
#include "server/core.hpp"

#include <algorithm>
#include <utility>

namespace server {
namespace {

constexpr std::int64_t sweep_interval_us = 1'000'000;

}  // namespace

Session& Clients::open(Transport* transport) {
  const std::int64_t id = next_id_++;
  auto session = std::make_unique<Session>(core_, id, transport);
  Session& opened = *session;
  opened.set_request_limits(request_limits_);
  sessions_.emplace_hint(sessions_.end(), id, std::move(session));
  return opened;
}

Session* Clients::session(std::int64_t id) {
  const auto found = sessions_.find(id);
  if (found == sessions_.end() || found->second->state() == Session::State::ended) return nullptr;
  return found->second.get();
}

std::size_t Clients::blocked() const {
  return static_cast<std::size_t>(std::ranges::count_if(
      sessions_, [](const auto& entry) { return entry.second->client().blocked != nullptr; }));
}

void Clients::for_each(base::FunctionRef<void(commands::ClientState&)> visit) {
  for (const auto& [id, session] : sessions_) {
    if (session->state() == Session::State::ended) continue;
    session->refresh_figures();
    visit(session->client());
  }
}

commands::ClientState* Clients::find(std::int64_t id) {
  Session* const found = session(id);
  return found == nullptr ? nullptr : &found->client();
}

void Clients::close(commands::ClientState& client) {
  Session* const found = session(client.id());
  if (found == nullptr) return;
  if (found->is_executing()) {
    client.close_after_reply = true;
  } else {
    found->abort();
  }
}

void Clients::unblock(commands::ClientState& client, commands::UnblockReason reason) {
  if (Session* const found = session(client.id())) found->unblock(reason);
}

void Clients::answer_blocked_call(commands::ClientState& client, Answer answer) {
  if (Session* const found = session(client.id())) found->answer_blocked_call(answer);
}

void Clients::pause(commands::PauseMode mode, std::int64_t until_us) {
  if (mode == commands::PauseMode::none) return end_pause();
  // Redis 7.0: a second pause never shortens the first, and never weakens it.
  if (pause_mode_ != commands::PauseMode::all) pause_mode_ = mode;
  pause_until_us_ = std::max(pause_until_us_, until_us);
}

void Clients::end_pause() {
  pause_mode_ = commands::PauseMode::none;
  pause_until_us_ = 0;
  for (const std::int64_t id : std::exchange(paused_, {})) {
    Session* const held = session(id);
    if (held == nullptr) continue;
    held->is_paused = false;
    make_ready(*held);
  }
}

bool Clients::hold(Session& session) {
  if (!session.is_paused) paused_.push_back(session.client().id());
  session.is_paused = true;
  return true;
}

bool Clients::holds(Session& session, std::span<const std::string_view> args) {
  if (pause_mode_ == commands::PauseMode::none) return false;
  const bool writes_only = pause_mode_ == commands::PauseMode::writes;
  if (writes_only && !core_.dispatcher().is_write(args, session.client())) return false;
  return hold(session);
}

void Clients::make_dirty(Session& session) {
  if (std::exchange(session.is_dirty, true)) return;
  dirty_.push_back(&session);
}

void Clients::make_ready(Session& session) {
  if (std::exchange(session.is_ready, true)) return;
  ready_.push_back(session.client().id());
}

void Clients::run_ready() {
  for (const std::int64_t id : std::exchange(ready_, {})) {
    Session* const next = session(id);
    if (next == nullptr) continue;
    next->is_ready = false;
    if (next->wants_turn()) next->execute();
  }
}

void Clients::flush_dirty(const Condition& condition, const Condition& reached) {
  // A flush may end a session, it makes none dirty: indices stay right.
  for (std::size_t i = 0; i < dirty_.size(); ++i) {
    Session& session = *dirty_[i];
    session.is_dirty = false;
    session.seal(condition, reached);
    if (session.is_held() && !std::exchange(session.in_held, true)) held_.push_back(&session);
    if (session.state() == Session::State::ended || session.transport() == nullptr) continue;
    if (!session.output().empty()) session.transport()->flush();
    if (session.state() != Session::State::ended && session.has_output()) {
      session.check_output_limit();
    }
  }
  dirty_.clear();
}

void Clients::set_dirty_aside() {
  dirty_aside_ = std::exchange(dirty_, {});
}

void Clients::take_dirty_back() {
  dirty_.insert(dirty_.end(), dirty_aside_.begin(), dirty_aside_.end());
  dirty_aside_.clear();
}

void Clients::release_held(const Condition& reached) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    Session& session = *held_[i];
    session.in_held = false;
    if (session.state() == Session::State::ended) continue;
    session.release(reached);
    if (session.transport() != nullptr && !session.output().empty()) session.transport()->flush();
    if (!session.is_held()) continue;
    session.in_held = true;
    held_[kept++] = &session;
  }
  held_.resize(kept);
  forget_ended();
}

void Clients::forget_ended() {
  for (std::size_t i = 0; i < buried_.size(); ++i) {
    Session* const ended = buried_[i];
    // Still on the stack below a slow script's loop: its turn comes when that returns.
    if (ended->is_executing()) continue;
    std::erase(dirty_, ended);
    std::erase(dirty_aside_, ended);
    if (ended->in_held) std::erase(held_, ended);
    buried_[i] = nullptr;
    Transport* const transport = ended->transport();
    sessions_.erase(ended->client().id());
    if (transport != nullptr) transport->session_ended();
  }
  std::erase(buried_, nullptr);
}

void Clients::end_all() {
  for (const auto& [id, session] : sessions_) session->abort();
  forget_ended();
}

void Clients::abort_waiting() {
  for (Session* const session : held_) session->abort();
}

void Clients::set_request_limits(const protocol::RequestLimits& limits) {
  request_limits_ = limits;
  for (const auto& [id, session] : sessions_) session->set_request_limits(limits);
}

void Clients::check_time(std::int64_t now_us) {
  check_blocked(now_us);
  if (pause_mode_ != commands::PauseMode::none && now_us >= pause_until_us_) end_pause();
  if (next_sweep_us_ != 0 && now_us >= next_sweep_us_) check_idle(now_us);
  if (!wants_sweeps()) {
    next_sweep_us_ = 0;
  } else if (next_sweep_us_ <= now_us) {
    next_sweep_us_ = now_us + sweep_interval_us;
  }
}

bool Clients::wants_sweeps() const {
  const bool has_limit = core_.server_settings().idle_timeout_s > 0 || soft_limits_watched_;
  return has_limit && !sessions_.empty();
}

void Clients::note_blocked(Session& session) {
  const commands::ClientState& client = session.client();
  if (client.blocked_until_us) timeouts_.emplace(*client.blocked_until_us, client.id());
}

void Clients::forget_blocked(Session& session) {
  commands::ClientState& client = session.client();
  if (!client.blocked_until_us) return;
  timeouts_.erase({*client.blocked_until_us, client.id()});
  client.blocked_until_us.reset();
}

void Clients::check_blocked(std::int64_t now_us) {
  while (!timeouts_.empty() && timeouts_.begin()->first <= now_us) {
    const std::int64_t id = timeouts_.begin()->second;
    timeouts_.erase(timeouts_.begin());
    if (Session* const found = session(id)) found->time_out_blocked_call();
  }
}

void Clients::check_idle(std::int64_t now_us) {
  const std::int64_t idle_us = core_.server_settings().idle_timeout_s * 1'000'000;
  soft_limits_watched_ = false;
  for (const auto& [id, session] : sessions_) {
    if (session->state() == Session::State::ended) continue;
    if (session->soft_limit_until_us() != 0) {
      soft_limits_watched_ = true;
      session->check_output_limit();
    }
    const commands::ClientState& client = session->client();
    // Redis 7.0: subscribers and blocked clients may be silent for ever.
    const bool may_be_silent =
        client.blocked || client.subscriptions + client.shard_subscriptions != 0;
    if (idle_us == 0 || may_be_silent || now_us - client.last_command_at_us <= idle_us) continue;
    core_.log().verbose("Closing idle client: id=" + std::to_string(id));
    session->abort();
  }
}

std::optional<std::int64_t> Clients::next_check_us() const {
  std::optional<std::int64_t> next;
  const auto earlier = [&](std::int64_t at_us) { next = std::min(next.value_or(at_us), at_us); };
  if (!timeouts_.empty()) earlier(timeouts_.begin()->first);
  if (pause_mode_ != commands::PauseMode::none) earlier(pause_until_us_);
  if (wants_sweeps()) {
    earlier(next_sweep_us_ != 0 ? next_sweep_us_ : core_.now_us() + sweep_interval_us);
  }
  return next;
}

}  // namespace server
