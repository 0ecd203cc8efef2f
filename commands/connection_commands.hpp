// What a client says about its connection: who it is, which protocol it speaks, which database it
// uses.
#pragma once

#include "commands/client_commands.hpp"
#include "commands/command_commands.hpp"
#include "commands/command_spec.hpp"

namespace commands::connection {

void asking(CommandContext& c);
void auth(CommandContext& c);
void echo(CommandContext& c);
void hello(CommandContext& c);
void ping(CommandContext& c);
void quit(CommandContext& c);
void readonly(CommandContext& c);
void readwrite(CommandContext& c);
void reset(CommandContext& c);
void select(CommandContext& c);
void wait(CommandContext& c);

inline constexpr Flags at_any_time = flag::loading | flag::stale | flag::fast;
inline constexpr Flags for_strangers =
    at_any_time | flag::noscript | flag::no_auth | flag::allow_busy;

inline constexpr CommandSpec specs[] = {
    // name, arity, flags, keys, handler, since, summary
    {"ASKING", 1, flag::fast, no_keys, asking, "3.0.0", "Belongs to Redis Cluster: refused."},
    {"AUTH", -2, for_strangers, no_keys, auth, "1.0.0", "Gives the password."},
    {"CLIENT", -2, flag::none, no_keys, nullptr, "2.4.0", "Manages connections.", client::specs},
    // Beside the connection's commands, because ACL's category @connection holds it.
    {"COMMAND", -1, flag::loading | flag::stale, no_keys, command::command, "2.8.13",
     "Describes all commands.", command::specs},
    {"ECHO", 2, at_any_time, no_keys, echo, "1.0.0", "Returns its argument."},
    {"HELLO", -1, for_strangers, no_keys, hello, "6.0.0",
     "Chooses the protocol version; may authenticate and name the connection."},
    {"PING", -1, flag::fast | flag::subscribed_ok, no_keys, ping, "1.0.0",
     "Answers PONG or its argument."},
    {"QUIT", -1, for_strangers | flag::runs_in_multi | flag::subscribed_ok, no_keys, quit, "1.0.0",
     "Closes the connection after the reply."},
    {"READONLY", 1, at_any_time, no_keys, readonly, "3.0.0", "Belongs to Redis Cluster: refused."},
    {"READWRITE", 1, at_any_time, no_keys, readwrite, "3.0.0",
     "Belongs to Redis Cluster: refused."},
    {"RESET", 1, for_strangers | flag::runs_in_multi | flag::subscribed_ok, no_keys, reset, "6.2.0",
     "Puts the connection back into the state of a new one."},
    {"SELECT", 2, at_any_time, no_keys, select, "1.0.0", "Chooses the database."},
    {"WAIT", 3, flag::noscript, no_keys, wait, "3.0.0",
     "Waits until replicas have the connection's writes."},
};
static_assert(well_formed(specs));

}  // namespace commands::connection
