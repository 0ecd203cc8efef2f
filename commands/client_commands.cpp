#include "commands/client_commands.hpp"

#include "base/integers.hpp"
#include "commands/acl_registry.hpp"
#include "commands/argument_reader.hpp"
#include "commands/client_list.hpp"
#include "commands/command_context.hpp"
#include "commands/error_replies.hpp"
#include "commands/help_reply.hpp"
#include "commands/subcommand_syntax.hpp"
#include "commands/timeouts.hpp"

#include <algorithm>
#include <limits>
#include <vector>

namespace commands::client {
namespace {

std::string unknown_kind(std::string_view text) {
  return "ERR Unknown client type '" + std::string(up_to_nul(text)) + "'";
}

// Appends the lines of the clients that `wanted` accepts.
std::string describe_all(const CommandContext& c,
                         base::FunctionRef<bool(const ClientState&)> wanted) {
  std::string lines;
  c.server.clients.for_each([&](ClientState& client) {
    if (wanted(client)) lines += describe(c, client) + "\n";
  });
  return lines;
}

void list_kind(CommandContext& c) {
  const auto kind = parse_kind(c.args[3]);
  if (!kind) return c.reply.error(unknown_kind(c.args[3]));
  c.reply.verbatim(
      "txt", describe_all(c, [&](const ClientState& client) { return kind_of(client) == *kind; }));
}

// In the order of the arguments, as often as named.
void list_ids(CommandContext& c) {
  std::string lines;
  for (const std::string_view text : c.args.subspan(3)) {
    const auto id = base::parse_int64(text);
    if (!id) return c.reply.error("ERR Invalid client ID");
    c.server.clients.for_each([&](ClientState& client) {
      if (client.id() == *id) lines += describe(c, client) + "\n";
    });
  }
  c.reply.verbatim("txt", lines);
}

// What CLIENT KILL's options ask for; a field left empty accepts every client.
struct KillFilter {
  std::string_view address;
  std::string_view local_address;
  std::string_view user;
  std::optional<Kind> kind;
  std::int64_t id = 0;
  bool skip_me = true;

  [[nodiscard]] bool accepts(const ClientState& client) const {
    return (address.empty() || client.figures.address == address) &&
           (local_address.empty() || client.figures.local_address == local_address) &&
           (user.empty() || (client.authenticated && client.user == user)) &&
           (!kind || kind_of(client) == *kind) && (id == 0 || client.id() == id);
  }
};

void read_skip_me(ArgumentReader& args, KillFilter& filter) {
  if (args.take_word("YES")) {
    filter.skip_me = true;
  } else if (args.take_word("NO")) {
    filter.skip_me = false;
  } else {
    args.fail(error_text::syntax);
  }
}

void read_kill_option(ArgumentReader& args, const acl::Registry& users, KillFilter& filter) {
  if (args.left() < 2) return args.fail(error_text::syntax);
  if (args.take_word("ID")) {
    filter.id = args.next_integer_between(1, std::numeric_limits<std::int64_t>::max(),
                                          "ERR client-id should be greater than 0");
  } else if (args.take_word("TYPE")) {
    const std::string_view text = args.next();
    filter.kind = parse_kind(text);
    if (!filter.kind) args.fail(unknown_kind(text));
  } else if (args.take_word("ADDR")) {
    filter.address = args.next();
  } else if (args.take_word("LADDR")) {
    filter.local_address = args.next();
  } else if (args.take_word("USER")) {
    filter.user = args.next();
    if (users.find(filter.user) == nullptr) {
      args.fail("ERR No such user '" + std::string(up_to_nul(filter.user)) + "'");
    }
  } else if (args.take_word("SKIPME")) {
    read_skip_me(args, filter);
  } else {
    args.fail(error_text::syntax);
  }
}

std::size_t close_all(CommandContext& c, const KillFilter& filter) {
  std::vector<ClientState*> doomed;
  c.server.clients.for_each([&](ClientState& client) {
    if (filter.skip_me && &client == &c.client) return;
    if (filter.accepts(client)) doomed.push_back(&client);
  });
  for (ClientState* client : doomed) c.server.clients.close(*client);
  return doomed.size();
}

// The form with just an address ends one connection, its own too.
void kill_address(CommandContext& c) {
  ClientState* found = nullptr;
  c.server.clients.for_each([&](ClientState& client) {
    if (found == nullptr && client.figures.address == c.args[2]) found = &client;
  });
  if (found == nullptr) return c.reply.error("ERR No such client");
  c.reply.simple("OK");
  c.server.clients.close(*found);
}

void set_switch(CommandContext& c, bool& value) {
  ArgumentReader args(c.args, 2);
  if (args.take_word("ON")) {
    value = true;
  } else if (args.take_word("OFF")) {
    value = false;
  } else {
    return c.reply.error(error_text::syntax);
  }
  c.reply.simple("OK");
}

}  // namespace

bool is_valid_name(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char letter) { return letter >= '!' && letter <= '~'; });
}

bool set_name(CommandContext& c, std::string_view name) {
  if (!is_valid_name(name)) {
    c.reply.error("ERR Client names cannot contain spaces, newlines or special characters.");
    return false;
  }
  c.client.name = name;
  return true;
}

void id(CommandContext& c) {
  c.reply.integer(c.client.id());
}

void setname(CommandContext& c) {
  if (set_name(c, c.args[2])) c.reply.simple("OK");
}

void getname(CommandContext& c) {
  if (c.client.name.empty()) return c.reply.null();
  c.reply.bulk(c.client.name);
}

void setinfo(CommandContext& c) {
  const std::string option(c.args[2]);
  std::string* target = nullptr;
  if (is_word(option, "LIB-NAME")) target = &c.client.library_name;
  if (is_word(option, "LIB-VER")) target = &c.client.library_version;
  if (target == nullptr) return c.reply.error("ERR Unrecognized option '" + option + "'");
  if (!is_valid_name(c.args[3])) {
    return c.reply.error("ERR " + option +
                         " cannot contain spaces, newlines or special characters.");
  }
  *target = c.args[3];
  c.reply.simple("OK");
}

void info(CommandContext& c) {
  const std::int64_t own = c.client.id();
  c.reply.verbatim(
      "txt", describe_all(c, [own](const ClientState& client) { return client.id() == own; }));
}

void list(CommandContext& c) {
  if (c.args.size() == 2) {
    return c.reply.verbatim("txt", describe_all(c, [](const ClientState&) { return true; }));
  }
  if (c.args.size() == 4 && is_word(c.args[2], "TYPE")) return list_kind(c);
  if (c.args.size() > 3 && is_word(c.args[2], "ID")) return list_ids(c);
  c.reply.error(error_text::syntax);
}

void kill(CommandContext& c) {
  if (c.args.size() == 3) return kill_address(c);
  ArgumentReader args(c.args, 2);
  KillFilter filter;
  while (args.has_more()) read_kill_option(args, c.acl, filter);
  if (!args.done()) return args.reply_error(c.reply);
  c.reply.integer(static_cast<std::int64_t>(close_all(c, filter)));
}

void reply(CommandContext& c) {
  if (is_word(c.args[2], "ON")) {
    c.client.reply_mode = ReplyMode::on;
    c.reply.simple("OK");
  } else if (is_word(c.args[2], "OFF")) {
    c.client.reply_mode = ReplyMode::off;
  } else if (is_word(c.args[2], "SKIP")) {
    if (c.client.reply_mode != ReplyMode::off) c.client.reply_mode = ReplyMode::skip_next;
  } else {
    c.reply.error(error_text::syntax);
  }
}

void no_evict(CommandContext& c) {
  set_switch(c, c.client.no_evict);
}
void no_touch(CommandContext& c) {
  set_switch(c, c.client.no_touch);
}

void unblock(CommandContext& c) {
  auto reason = UnblockReason::timeout;
  if (c.args.size() > 4) return reply_subcommand_syntax(c, "CLIENT");
  if (c.args.size() == 4 && is_word(c.args[3], "ERROR")) {
    reason = UnblockReason::error;
  } else if (c.args.size() == 4 && !is_word(c.args[3], "TIMEOUT")) {
    return c.reply.error("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
  }
  const auto id = base::parse_int64(c.args[2]);
  if (!id) return c.reply.error(error_text::not_an_integer);
  ClientState* client = c.server.clients.find(*id);
  const bool blocked = client != nullptr && client->blocked != nullptr;
  if (blocked) c.server.clients.unblock(*client, reason);
  c.reply.integer(blocked ? 1 : 0);
}

void pause(CommandContext& c) {
  if (c.args.size() > 4) return reply_subcommand_syntax(c, "CLIENT");
  auto mode = PauseMode::all;
  if (c.args.size() == 4 && is_word(c.args[3], "WRITE")) {
    mode = PauseMode::writes;
  } else if (c.args.size() == 4 && !is_word(c.args[3], "ALL")) {
    return c.reply.error("ERR CLIENT PAUSE mode must be WRITE or ALL");
  }
  const auto timeout_ms = base::parse_int64(c.args[2]);
  if (!timeout_ms) return c.reply.error(error_text::timeout_not_an_integer);
  if (*timeout_ms < 0) return c.reply.error(error_text::timeout_negative);
  // Redis 7.0 overflows on the sum and pauses nobody; a pause without end would lock all out.
  const std::int64_t most_ms = std::numeric_limits<std::int64_t>::max() - c.clock.wall_us() / 1000;
  if (*timeout_ms <= most_ms) {
    c.server.clients.pause(mode, instant_after(c.clock, *timeout_ms));
  }
  c.reply.simple("OK");
}

void unpause(CommandContext& c) {
  c.server.clients.pause(PauseMode::none, 0);
  c.reply.simple("OK");
}

void help(CommandContext& c) {
  reply_help(
      c.reply, "CLIENT",
      {
          "CACHING (YES|NO)",
          "    Whether the reads of the next call are tracked (OPTIN, OPTOUT).",
          "GETNAME",
          "    Returns the name of this connection.",
          "GETREDIR",
          "    Returns who gets the invalidations of this connection: 0 itself, -1 nobody.",
          "ID",
          "    Returns the number of this connection.",
          "INFO",
          "    Describes this connection.",
          "KILL <ip:port>",
          "    Closes the connection from this address.",
          "KILL <option> <value> [<option> <value> [...]]",
          "    Closes the connections that fit all options:",
          "    * ID <number>, ADDR <ip:port>, LADDR <ip:port>, USER <name>",
          "    * TYPE (NORMAL|MASTER|REPLICA|PUBSUB)",
          "    * SKIPME (YES|NO): whether this connection is spared (YES if not given)",
          "LIST [TYPE (NORMAL|MASTER|REPLICA|PUBSUB) | ID <number> ...]",
          "    Describes connections, one a line.",
          "NO-EVICT (ON|OFF)",
          "    Exempts this connection from eviction of clients.",
          "NO-TOUCH (ON|OFF)",
          "    Keeps reads of this connection from counting as accesses.",
          "PAUSE <milliseconds> [WRITE|ALL]",
          "    Holds all calls, or those that write.",
          "REPLY (ON|OFF|SKIP)",
          "    Turns replies to this connection on, off, or off for one call.",
          "SETINFO (LIB-NAME|LIB-VER) <text>",
          "    Notes the client library.",
          "SETNAME <name>",
          "    Names this connection.",
          "TRACKING (ON|OFF) [REDIRECT <id>] [BCAST] [PREFIX <prefix> [...]] [OPTIN] [OPTOUT]",
          "         [NOLOOP]",
          "    Turns messages about changes of keys that were read on or off.",
          "TRACKINGINFO",
          "    Describes the state of client-side caching.",
          "UNBLOCK <number> [TIMEOUT|ERROR]",
          "    Ends the waiting of a blocked client.",
          "UNPAUSE",
          "    Ends PAUSE.",
      });
}

}  // namespace commands::client
