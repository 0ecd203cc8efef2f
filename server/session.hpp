// A client's connection without its socket: bytes in, requests to the dispatcher, bytes out. Owned
// by Core. The transport (a socket, or a test) feeds it, takes its output, and is told what to do
// next.
//
// Life: open → ending (no more requests; what is in the outbox still leaves) → ended (Core forgets
// it at the end of the turn).
#pragma once

#include "base/function_ref.hpp"
#include "commands/client_state.hpp"
#include "commands/server_control.hpp"
#include "engine/channel_registry.hpp"
#include "protocol/request_parser.hpp"
#include "protocol/resp_writer.hpp"
#include "server/outbox.hpp"
#include "server/setting_value.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace server {

class Core;

// What carries a session's bytes. Called at the end of a turn only.
class Transport {
 public:
  virtual ~Transport() = default;
  // Session::output() may have something.
  virtual void flush() = 0;
  // The session is gone when this returns; the transport closes.
  virtual void session_ended() = 0;
};

class Session final : public engine::Subscriber, public commands::PushTarget {
 public:
  enum class State : std::uint8_t { open, ending, ended };

  // `core` outlives the session; `transport` may be null (output is taken by hand).
  Session(Core& core, std::int64_t id, Transport* transport);
  ~Session() override;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // --- for the transport
  // Bytes of the client: executes what is complete, within the budget of a turn; the rest is kept.
  void feed(std::string_view bytes);
  // Output that may leave, and that it has left.
  [[nodiscard]] std::string_view output() const { return outbox_.ready(); }
  void output_sent(std::size_t bytes);
  // Nothing more will come from the client, or it cannot be written to.
  void hang_up();
  // In process: output() as a copy, marked as sent.
  [[nodiscard]] std::string take_output();

  // --- for Core
  // Executes kept input. Stops at the budget of a turn, at a blocked call, at a pause.
  void execute();
  void deliver(engine::ChannelKind kind, std::string_view pattern, std::string_view channel,
               std::string_view message) override;
  void push(base::FunctionRef<void(protocol::ReplySink&)> write) override;
  void time_out_blocked_call();
  void answer_blocked_call(commands::ClientRegistry::Answer answer);
  void unblock(commands::UnblockReason reason);
  // After the output so far; at once when `abort`.
  void end();
  void abort();
  // The turn is over: output up to here waits for `condition`.
  void seal(const Condition& condition, const Condition& reached);
  void release(const Condition& reached) { outbox_.release(reached); }
  void refresh_figures();
  void set_request_limits(const protocol::RequestLimits& limits) { parser_.set_limits(limits); }
  // Closes a client over its output limit.
  void check_output_limit();

  [[nodiscard]] commands::ClientState& client() { return client_; }
  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] bool is_executing() const { return executing_; }
  [[nodiscard]] bool wants_turn() const;
  // Whether output waits for a commit.
  [[nodiscard]] bool is_held() const { return outbox_.is_held(); }
  [[nodiscard]] bool has_output() const { return outbox_.size() != 0; }
  [[nodiscard]] Transport* transport() const { return transport_; }
  [[nodiscard]] std::int64_t soft_limit_until_us() const { return soft_limit_until_us_; }

  // Membership in Core's lists.
  bool is_dirty = false;
  bool is_ready = false;
  bool is_paused = false;
  bool in_held = false;

 private:
  // Why the reading of requests stopped.
  enum class Stop : std::uint8_t { out_of_input, held, budget };
  struct Progress {
    std::size_t used = 0;
    Stop stop = Stop::out_of_input;
  };

  Progress run(std::string_view input);
  bool may_go_on(Progress& progress, std::size_t requests, std::size_t said_before);
  bool run_next(std::string_view rest, Progress& progress);
  void run_request(std::span<const std::string_view> args);
  void run_muted(std::span<const std::string_view> args);
  bool refuse_web_request(std::string_view input, std::string_view name);
  void keep(std::string_view rest);
  [[nodiscard]] std::string_view kept() const {
    return std::string_view(input_).substr(input_start_);
  }

  Core& core_;
  Transport* transport_;
  commands::ClientState client_;
  protocol::RequestParser parser_;
  Outbox outbox_;
  protocol::RespWriter writer_;
  std::string input_;  // received, not consumed; from input_start_ on
  std::size_t input_start_ = 0;
  std::int64_t soft_limit_until_us_ = 0;  // when being over it ends the client; 0: not over
  State state_ = State::open;
  bool executing_ = false;
};

}  // namespace server
