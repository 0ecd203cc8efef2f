// What the server remembers of a client between its requests, without its socket. Owned by the
// connection; commands change it, server/ fills in the figures that only it knows.
#pragma once

#include "base/function_ref.hpp"
#include "commands/client_tracking.hpp"
#include "commands/command_spec.hpp"
#include "engine/channel_registry.hpp"
#include "engine/keyspace.hpp"
#include "protocol/reply_sink.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace commands {

namespace acl {
class User;
}  // namespace acl

enum class ReplyMode : std::uint8_t { on, off, skip_next, skip };
enum class PauseMode : std::uint8_t { none, writes, all };
enum class UnblockReason : std::uint8_t { timeout, error };

// A call that waits (WAIT; BLPOP and kin: key_wait.hpp). It is answered once, by one of these or by
// what it waited for.
class BlockedCall {
 public:
  virtual ~BlockedCall() = default;
  // The deadline has come, or CLIENT UNBLOCK id TIMEOUT.
  virtual void time_out(protocol::ReplySink& reply) = 0;
  virtual void unblock_with_error(protocol::ReplySink& reply) = 0;
};

// Where messages go that answer no request. The server sets it; null for a client without a
// connection.
class PushTarget {
 public:
  virtual ~PushTarget() = default;
  // `write` says whole elements; never called while the client's own reply is being written.
  virtual void push(base::FunctionRef<void(protocol::ReplySink&)> write) = 0;
};

struct QueuedCall {
  const CommandSpec* spec;  // the row or the subcommand's row
  std::vector<std::string> args;
};

// The part of CLIENT LIST that only the connection knows.
struct ConnectionFigures {
  std::string address = "127.0.0.1:0";
  std::string local_address = "127.0.0.1:0";
  int descriptor = -1;
  std::size_t query_bytes = 0;
  std::size_t query_free_bytes = 0;
  std::size_t output_bytes = 0;
  std::size_t memory_bytes = 0;
  bool is_unix_socket = false;
  bool is_local = true;  // loopback or unix socket
};

class ClientState : public engine::KeyWatcher {
 public:
  // `subscriber` is where published messages go; it must outlive the client.
  ClientState(std::int64_t id, engine::Subscriber& subscriber) : id_(id), subscriber_(subscriber) {}

  void watched_key_changed() override { watch_broken = true; }
  [[nodiscard]] std::int64_t id() const { return id_; }
  [[nodiscard]] engine::Subscriber& subscriber() const { return subscriber_; }

  // --- identity
  std::string name;
  std::string library_name;
  std::string library_version;
  std::string user = "default";
  // Whose permissions hold; acl::Registry::admit() sets it before the first request.
  std::shared_ptr<const acl::User> account;
  bool authenticated = true;

  // --- protocol
  protocol::RespVersion version = protocol::RespVersion::resp2;
  ReplyMode reply_mode = ReplyMode::on;
  bool close_after_reply = false;
  bool no_evict = false;
  bool no_touch = false;
  bool is_monitor = false;                   // set by MonitorFeed
  std::unique_ptr<ClientTracking> tracking;  // null: off; set by TrackingTable
  PushTarget* pushes = nullptr;

  // --- work
  int database = 0;
  std::size_t subscriptions = 0;  // channels and patterns
  std::size_t shard_subscriptions = 0;
  bool in_multi = false;
  bool multi_broken = false;  // a queued command was refused: EXEC answers EXECABORT
  std::vector<QueuedCall> queued;
  bool is_watching = false;
  bool watch_broken = false;
  std::unique_ptr<BlockedCall> blocked;          // set: execution of later requests is held
  std::optional<std::int64_t> blocked_until_us;  // monotonic; nullopt: no limit

  // --- figures
  std::int64_t connected_at_us = 0;           // monotonic
  std::int64_t last_command_at_us = 0;        // monotonic
  const CommandSpec* last_command = nullptr;  // null before the first, and after an unknown one
  ConnectionFigures figures;

 private:
  std::int64_t id_;
  engine::Subscriber& subscriber_;
};

}  // namespace commands
