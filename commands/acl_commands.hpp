// ACL: users and what they may do.
#pragma once

#include "commands/command_spec.hpp"

namespace commands {
struct CommandContext;
}  // namespace commands

namespace commands::acl {

void cat(CommandContext& c);
void deluser(CommandContext& c);
void dryrun(CommandContext& c);
void genpass(CommandContext& c);
void getuser(CommandContext& c);
void help(CommandContext& c);
void list(CommandContext& c);
void load(CommandContext& c);
void log(CommandContext& c);
void save(CommandContext& c);
void setuser(CommandContext& c);
void users(CommandContext& c);
void whoami(CommandContext& c);

inline constexpr Flags asks = flag::noscript | flag::loading | flag::stale;
inline constexpr Flags administers = asks | flag::admin;

inline constexpr CommandSpec specs[] = {
    // name, arity, flags, keys, handler, since, summary
    {"CAT", -2, asks, no_keys, cat, "6.0.0", "Lists the categories, or the commands of one."},
    {"DELUSER", -3, administers, no_keys, deluser, "6.0.0",
     "Deletes users and closes their connections."},
    {"DRYRUN", -4, administers, no_keys, dryrun, "7.0.0",
     "Tells whether a user may make a call, without making it."},
    {"GENPASS", -2, asks, no_keys, genpass, "6.0.0", "Makes up a password."},
    {"GETUSER", 3, administers, no_keys, getuser, "6.0.0", "Returns the rules of a user."},
    {"HELP", 2, flag::loading | flag::stale, no_keys, help, "6.0.0", "Describes the subcommands."},
    {"LIST", 2, administers, no_keys, list, "6.0.0", "Returns the rules of all users as lines."},
    {"LOAD", 2, administers, no_keys, load, "6.0.0", "Reads the users from the aclfile."},
    {"LOG", -2, administers, no_keys, log, "6.0.0", "Returns or forgets the latest refusals."},
    {"SAVE", 2, administers, no_keys, save, "6.0.0", "Writes the users into the aclfile."},
    {"SETUSER", -3, administers, no_keys, setuser, "6.0.0", "Creates a user or changes its rules."},
    {"USERS", 2, administers, no_keys, users, "6.0.0", "Returns the names of all users."},
    {"WHOAMI", 2, asks, no_keys, whoami, "6.0.0", "Returns the name of the connection's user."},
};
static_assert(well_formed(specs));

}  // namespace commands::acl
