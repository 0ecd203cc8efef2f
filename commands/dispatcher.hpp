// find → admit → run → close the frame. One call at a time, on the caller's stack; a script's commands
// come back in through CommandInvoker, inside the script's frame.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "commands/command_context.hpp"
#include "commands/command_table.hpp"
#include "scripting/command_invoker.hpp"

namespace commands {

struct CallStatistics {
  std::uint64_t calls = 0;
  std::uint64_t rejected = 0;
  std::uint64_t failed = 0;
};

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
  // Reads the clock; the server calls it before each run of requests, so that a pipeline costs one.
  void refresh_now() { now_ms_ = services_.clock.lease_ms(); }
  // Whether this request would have to wait while clients are paused (CLIENT PAUSE WRITE).
  [[nodiscard]] bool is_write(std::span<const std::string_view> args) const;
  // Ends everything of a client whose connection is gone: watches, subscriptions, queue.
  void forget(ClientState& client);

  [[nodiscard]] scripting::ScriptEngine& scripts() { return scripts_; }
  [[nodiscard]] std::span<const CallStatistics> statistics() const { return statistics_; }

  // CommandRunner
  void run_queued(const QueuedCall& call, protocol::ReplySink& reply) override;
  [[nodiscard]] std::uint64_t calls_processed() const override { return calls_processed_; }
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
  void run(const CommandSpec& spec, std::span<const std::string_view> args,
           protocol::ReplySink& reply, Origin origin);
  void queue(const CommandSpec& spec, std::span<const std::string_view> args,
             protocol::ReplySink& reply);

  Services services_;
  scripting::ScriptEngine scripts_;
  ClientState* client_ = nullptr;  // whose call is running
  std::int64_t now_ms_ = 0;
  bool in_transaction_ = false;
  bool script_has_written_ = false;
  std::uint64_t calls_processed_ = 0;
  std::vector<CallStatistics> statistics_;  // by index of the command table
};

}  // namespace commands
