#include "commands/acl_clients.hpp"

#include "commands/acl_registry.hpp"
#include "commands/client_list.hpp"

#include <algorithm>
#include <vector>

namespace commands::acl {
namespace {

using engine::ChannelKind;

// Closing while the registry of clients is being walked would change it.
std::vector<ClientState*> clients_of(CommandContext& c, const User& user) {
  std::vector<ClientState*> found;
  c.server.clients.for_each([&](ClientState& client) {
    if (client.account.get() == &user) found.push_back(&client);
  });
  return found;
}

bool may_listen(const CommandContext& c, const ClientState& client, const User& user,
                ChannelKind kind) {
  const auto use = kind == ChannelKind::pattern ? ChannelUse::pattern : ChannelUse::name;
  return std::ranges::all_of(
      c.channels.names_of(client.subscriber(), kind),
      [&](const std::string& name) { return user.allows_channel(name, use); });
}

void note(const CommandContext& c, LogEntry entry) {
  entry.client = client::describe(c, c.client);
  entry.at_us = c.clock.monotonic_us();
  c.acl.log().add(std::move(entry), c.settings.acl_log_entries_max);
}

}  // namespace

ChannelDefault channel_default(const Settings& settings) {
  return settings.acl_channels_open ? ChannelDefault::all : ChannelDefault::none;
}

void close_clients_of(CommandContext& c, const User& user) {
  for (ClientState* client : clients_of(c, user)) {
    c.acl.admit(*client);
    client->authenticated = false;
    c.server.clients.close(*client);
  }
}

void close_forbidden_subscribers(CommandContext& c, const User& user) {
  constexpr ChannelKind kinds[] = {ChannelKind::channel, ChannelKind::pattern, ChannelKind::shard};
  for (ClientState* client : clients_of(c, user)) {
    const bool may_stay = std::ranges::all_of(
        kinds, [&](ChannelKind kind) { return may_listen(c, *client, user, kind); });
    if (!may_stay) c.server.clients.close(*client);
  }
}

void note_denial(const CommandContext& c, const Denial& denial, Context context) {
  note(c, {.reason = denial.reason,
           .context = context,
           .object = object_of(denial, c.spec, c.args),
           .user = c.client.account->name(),
           .client = {}});
}

void note_failed_login(const CommandContext& c, std::string_view user) {
  note(c, {.reason = Reason::auth,
           .context = c.in_transaction ? Context::multi : Context::toplevel,
           .object = std::string(c.args[0]),
           .user = std::string(user),
           .client = {}});
}

}  // namespace commands::acl
