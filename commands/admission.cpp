#include "commands/admission.hpp"

#include "commands/argument_reader.hpp"
#include "commands/command_table.hpp"
#include "commands/error_replies.hpp"

#include <algorithm>

namespace commands {
namespace {

using Outcome = std::optional<Refusal>;
using Gate = Outcome (*)(const Admission&);

// How much of a stranger's bytes an error text repeats.
constexpr std::size_t quoted_bytes_max = 128;

Outcome check_arity(const Admission& call) {
  if (arity_fits(call.spec, call.args.size())) return std::nullopt;
  return Refusal{wrong_arity(full_name(call.spec))};
}

Outcome check_debug(const Admission& call) {
  if (!call.spec.flags.has(flag::debug_access)) return std::nullopt;
  const bool allowed =
      call.settings.debug_access == DebugAccess::yes ||
      (call.settings.debug_access == DebugAccess::local && call.client.figures.is_local);
  if (allowed) return std::nullopt;
  return Refusal{
      "ERR DEBUG command not allowed. If the enable-debug-command option is set to \"local\", you "
      "can run it from a local connection, otherwise you need to set this option in the "
      "configuration file, and then restart the server."};
}

Outcome check_authenticated(const Admission& call) {
  // A password that was taken back lets in who never gave it.
  if (call.client.authenticated || !call.acl.needs_login()) return std::nullopt;
  if (call.spec.flags.has(flag::no_auth)) return std::nullopt;
  return Refusal{"NOAUTH Authentication required."};
}

Outcome check_allowed_in_multi(const Admission& call) {
  if (!call.client.in_multi || !call.spec.flags.has(flag::no_multi)) return std::nullopt;
  return Refusal{"ERR Command not allowed inside a transaction"};
}

Outcome check_permitted(const Admission& call) {
  const acl::User& user = *call.client.account;
  if (user.is_unrestricted()) [[likely]]
    return std::nullopt;
  const acl::Denial denial = user.check(call.spec, call.args);
  if (!denial) return std::nullopt;
  return Refusal{acl::refusal_of_request(denial, call.spec), denial};
}

Outcome check_subscribed_mode(const Admission& call) {
  const ClientState& client = call.client;
  const bool subscribed = client.subscriptions + client.shard_subscriptions > 0;
  if (!subscribed || client.version == protocol::RespVersion::resp3) return std::nullopt;
  if (call.spec.flags.has(flag::subscribed_ok)) return std::nullopt;
  return Refusal{"ERR Can't execute '" + full_name(call.spec) +
                 "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in "
                 "this context"};
}

Outcome check_loading(const Admission& call) {
  if (!call.is_loading || call.spec.flags.has(flag::loading)) return std::nullopt;
  return Refusal{std::string(error_text::loading)};
}

Outcome check_busy(const Admission& call) {
  if (call.busy_text.empty() || call.spec.flags.has(flag::allow_busy)) return std::nullopt;
  return Refusal{std::string(call.busy_text)};
}

// Redis takes a client of MONITOR for a replica, which must not touch keys.
Outcome check_monitor(const Admission& call) {
  const Flags flags = call.spec.flags;
  const bool touches_keys = flags.has(flag::write) || flags.has(flag::readonly) ||
                            flags.has(flag::may_replicate) || flags.has(flag::runs_script);
  if (!call.client.is_monitor || !touches_keys) return std::nullopt;
  return Refusal{"ERR Replica can't interact with the keyspace"};
}

constexpr Gate gates[] = {
    check_arity,     check_debug,           check_authenticated, check_allowed_in_multi,
    check_permitted, check_subscribed_mode, check_loading,       check_busy,
    check_monitor};

}  // namespace

std::optional<Refusal> refusal_of(const Admission& call) {
  for (const Gate gate : gates) {
    if (auto refusal = gate(call)) return refusal;
  }
  return std::nullopt;
}

std::string unknown_command(std::span<const std::string_view> args) {
  std::string text = "ERR unknown command '";
  text.append(up_to_nul(args[0]).substr(0, quoted_bytes_max));
  text.append("', with args beginning with: ");
  std::string quoted;
  for (const std::string_view argument : args.subspan(1)) {
    if (quoted.size() >= quoted_bytes_max) break;
    const std::size_t room = quoted_bytes_max - quoted.size();
    quoted.append("'").append(up_to_nul(argument).substr(0, room)).append("' ");
  }
  return text + quoted;
}

std::string unknown_subcommand(const CommandSpec& container, std::string_view name) {
  return "ERR unknown subcommand '" + std::string(up_to_nul(name).substr(0, quoted_bytes_max)) +
         "'. Try " + std::string(container.name) + " HELP.";
}

}  // namespace commands
