// What a handler may touch. A handler is parse → operate → reply, synchronous, and answers with
// exactly one reply (SUBSCRIBE and kin: one per channel). Arguments are views that die with the
// call.
#pragma once

#include "base/clock.hpp"
#include "commands/client_state.hpp"
#include "commands/command_spec.hpp"
#include "commands/notifications.hpp"
#include "commands/server_control.hpp"
#include "commands/settings.hpp"
#include "commands/wall_offset.hpp"
#include "engine/channel_registry.hpp"
#include "engine/keyspace.hpp"
#include "protocol/reply_sink.hpp"
#include "scripting/script_engine.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace commands {

namespace acl {
class Registry;
}  // namespace acl

enum class Origin : std::uint8_t { client, script, transaction };

struct CallObservers;

// What commands that run other commands (EXEC) and that ask about calls (INFO) need.
class CommandRunner {
 public:
  virtual ~CommandRunner() = default;
  // Runs one admitted call of the client inside the current frame (EXEC's queue).
  virtual void run_queued(const QueuedCall& call, protocol::ReplySink& reply) = 0;
  // Figures of calls, SLOWLOG, LATENCY, MONITOR, CLIENT TRACKING (call_observers.hpp).
  [[nodiscard]] virtual CallObservers& observers() = 0;
  virtual void reset_statistics() = 0;
  // SLOWLOG and MONITOR show this argument of the running call as "(redacted)".
  virtual void redact(std::size_t argument) = 0;
  // True once the running script has executed a write command: SCRIPT KILL is refused then.
  [[nodiscard]] virtual bool script_has_written() const = 0;
};

struct CommandContext {
  std::span<const std::string_view> args;  // args[0] is the name as sent
  const CommandSpec& spec;
  protocol::ReplySink& reply;
  ClientState& client;
  engine::Keyspace& keyspace;
  engine::ChannelRegistry& channels;
  scripting::ScriptEngine& scripts;
  Notifier& notifier;
  const Settings& settings;
  const base::Clock& clock;
  WallOffset& wall;
  ServerControl& server;
  CommandRunner& runner;
  acl::Registry& acl;
  Origin origin;
  bool in_transaction;  // also for a script inside EXEC

  [[nodiscard]] engine::Database& db() const { return keyspace.database(client.database); }
  // Lease time; stands still within a call, script or EXEC.
  [[nodiscard]] std::int64_t now_ms() const { return keyspace.now_ms(); }
  // Wall time minus lease time: converts EXPIREAT, PXAT, EXPIRETIME (wall_offset.hpp).
  [[nodiscard]] std::int64_t wall_minus_lease_ms() const { return wall.minus_lease_ms(); }
  void notify(NotifyClass event_class, std::string_view event, std::string_view key) const {
    notifier.notify(event_class, event, client.database, key);
  }
  // True where a command must not wait: scripts and EXEC.
  [[nodiscard]] bool denies_blocking() const { return origin != Origin::client || in_transaction; }
};

}  // namespace commands
