// CLIENT and its subcommands: what a connection says of itself and asks of others.
#pragma once

#include "commands/client_state.hpp"
#include "commands/command_spec.hpp"

#include <string>

namespace commands::client {

void caching(CommandContext& c);
void getname(CommandContext& c);
void getredir(CommandContext& c);
void help(CommandContext& c);
void id(CommandContext& c);
void info(CommandContext& c);
void kill(CommandContext& c);
void list(CommandContext& c);
void no_evict(CommandContext& c);
void no_touch(CommandContext& c);
void pause(CommandContext& c);
void reply(CommandContext& c);
void setinfo(CommandContext& c);
void setname(CommandContext& c);
void tracking(CommandContext& c);
void trackinginfo(CommandContext& c);
void unblock(CommandContext& c);
void unpause(CommandContext& c);

inline constexpr Flags of_itself = flag::noscript | flag::loading | flag::stale;
inline constexpr Flags of_others = of_itself | flag::admin;

inline constexpr CommandSpec specs[] = {
    // name, arity, flags, keys, handler, since, summary
    {"CACHING", 3, of_itself, no_keys, caching, "6.0.0",
     "Says whether the reads of the next call are tracked."},
    {"GETNAME", 2, of_itself, no_keys, getname, "2.6.9", "Returns the connection's name."},
    {"GETREDIR", 2, of_itself, no_keys, getredir, "6.0.0",
     "Returns the client to which invalidations are redirected."},
    {"HELP", 2, flag::loading | flag::stale, no_keys, help, "5.0.0", "Describes the subcommands."},
    {"ID", 2, of_itself, no_keys, id, "5.0.0", "Returns the connection's number."},
    {"INFO", 2, of_itself, no_keys, info, "6.2.0", "Describes the connection."},
    {"KILL", -3, of_others, no_keys, kill, "2.4.0", "Closes connections."},
    {"LIST", -2, of_others, no_keys, list, "2.4.0", "Describes all connections, or some."},
    {"NO-EVICT", 3, of_others, no_keys, no_evict, "7.0.0",
     "Exempts the connection from eviction of clients."},
    {"NO-TOUCH", 3, of_itself, no_keys, no_touch, "7.2.0",
     "Keeps the connection's reads from counting as accesses."},
    {"PAUSE", -3, of_others, no_keys, pause, "2.9.50",
     "Holds the calls of all clients for some time."},
    {"REPLY", 3, of_itself, no_keys, reply, "3.2.0", "Turns replies off, on, or off for one call."},
    {"SETINFO", 4, of_itself, no_keys, setinfo, "7.2.0",
     "Notes the name or version of the client library."},
    {"SETNAME", 3, of_itself, no_keys, setname, "2.6.9", "Names the connection."},
    {"TRACKING", -3, of_itself, no_keys, tracking, "6.0.0",
     "Turns messages about changes of keys that were read on or off."},
    {"TRACKINGINFO", 2, of_itself, no_keys, trackinginfo, "6.2.0",
     "Describes the state of client-side caching."},
    {"UNBLOCK", -3, of_others, no_keys, unblock, "5.0.0", "Ends the waiting of a blocked client."},
    {"UNPAUSE", 2, of_others, no_keys, unpause, "6.2.0", "Ends CLIENT PAUSE."},
};
static_assert(well_formed(specs));

// Whether `text` may name a client or its library: printable, no space, ASCII.
[[nodiscard]] bool is_valid_name(std::string_view text);
// Who gets the invalidations of this client's tracking: 0 itself, -1 nobody.
[[nodiscard]] std::int64_t redirect_of(const ClientState& client);
// False after an error reply.
bool set_name(CommandContext& c, std::string_view name);

}  // namespace commands::client
