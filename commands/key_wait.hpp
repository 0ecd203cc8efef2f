// Calls that wait for a key: BLPOP, BZPOPMIN and kin.
//
// The handler tries at once. When no key has anything it says how it would go on:
//
//   if (c.denies_blocking()) return c.reply.null_array();           // scripts, EXEC
//   wait_for_keys(c, {engine::Type::sorted_set, keys, timeout_ms},
//                 std::make_unique<PopWait>(c, …));
//
// and PopWait::serve() answers later, once, after the call, script or EXEC that made one of the
// keys, in order of arrival among those who wait for it. A key of another type keeps it waiting.
// The wait ends by itself when the client goes.
#pragma once

#include "commands/argument_reader.hpp"
#include "commands/client_state.hpp"
#include "commands/command_context.hpp"
#include "engine/entry.hpp"
#include "engine/key_waiters.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

namespace commands {

class KeyWait : public BlockedCall, public engine::Waiter {
 public:
  explicit KeyWait(const CommandContext& c) : client_(c.client), spec_(c.spec) {}

  // `key`, one of those waited for, is there and of that type. Takes what it waited for and
  // answers. Inside a frame of its own; `c` is as for a handler of that client, but has no
  // arguments: what serve() needs of them it keeps as copies.
  virtual void serve(CommandContext& c, std::string_view key) = 0;

  void time_out(protocol::ReplySink& reply) override { reply.null_array(); }
  void unblock_with_error(protocol::ReplySink& reply) override {
    reply.error("UNBLOCKED client unblocked via CLIENT UNBLOCK");
  }
  [[nodiscard]] ClientState& client() const { return client_; }
  [[nodiscard]] const CommandSpec& spec() const { return spec_; }

 private:
  ClientState& client_;
  const CommandSpec& spec_;
};

struct AwaitedKeys {
  engine::Type type;
  std::span<const std::string_view> keys;
  std::int64_t timeout_ms;  // 0: for ever
};

// Holds the client, in its database of now, until `call` is served, times out or is unblocked.
void wait_for_keys(CommandContext& c, const AwaitedKeys& awaited, std::unique_ptr<KeyWait> call);

// The timeout of these commands: seconds with fractions, in milliseconds, rounded up.
[[nodiscard]] std::int64_t read_wait_ms(ArgumentReader& args);

}  // namespace commands
