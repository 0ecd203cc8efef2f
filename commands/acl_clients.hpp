// What changes of users do to connections, and what connections leave in the ACL log.
#pragma once

#include "commands/acl_log.hpp"
#include "commands/acl_user.hpp"
#include "commands/command_context.hpp"
#include "commands/settings.hpp"

#include <string>

namespace commands::acl {

[[nodiscard]] ChannelDefault channel_default(const Settings& settings);
// Of a user that is no more: they are the default user's, not logged in, and end.
void close_clients_of(CommandContext& c, const User& user);
// Ends the connections of the user that listen to a channel it may no longer listen to.
void close_forbidden_subscribers(CommandContext& c, const User& user);

// A denied call of the context's client.
void note_denial(const CommandContext& c, const Denial& denial, Context context);
// A failed AUTH or HELLO.
void note_failed_login(const CommandContext& c, std::string_view user);

}  // namespace commands::acl
