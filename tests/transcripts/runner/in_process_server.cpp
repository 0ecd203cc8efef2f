#include "tests/transcripts/runner/in_process_server.hpp"

#include "protocol/resp_writer.hpp"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

namespace transcripts {
namespace {

using commands::PauseMode;
using commands::ReplyMode;

constexpr std::uint64_t hash_seed = 42;
constexpr std::int64_t slice_us = 1'000'000;

}  // namespace

InProcessConnection::InProcessConnection(std::int64_t id) : state(id, *this) {
  state.figures.address = "127.0.0.1:" + std::to_string(40000 + id);
  state.figures.local_address = "127.0.0.1:6379";
}

void InProcessConnection::deliver(engine::ChannelKind kind, std::string_view pattern,
                                  std::string_view channel, std::string_view message) {
  if (is_closed) return;
  protocol::RespWriter writer(output, state.version);
  writer.push(kind == engine::ChannelKind::pattern ? 4 : 3);
  switch (kind) {
    case engine::ChannelKind::channel:
      writer.bulk("message");
      break;
    case engine::ChannelKind::shard:
      writer.bulk("smessage");
      break;
    case engine::ChannelKind::pattern:
      writer.bulk("pmessage");
      writer.bulk(pattern);
      break;
  }
  writer.bulk(channel);
  writer.bulk(message);
}

InProcessServer::InProcessServer()
    : keyspace_(static_cast<std::uint64_t>(clock_.wall_us()), hash_seed),
      notifier_(config_.settings(), channels_),
      control_{config_, *this, *this, *this},
      dispatcher_({keyspace_, channels_, notifier_, config_.settings(), clock_, control_}) {
  keyspace_.set_events(&notifier_);
  // What the runner starts a server process with.
  for (const auto& [name, value] : {std::pair("save", ""), std::pair("appendonly", "no"),
                                    std::pair("enable-debug-command", "yes")}) {
    static_cast<void>(config_.assign(name, value));
  }
  config_.on_change([this](std::string_view /*name*/) -> std::expected<void, std::string> {
    apply_settings();
    return {};
  });
  apply_settings();
}

InProcessServer::~InProcessServer() {
  while (!connections_.empty()) disconnect(connections_.begin()->first);
}

void InProcessServer::apply_settings() {
  const commands::Settings& settings = config_.settings();
  keyspace_.set_limits({.bytes_max = settings.memory_bytes_max,
                        .string_bytes_max = static_cast<std::size_t>(settings.bulk_bytes_max),
                        .packed_hash_fields_max = settings.packed_hash_fields_max,
                        .packed_hash_value_bytes_max = settings.packed_hash_value_bytes_max});
  dispatcher_.scripts().set_limits(
      {.time_limit_ms = settings.script_time_limit_ms,
       .memory_bytes_max = static_cast<std::size_t>(settings.script_bytes_max)});
}

InProcessConnection& InProcessServer::connect(char name) {
  auto connection = std::make_unique<InProcessConnection>(++last_id_);
  connection->state.authenticated = config_.settings().requirepass.empty();
  connection->state.connected_at_us = clock_.monotonic_us();
  return *(connections_[name] = std::move(connection));
}

void InProcessServer::receive(InProcessConnection& connection, std::string_view bytes) {
  connection.input += bytes;
  serve(connection);
  serve_all();  // who was unblocked or unpaused by it goes on
}

void InProcessServer::disconnect(char name) {
  const auto found = connections_.find(name);
  if (found == connections_.end()) return;
  dispatcher_.forget(found->second->state);
  connections_.erase(found);
}

void InProcessServer::advance(std::int64_t ms) {
  const std::int64_t end_us = clock_.monotonic_us() + ms * 1000;
  while (clock_.monotonic_us() < end_us) {
    const std::int64_t step_us = next_instant_us(end_us) - clock_.monotonic_us();
    clock_.advance_ms(std::max<std::int64_t>(step_us / 1000, 1));
    while (keyspace_.expire_due(clock_.lease_ms(), slice_us)) {
    }
    static_cast<void>(keyspace_.take_batch());
    end_waits_that_are_due();
    serve_all();
  }
}

std::int64_t InProcessServer::next_instant_us(std::int64_t limit_us) {
  std::int64_t next_us = limit_us;
  if (pause_ != PauseMode::none) next_us = std::min(next_us, paused_until_us_);
  for (const auto& [name, connection] : connections_) {
    const commands::ClientState& state = connection->state;
    if (state.blocked && state.blocked_until_us)
      next_us = std::min(next_us, *state.blocked_until_us);
  }
  if (const auto deadline_ms = keyspace_.next_deadline_ms()) {
    // Monotonic and lease time of a ManualClock are one.
    next_us = std::min(next_us, *deadline_ms * 1000);
  }
  return next_us;
}

void InProcessServer::end_waits_that_are_due() {
  const std::int64_t now_us = clock_.monotonic_us();
  if (pause_ != PauseMode::none && paused_until_us_ <= now_us) pause_ = PauseMode::none;
  for (const auto& [name, connection] : connections_) {
    commands::ClientState& state = connection->state;
    if (state.blocked && state.blocked_until_us && *state.blocked_until_us <= now_us) {
      unblock(state, commands::UnblockReason::timeout);
    }
  }
}

void InProcessServer::serve_all() {
  for (const auto& [name, connection] : connections_) {
    if (!connection->input.empty()) serve(*connection);
  }
}

void InProcessServer::serve(InProcessConnection& connection) {
  commands::ClientState& state = connection.state;
  dispatcher_.refresh_now();
  while (!connection.is_closed && !connection.input.empty() && !state.blocked) {
    connection.parser.set_limits(
        {.bulk_bytes_max = static_cast<std::size_t>(config_.settings().bulk_bytes_max)});
    connection.parser.set_authenticated(state.authenticated);
    const auto outcome = connection.parser.next(connection.input);
    if (outcome == protocol::RequestParser::Outcome::incomplete) break;
    if (outcome == protocol::RequestParser::Outcome::broken) {
      protocol::RespWriter(connection.output, state.version).error(connection.parser.complaint());
      connection.is_closed = true;
      break;
    }
    if (is_held(connection)) break;
    if (!connection.parser.args().empty()) execute(connection);
    connection.input.erase(0, connection.parser.consumed());
  }
  static_cast<void>(keyspace_.take_batch());
  while (keyspace_.free_some(slice_us)) {
  }
  if (connection.is_closed) dispatcher_.forget(state);
}

// A request that is held is parsed again when the pause is over: it stays in the input.
bool InProcessServer::is_held(const InProcessConnection& connection) const {
  const auto args = connection.parser.args();
  if (args.empty() || pause_ == PauseMode::none) return false;
  return pause_ == PauseMode::all || dispatcher_.is_write(args);
}

void InProcessServer::execute(InProcessConnection& connection) {
  commands::ClientState& state = connection.state;
  std::string reply;
  protocol::RespWriter writer(reply, state.version);
  executing_ = &connection;
  dispatcher_.execute(connection.parser.args(), state, writer);
  executing_ = nullptr;
  switch (state.reply_mode) {
    case ReplyMode::on:
      connection.output += reply;
      break;
    case ReplyMode::off:
      break;
    case ReplyMode::skip_next:
      state.reply_mode = ReplyMode::skip;
      break;
    case ReplyMode::skip:
      state.reply_mode = ReplyMode::on;
      break;
  }
  if (state.close_after_reply) connection.is_closed = true;
}

InProcessConnection* InProcessServer::connection_of(const commands::ClientState& client) {
  for (const auto& [name, connection] : connections_) {
    if (&connection->state == &client) return connection.get();
  }
  return nullptr;
}

void InProcessServer::for_each(base::FunctionRef<void(commands::ClientState&)> visit) {
  std::map<std::int64_t, commands::ClientState*> in_order;
  for (const auto& [name, connection] : connections_) {
    if (!connection->is_closed) in_order[connection->state.id()] = &connection->state;
  }
  for (const auto& [id, state] : in_order) visit(*state);
}

commands::ClientState* InProcessServer::find(std::int64_t id) {
  for (const auto& [name, connection] : connections_) {
    if (!connection->is_closed && connection->state.id() == id) return &connection->state;
  }
  return nullptr;
}

void InProcessServer::close(commands::ClientState& client) {
  client.close_after_reply = true;
  InProcessConnection* connection = connection_of(client);
  // The caller's own connection ends in execute(), behind its reply.
  if (connection != nullptr && connection != executing_) {
    connection->is_closed = true;
    dispatcher_.forget(client);
  }
}

void InProcessServer::unblock(commands::ClientState& client, commands::UnblockReason reason) {
  const auto call = std::move(client.blocked);
  client.blocked_until_us.reset();
  InProcessConnection* connection = connection_of(client);
  if (!call || connection == nullptr) return;
  protocol::RespWriter writer(connection->output, client.version);
  if (reason == commands::UnblockReason::error) {
    call->unblock_with_error(writer);
  } else {
    call->time_out(writer);
  }
}

void InProcessServer::pause(PauseMode mode, std::int64_t until_us) {
  pause_ = mode;
  paused_until_us_ = until_us;
}

commands::ProcessFigures InProcessServer::figures() {
  commands::ProcessFigures out;
  out.clients = connections_.size();
  out.clients_blocked = static_cast<std::size_t>(std::ranges::count_if(
      connections_, [](const auto& entry) { return entry.second->state.blocked != nullptr; }));
  out.connections_received = static_cast<std::uint64_t>(last_id_);
  return out;
}

void InProcessServer::shutdown(commands::ShutdownMode /*mode*/) {
  for (const auto& [name, connection] : connections_) connection->is_closed = true;
}

}  // namespace transcripts
