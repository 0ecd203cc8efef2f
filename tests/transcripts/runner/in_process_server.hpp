// The server's core without sockets, timers and threads: parser, dispatcher, engine and scripts as
// the binary has them, with connections that are two strings and a clock that moves when told to.
// It does what server/ does between the bytes of a socket and the dispatcher, in the simplest way.
//
// Owned by InProcessBackend, one per transcript.
#pragma once

#include "base/clock.hpp"
#include "base/function_ref.hpp"
#include "commands/client_state.hpp"
#include "commands/dispatcher.hpp"
#include "commands/notifications.hpp"
#include "commands/server_control.hpp"
#include "engine/channel_registry.hpp"
#include "engine/keyspace.hpp"
#include "protocol/request_parser.hpp"
#include "server/config.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace transcripts {

// One client's end of the server. A message that arrives during the client's own call is sent
// before the reply.
class InProcessConnection final : public engine::Subscriber {
 public:
  explicit InProcessConnection(std::int64_t id);

  void deliver(engine::ChannelKind kind, std::string_view pattern, std::string_view channel,
               std::string_view message) override;

  commands::ClientState state;
  protocol::RequestParser parser;
  std::string input;   // received and not yet executed
  std::string output;  // not yet taken by the client
  bool is_closed = false;
};

class InProcessServer final : private commands::ClientRegistry,
                              private commands::ProcessControl,
                              private commands::EventLog {
 public:
  InProcessServer();
  InProcessServer(const InProcessServer&) = delete;
  InProcessServer& operator=(const InProcessServer&) = delete;
  ~InProcessServer() override;

  InProcessConnection& connect(char name);
  // Appends to the connection's input and executes what can be executed.
  void receive(InProcessConnection& connection, std::string_view bytes);
  void disconnect(char name);
  // Lets time pass; leases, timeouts and pauses end at their very instant.
  void advance(std::int64_t ms);

 private:
  // ClientRegistry
  void for_each(base::FunctionRef<void(commands::ClientState&)> visit) override;
  commands::ClientState* find(std::int64_t id) override;
  void close(commands::ClientState& client) override;
  void unblock(commands::ClientState& client, commands::UnblockReason reason) override;
  void pause(commands::PauseMode mode, std::int64_t until_us) override;
  // ProcessControl
  commands::ProcessFigures figures() override;
  void reset_figures() override {}
  void shutdown(commands::ShutdownMode mode) override;
  void serve_others() override {}
  // EventLog
  void event(commands::LogLevel /*level*/, std::string_view /*text*/) override {}

  void apply_settings();
  void serve(InProcessConnection& connection);
  void execute(InProcessConnection& connection);
  void serve_all();
  [[nodiscard]] bool is_held(const InProcessConnection& connection) const;
  InProcessConnection* connection_of(const commands::ClientState& client);
  void end_waits_that_are_due();
  // The next instant (monotonic) at which something happens by itself, at most `limit_us`.
  [[nodiscard]] std::int64_t next_instant_us(std::int64_t limit_us);

  base::ManualClock clock_;
  server::Config config_;
  engine::Keyspace keyspace_;
  engine::ChannelRegistry channels_;
  commands::Notifier notifier_;
  commands::ServerControl control_;
  commands::Dispatcher dispatcher_;
  std::map<char, std::unique_ptr<InProcessConnection>> connections_;
  const InProcessConnection* executing_ = nullptr;
  std::int64_t last_id_ = 0;
  commands::PauseMode pause_ = commands::PauseMode::none;
  std::int64_t paused_until_us_ = 0;
};

}  // namespace transcripts
