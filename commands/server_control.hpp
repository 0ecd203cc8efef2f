// What CONFIG, CLIENT, INFO, SHUTDOWN ask of the process. Declared here, implemented in server/.
#pragma once

#include "base/function_ref.hpp"
#include "commands/client_state.hpp"
#include "commands/journal_control.hpp"

#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace commands {

using SettingValue = std::pair<std::string, std::string>;

class ConfigControl {
 public:
  virtual ~ConfigControl() = default;
  // Settings whose name matches any of the globs, each once.
  virtual std::vector<SettingValue> get(std::span<const std::string_view> globs) = 0;
  // All or nothing. `pairs` alternate name and value. The error is the whole reply
  // ("ERR Unknown option or number of arguments for CONFIG SET - 'x'", "ERR CONFIG SET failed …").
  virtual std::expected<void, std::string> set(std::span<const std::string_view> pairs) = 0;
  virtual std::expected<void, std::string> rewrite() = 0;
};

// The file of users (aclfile).
class AclFile {
 public:
  virtual ~AclFile() = default;
  // As configured; empty: there is none.
  [[nodiscard]] virtual std::string path() const = 0;
  // The errors are what the system says.
  [[nodiscard]] virtual std::expected<std::string, std::string> read() = 0;
  // Replaces it, whole or not at all.
  [[nodiscard]] virtual std::expected<void, std::string> write(std::string_view content) = 0;
};

class ClientRegistry {
 public:
  virtual ~ClientRegistry() = default;
  // In order of connection. Figures are brought up to date before the visit.
  virtual void for_each(base::FunctionRef<void(ClientState&)> visit) = 0;
  virtual ClientState* find(std::int64_t id) = 0;
  // Ends the connection; one that is executing (`client` of the current call) after its reply is
  // out.
  virtual void close(ClientState& client) = 0;
  virtual void unblock(ClientState& client, UnblockReason reason) = 0;
  // Ends the blocked call of `client`: `answer` says what it has waited for. Its later requests go
  // on.
  using Answer = base::FunctionRef<void(BlockedCall& call, protocol::ReplySink& reply)>;
  virtual void answer_blocked_call(ClientState& client, Answer answer) = 0;
  virtual void pause(PauseMode mode, std::int64_t until_us) = 0;  // none: unpause; monotonic time
};

// Figures for INFO that live in the process, not in the engine.
struct ProcessFigures {
  std::string executable;
  std::string config_file;
  int tcp_port = 0;
  std::int64_t started_at_us = 0;  // monotonic
  std::uint64_t connections_received = 0;
  std::uint64_t connections_rejected = 0;
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;
  std::uint64_t commands_per_second = 0;  // of late
  std::uint64_t input_bytes_per_second = 0;
  std::uint64_t output_bytes_per_second = 0;
  std::uint64_t expiry_us = 0;          // spent on removing keys that are due
  std::uint64_t expiry_slices_cut = 0;  // slices that left some for later
  std::uint64_t input_bytes = 0;
  std::uint64_t output_bytes = 0;
  std::size_t clients_max = 0;
  std::size_t clients = 0;
  std::size_t clients_blocked = 0;
  std::uint64_t query_buffer_limit_disconnections = 0;
  std::uint64_t output_buffer_limit_disconnections = 0;
};

enum class ShutdownMode : std::uint8_t { orderly, now };

class ProcessControl {
 public:
  virtual ~ProcessControl() = default;
  virtual ProcessFigures figures() = 0;
  virtual void reset_figures() = 0;  // CONFIG RESETSTAT
  // Orderly: after this turn. Also from a slow script's loop.
  virtual void shutdown(ShutdownMode mode) = 0;
  // One round of I/O for the others while a script is over its time limit.
  virtual void serve_others() = 0;
};

enum class LogLevel : std::uint8_t { debug, verbose, notice, warning };

class EventLog {
 public:
  virtual ~EventLog() = default;
  virtual void event(LogLevel level, std::string_view text) = 0;
};

struct ServerControl {
  ConfigControl& config;
  ClientRegistry& clients;
  ProcessControl& process;
  EventLog& log;
  AclFile& acl_file;
  JournalControl* journal = &NoJournal::instance();
};

}  // namespace commands
