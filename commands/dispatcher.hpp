// find → admit → run → close the frame. One call at a time, on the caller's stack; a script's
// commands come back in through CommandInvoker, inside the script's frame.
#pragma once

#include "commands/command_context.hpp"
#include "commands/command_table.hpp"
#include "scripting/command_invoker.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace commands {

// Everything the dispatcher works on; all must outlive it.
struct Services {
  engine::Keyspace& keyspace;
  engine::ChannelRegistry& channels;
  Notifier& notifier;
  const Settings& settings;
  const base::Clock& clock;
  ServerControl& server;
};

class Dispatcher final : public CommandRunner,
                         public scripting::CommandInvoker,
                         private scripting::ScriptLog {
 public:
  explicit Dispatcher(const Services& services);

  // Runs one request of a client; every reply goes to `reply`. A client in MULTI gets QUEUED.
  void execute(std::span<const std::string_view> args, ClientState& client,
               protocol::ReplySink& reply);
  // The next call reads the clock; the server says so before each run of requests of a connection,
  // so that a pipeline costs one reading.
  void refresh_now() { now_is_old_ = true; }
  // Whether this request would have to wait while clients are paused (CLIENT PAUSE WRITE).
  [[nodiscard]] bool is_write(std::span<const std::string_view> args,
                              const ClientState& client) const;
  // Ends everything of a client whose connection is gone: watches, subscriptions, queue.
  void forget(ClientState& client);

  [[nodiscard]] scripting::ScriptEngine& scripts() { return scripts_; }

  // CommandRunner
  void run_queued(const QueuedCall& call, protocol::ReplySink& reply) override;
  [[nodiscard]] CallFigures figures() const override {
    return {calls_processed_, statistics_, error_counts_};
  }
  void reset_statistics() override;

  // CommandInvoker
  [[nodiscard]] scripting::CommandId resolve(std::string_view name) override;
  void invoke(scripting::CommandId command, std::span<const std::string_view> args,
              protocol::ReplySink& reply) override;
  [[nodiscard]] bool may_call(std::span<const std::string_view> args) override;
  [[nodiscard]] bool slow_script() override;
  [[nodiscard]] bool script_has_written() const override { return script_has_written_; }

 private:
  void script_message(int level, std::string_view text) override;
  // The row that runs (a subcommand's where there is one), null when unknown; `index`: of the
  // table's row, or -1.
  static const CommandSpec* find(std::span<const std::string_view> args, int& index);
  void refuse(std::string_view error, const CommandSpec* spec, protocol::ReplySink& reply);
  void queue(const CommandSpec& spec, std::span<const std::string_view> args,
             protocol::ReplySink& reply);
  void run_in_frame(const CommandSpec& spec, std::span<const std::string_view> args,
                    protocol::ReplySink& reply);
  void run(const CommandSpec& spec, std::span<const std::string_view> args,
           protocol::ReplySink& reply, Origin origin);
  void end_transaction(ClientState& client);
  // Counts what `reply` answered since it had written `errors_before` errors. `index`: -1 for a
  // request that named no command.
  void note_errors(const protocol::ReplySink& reply, std::uint64_t errors_before, int index,
                   bool was_run);

  Services services_;
  scripting::ScriptEngine scripts_;
  WallOffset wall_;
  ClientState* client_ = nullptr;  // whose call is running
  std::int64_t now_ms_ = 0;
  bool now_is_old_ = true;  // after calls that may have taken long
  bool in_transaction_ = false;
  bool script_has_written_ = false;
  std::uint64_t calls_processed_ = 0;
  std::vector<CallStatistics> statistics_;  // by index of the command table
  ErrorCounts error_counts_;
  std::uint64_t queue_errors_ = 0;  // answered by the queued calls of the running EXEC
};

}  // namespace commands
