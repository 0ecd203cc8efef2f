#include "tests/support/client_fixture.hpp"

#include "base/glob.hpp"
#include "tests/support/resp_text.hpp"

#include <algorithm>
#include <utility>

namespace tests {

namespace {

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  std::size_t start = 0;
  while (start <= line.size()) {
    const std::size_t end = std::min(line.find(' ', start), line.size());
    words.push_back(line.substr(start, end - start));
    start = end + 1;
  }
  return words;
}

}  // namespace

Peer::Peer(commands::Dispatcher& dispatcher, std::int64_t id)
    : state(id, *this), dispatcher_(dispatcher) {
  state.pushes = this;
}

Peer::~Peer() {
  if (!is_closed) dispatcher_.forget(state);
}

std::string Peer::run(const std::vector<std::string_view>& args) {
  protocol::RespWriter writer(received_, state.version);
  dispatcher_.refresh_now();
  dispatcher_.execute(args, state, writer);
  return read();
}

std::string Peer::run(std::initializer_list<std::string_view> args) {
  return run(std::vector<std::string_view>(args));
}

std::string Peer::run(std::string_view line) {
  return run(words_of(line));
}

std::string Peer::read() {
  return with_spaces(std::exchange(received_, {}));
}

void Peer::deliver(engine::ChannelKind kind, std::string_view pattern, std::string_view channel,
                   std::string_view message) {
  protocol::RespWriter writer(received_, state.version);
  const bool by_pattern = kind == engine::ChannelKind::pattern;
  writer.push(by_pattern ? 4 : 3);
  writer.bulk(by_pattern ? "pmessage"
                         : (kind == engine::ChannelKind::shard ? "smessage" : "message"));
  if (by_pattern) writer.bulk(pattern);
  writer.bulk(channel);
  writer.bulk(message);
}

void Peer::push(base::FunctionRef<void(protocol::ReplySink&)> write) {
  protocol::RespWriter writer(received_, state.version);
  write(writer);
}

Peer& Peers::open(commands::Dispatcher& dispatcher) {
  const auto id = static_cast<std::int64_t>(peers_.size()) + 1;
  Peer& peer = *peers_.emplace_back(std::make_unique<Peer>(dispatcher, id));
  dispatcher.acl().admit(peer.state);
  peer.state.connected_at_us = clock_.monotonic_us();
  peer.state.last_command_at_us = clock_.monotonic_us();
  peer.state.figures.address = "10.0.0." + std::to_string(id) + ":1000";
  peer.state.figures.local_address = "10.0.0.100:6379";
  return peer;
}

void Peers::end_overdue_calls() {
  for (const auto& peer : peers_) {
    const bool is_due = peer->state.blocked && peer->state.blocked_until_us &&
                        *peer->state.blocked_until_us <= clock_.monotonic_us();
    if (is_due) unblock(peer->state, commands::UnblockReason::timeout);
  }
}

std::vector<commands::SettingValue> Peers::get(std::span<const std::string_view> globs) {
  const auto wanted = [&](std::string_view name) {
    return std::ranges::any_of(
        globs, [&](std::string_view glob) { return base::glob_matches(glob, name); });
  };
  if (!wanted("requirepass")) return {};
  return {{"requirepass", settings_.requirepass}};
}

std::expected<void, std::string> Peers::set(std::span<const std::string_view> pairs) {
  for (std::size_t i = 0; i < pairs.size(); i += 2) {
    if (pairs[i] != "requirepass") return std::unexpected("ERR no such setting");
    settings_.requirepass = pairs[i + 1];
  }
  return {};
}

void Peers::for_each(base::FunctionRef<void(commands::ClientState&)> visit) {
  for (const auto& peer : peers_) {
    if (!peer->is_closed) visit(peer->state);
  }
}

commands::ClientState* Peers::find(std::int64_t id) {
  commands::ClientState* found = nullptr;
  for_each([&](commands::ClientState& client) {
    if (client.id() == id) found = &client;
  });
  return found;
}

void Peers::close(commands::ClientState& client) {
  for (const auto& peer : peers_) {
    if (&peer->state != &client) continue;
    peer->is_closed = true;
    peer->dispatcher_.forget(client);
  }
}

void Peers::answer_blocked_call(commands::ClientState& client, Answer answer) {
  for (const auto& peer : peers_) {
    if (&peer->state != &client || !client.blocked) continue;
    protocol::RespWriter writer(peer->received_, client.version);
    const auto call = std::move(client.blocked);
    answer(*call, writer);
  }
}

void Peers::unblock(commands::ClientState& client, commands::UnblockReason reason) {
  answer_blocked_call(client, [&](commands::BlockedCall& call, protocol::ReplySink& reply) {
    if (reason == commands::UnblockReason::error) {
      call.unblock_with_error(reply);
    } else {
      call.time_out(reply);
    }
  });
}

void Peers::pause(commands::PauseMode mode, std::int64_t until_us) {
  pause_mode = mode;
  paused_until_us = until_us;
}

commands::ProcessFigures Peers::figures() {
  commands::ProcessFigures figures;
  figures.executable = "C:\\mortise";
  figures.tcp_port = 6379;
  figures.started_at_us = clock_.monotonic_us();
  figures.clients = peers_.size();
  return figures;
}

ClientFixture::ClientFixture()
    : dispatcher({keyspace, channels, notifier, settings, clock, control_}) {
  keyspace.set_events(&notifier);
}

void ClientFixture::advance_ms(std::int64_t ms) {
  clock.advance_ms(ms);
  constexpr std::int64_t budget_us = 1'000'000;
  while (keyspace.expire_due(clock.lease_ms(), budget_us)) {
  }
  server.end_overdue_calls();
}

}  // namespace tests
