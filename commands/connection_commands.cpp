#include "commands/connection_commands.hpp"

#include "base/integers.hpp"
#include "commands/acl_clients.hpp"
#include "commands/acl_registry.hpp"
#include "commands/argument_reader.hpp"
#include "commands/call_observers.hpp"
#include "commands/command_context.hpp"
#include "commands/error_replies.hpp"
#include "commands/server_version.hpp"
#include "commands/timeouts.hpp"
#include "commands/transaction_commands.hpp"

#include <limits>
#include <string>

namespace commands::connection {
namespace {

constexpr std::string_view wrong_password =
    "WRONGPASS invalid username-password pair or user is disabled.";

bool authenticate(CommandContext& c, std::string_view user, std::string_view password) {
  if (c.acl.log_in(c.client, user, password)) return true;
  acl::note_failed_login(c, user);
  c.reply.error(wrong_password);
  return false;
}

// AUTH and SETNAME of HELLO take effect one by one, as they are read. False after an error reply.
bool apply_hello_options(CommandContext& c) {
  for (std::size_t i = 2; i < c.args.size(); ++i) {
    const std::size_t more = c.args.size() - i - 1;
    if (is_word(c.args[i], "AUTH") && more >= 2) {
      c.runner.redact(i + 1);
      c.runner.redact(i + 2);
      if (!authenticate(c, c.args[i + 1], c.args[i + 2])) return false;
      i += 2;
    } else if (is_word(c.args[i], "SETNAME") && more >= 1) {
      if (!client::set_name(c, c.args[i + 1])) return false;
      ++i;
    } else {
      c.reply.error("ERR Syntax error in HELLO option '" + std::string(up_to_nul(c.args[i])) + "'");
      return false;
    }
  }
  return true;
}

void speak(CommandContext& c, protocol::RespVersion version) {
  c.client.version = version;
  c.reply.set_version(version);
}

void reply_server_properties(CommandContext& c) {
  c.reply.map(7);
  c.reply.bulk("server");
  c.reply.bulk("redis");
  c.reply.bulk("version");
  c.reply.bulk(redis_version);
  c.reply.bulk("proto");
  c.reply.integer(static_cast<std::int64_t>(c.client.version));
  c.reply.bulk("id");
  c.reply.integer(c.client.id());
  c.reply.bulk("mode");
  c.reply.bulk("standalone");
  c.reply.bulk("role");
  c.reply.bulk("master");
  c.reply.bulk("modules");
  c.reply.array(0);
}

void refuse_without_cluster(CommandContext& c) {
  c.reply.error("ERR This instance has cluster support disabled");
}

// There are no replicas: a WAIT for some ends only by its timeout.
class WaitForReplicas final : public BlockedCall {
 public:
  void time_out(protocol::ReplySink& reply) override { reply.integer(0); }
  void unblock_with_error(protocol::ReplySink& reply) override {
    reply.error("UNBLOCKED client unblocked via CLIENT UNBLOCK");
  }
};

}  // namespace

void ping(CommandContext& c) {
  if (c.args.size() > 2) return c.reply.error(wrong_arity("ping"));
  const bool subscribed = c.client.subscriptions + c.client.shard_subscriptions > 0;
  if (subscribed && c.client.version == protocol::RespVersion::resp2) {
    c.reply.array(2);
    c.reply.bulk("pong");
    c.reply.bulk(c.args.size() == 2 ? c.args[1] : std::string_view());
  } else if (c.args.size() == 2) {
    c.reply.bulk(c.args[1]);
  } else {
    c.reply.simple("PONG");
  }
}

void echo(CommandContext& c) {
  c.reply.bulk(c.args[1]);
}

void select(CommandContext& c) {
  const auto index = base::parse_int64(c.args[1]);
  if (!index) return c.reply.error(error_text::not_an_integer);
  if (*index < std::numeric_limits<std::int32_t>::min() ||
      *index > std::numeric_limits<std::int32_t>::max()) {
    return c.reply.error(
        "ERR value is out of range, value must between -2147483648 and 2147483647");
  }
  if (*index < 0 || *index >= engine::database_count) {
    return c.reply.error("ERR DB index is out of range");
  }
  c.client.database = static_cast<int>(*index);
  c.reply.simple("OK");
}

void auth(CommandContext& c) {
  if (c.args.size() > 3) return c.reply.error(error_text::syntax);
  for (std::size_t i = 1; i < c.args.size(); ++i) c.runner.redact(i);
  if (c.args.size() == 2 && c.acl.default_user()->needs_no_password()) {
    return c.reply.error(
        "ERR AUTH <password> called without any password configured for the default user. Are you "
        "sure your configuration is correct?");
  }
  const std::string_view user = c.args.size() == 3 ? c.args[1] : acl::default_name;
  if (authenticate(c, user, c.args.back())) c.reply.simple("OK");
}

void hello(CommandContext& c) {
  auto version = c.client.version;
  if (c.args.size() > 1) {
    const auto number = base::parse_int64(c.args[1]);
    if (!number) {
      return c.reply.error("ERR Protocol version is not an integer or out of range");
    }
    if (*number != 2 && *number != 3) {
      return c.reply.error("NOPROTO unsupported protocol version");
    }
    version = *number == 3 ? protocol::RespVersion::resp3 : protocol::RespVersion::resp2;
  }
  if (!apply_hello_options(c)) return;
  if (!c.client.authenticated && c.acl.needs_login()) {
    return c.reply.error(
        "NOAUTH HELLO must be called with the client already authenticated, otherwise the HELLO "
        "AUTH <user> <pass> option can be used to authenticate the client and select the RESP "
        "protocol version at the same time");
  }
  speak(c, version);
  reply_server_properties(c);
}

void quit(CommandContext& c) {
  c.client.close_after_reply = true;
  c.reply.simple("OK");
}

void reset(CommandContext& c) {
  transaction::end_transaction(c);
  c.channels.forget(c.client.subscriber());
  c.client.subscriptions = 0;
  c.client.shard_subscriptions = 0;
  c.runner.observers().monitors.remove(c.client);
  c.runner.observers().tracking.disable(c.client);
  // A RESET that CLIENT REPLY SKIP silences stays silent.
  if (c.client.reply_mode != ReplyMode::skip) c.client.reply_mode = ReplyMode::on;
  c.client.no_touch = false;  // Redis 7.0 leaves NO-EVICT as it is
  c.client.name.clear();
  c.client.database = 0;
  c.acl.admit(c.client);
  speak(c, protocol::RespVersion::resp2);
  c.reply.simple("RESET");
}

void readonly(CommandContext& c) {
  refuse_without_cluster(c);
}
void readwrite(CommandContext& c) {
  refuse_without_cluster(c);
}
void asking(CommandContext& c) {
  refuse_without_cluster(c);
}

void wait(CommandContext& c) {
  const auto replicas = base::parse_int64(c.args[1]);
  if (!replicas) return c.reply.error(error_text::not_an_integer);
  const auto timeout_ms = base::parse_int64(c.args[2]);
  if (!timeout_ms) return c.reply.error(error_text::timeout_not_an_integer);
  if (*timeout_ms < 0) return c.reply.error(error_text::timeout_negative);
  if (*replicas <= 0 || c.denies_blocking()) return c.reply.integer(0);
  c.client.blocked = std::make_unique<WaitForReplicas>();
  c.client.blocked_until_us.reset();
  if (*timeout_ms > 0) c.client.blocked_until_us = instant_after(c.clock, *timeout_ms);
}

}  // namespace commands::connection
