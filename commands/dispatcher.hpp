// find → admit → run → close the frame. One call at a time, on the caller's stack; a script's
// commands come back in through CommandInvoker, inside the script's frame.
#pragma once

#include "commands/acl_registry.hpp"
#include "commands/call_observers.hpp"
#include "commands/command_context.hpp"
#include "commands/command_table.hpp"
#include "commands/key_wait.hpp"
#include "commands/script_journal.hpp"
#include "scripting/command_invoker.hpp"

#include <cstdint>
#include <exception>
#include <optional>
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
  // The next call reads the clock: said before each run of requests of a connection.
  void refresh_now() {
    now_is_old_ = true;
    last_stamp_ = 0;
  }
  // Whether this request would have to wait while clients are paused (CLIENT PAUSE WRITE).
  [[nodiscard]] bool is_write(std::span<const std::string_view> args,
                              const ClientState& client) const;
  // Between calls: tells the clients of CLIENT TRACKING BCAST what the turn has changed.
  void end_turn() {
    if (observers_.tracking.has_broadcasts()) observers_.tracking.send_broadcasts();
  }
  // Ends everything of a client whose connection is gone: watches, subscriptions, queue.
  void forget(ClientState& client);
  void set_loading(bool loading) { is_loading_ = loading; }  // what needs keys: LOADING
  void read_wall_again() { wall_.read_again(); }             // the clock of leases was set

  [[nodiscard]] scripting::ScriptEngine& scripts() { return scripts_; }
  [[nodiscard]] acl::Registry& acl() { return acl_; }

  // CommandRunner
  void run_queued(const QueuedCall& call, protocol::ReplySink& reply) override;
  [[nodiscard]] CallObservers& observers() override { return observers_; }
  void reset_statistics() override;
  void redact(std::size_t argument) override { redacted_.push_back(argument); }

  // CommandInvoker
  [[nodiscard]] scripting::CommandId resolve(std::string_view name) override;
  void invoke(scripting::CommandId command, std::span<const std::string_view> args,
              protocol::ReplySink& reply) override;
  [[nodiscard]] std::optional<bool> may_call(std::span<const std::string_view> args) override;
  [[nodiscard]] bool slow_script() override;
  [[nodiscard]] bool script_has_written() const override { return script_has_written_; }

 private:
  // How many errors a reply held at some moment.
  struct ErrorMark {
    explicit ErrorMark(const protocol::ReplySink& reply)
        : written(reply.errors_written()), counted(reply.errors_counted_before()) {}
    std::uint64_t written;
    std::uint64_t counted;
  };
  // A call that runs. Weight: for how many calls of its row its duration stands; 0: not timed.
  struct TimedCall {
    CallRow& row;
    std::uint64_t started;
    std::uint64_t weight;
  };
  // What the running script was called by: its declared keys stand for what it reads.
  struct ScriptCall {
    const CommandSpec* spec = nullptr;
    std::span<const std::string_view> args;
  };

  using Args = std::span<const std::string_view>;

  void script_message(int level, std::string_view text) override;
  // The row that runs (a subcommand's where there is one), null when unknown; `index`: of the
  // table's row, or -1.
  static const CommandSpec* find(Args args, int& index);
  void refuse(std::string_view error, const CommandSpec* spec, protocol::ReplySink& reply);
  void queue(const CommandSpec& spec, Args args, protocol::ReplySink& reply);
  void run_in_frame(const CommandSpec& spec, Args args, protocol::ReplySink& reply);
  void run(const CommandSpec& spec, Args args, protocol::ReplySink& reply, Origin origin);
  [[nodiscard]] CommandContext context_for(const CommandSpec& spec, Args args,
                                           protocol::ReplySink& reply, Origin origin);
  // Those who wait for keys that have come to be, each in a frame behind the one that fed it.
  void serve_waiters();
  void serve(KeyWait& call, std::string_view key);
  void log_failure(const CommandSpec& spec, const std::exception& failure);
  // The ACL log remembers it.
  void note_denial(const acl::Denial& denial, const CommandContext& context);
  void end_transaction(ClientState& client);
  // Counts what `reply` answered since it had written the errors of `before`. `spec`: null for a
  // request that was refused.
  void note_errors(const protocol::ReplySink& reply, const ErrorMark& before,
                   const CommandSpec* spec);
  // The call has run: figures, SLOWLOG, MONITOR, CLIENT TRACKING.
  [[nodiscard]] TimedCall begin_timing(const CommandSpec& spec, Origin origin);
  void note_call(const CommandSpec& spec, Args args, const TimedCall& timed, Origin origin);
  void note_slow_call(const CommandSpec& spec, Args args, std::uint64_t ns, Origin origin);
  void follow_call(const CommandSpec& spec, Args args, Origin origin);
  void show_call(Args args, Origin origin);
  void remember_reads(const CommandSpec& spec, Args args);
  // After the reply to a request.
  void end_call(const CommandSpec* spec);
  void refuse_script_call(std::string_view error, const CommandSpec* spec,
                          protocol::ReplySink& reply);
  [[nodiscard]] std::vector<std::string_view> shown_arguments(Args args) const;

  Services services_;
  engine::KeyWaiters& waiters_;
  acl::Registry acl_;
  scripting::ScriptEngine scripts_;
  ScriptJournal script_journal_;
  WallOffset wall_;
  ClientState* client_ = nullptr;  // whose call is running
  std::int64_t now_ms_ = 0;
  bool is_loading_ = false;
  bool now_is_old_ = true;  // after calls that may have taken long
  bool in_transaction_ = false;
  bool script_has_written_ = false;
  CallObservers observers_;
  std::uint64_t last_stamp_ = 0;  // the end of the call before, 0 when something came between
  ScriptCall script_call_;
  std::vector<std::size_t> redacted_;  // arguments of the running call
  std::uint64_t queue_errors_ = 0;     // answered by the queued calls of the running EXEC
};

}  // namespace commands
