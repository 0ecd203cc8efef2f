// Keys, whatever they hold. Handlers are in keyspace_commands.cpp, expire_commands.cpp (deadlines),
// scan_commands.cpp (KEYS, SCAN, RANDOMKEY), transfer_commands.cpp (RENAME, COPY, MOVE) and
// object_commands.cpp.
#pragma once

#include "commands/key_specs.hpp"

namespace commands::keyspace {

void copy(CommandContext& c);
void del(CommandContext& c);
void dump(CommandContext& c);
void exists(CommandContext& c);
void expire(CommandContext& c);
void expireat(CommandContext& c);
void expiretime(CommandContext& c);
void keys(CommandContext& c);
void move(CommandContext& c);
void persist(CommandContext& c);
void pexpire(CommandContext& c);
void pexpireat(CommandContext& c);
void pexpiretime(CommandContext& c);
void pttl(CommandContext& c);
void randomkey(CommandContext& c);
void rename(CommandContext& c);
void renamenx(CommandContext& c);
void restore(CommandContext& c);
void scan(CommandContext& c);
void touch(CommandContext& c);
void ttl(CommandContext& c);
void type(CommandContext& c);
void object_encoding(CommandContext& c);
void object_freq(CommandContext& c);
void object_help(CommandContext& c);
void object_idletime(CommandContext& c);
void object_refcount(CommandContext& c);

namespace detail {
inline constexpr Flags fast_write = flag::write | flag::fast;
inline constexpr Flags fast_read = flag::readonly | flag::fast;
inline constexpr std::uint16_t taken = key_access::rw | key_access::access | key_access::del;
inline constexpr std::uint16_t replaced = key_access::ow | key_access::update;
inline constexpr KeySpec rename_keys = key_spec::two(taken, replaced);
inline constexpr KeySpec renamenx_keys = key_spec::two(taken, key_access::ow | key_access::insert);
inline constexpr KeySpec copy_keys = key_spec::two(key_access::ro | key_access::access, replaced);
}  // namespace detail

inline constexpr CommandSpec object_specs[] = {
    {"ENCODING", 3, flag::readonly, subcommand_key_looked_at, object_encoding, "2.2.3",
     "Names the internal form of a value."},
    {"FREQ", 3, flag::readonly, subcommand_key_looked_at, object_freq, "4.0.0",
     "Access frequency; kept by no policy of this server."},
    {"HELP", 2, flag::loading | flag::stale, no_keys, object_help, "6.2.0",
     "Describes the subcommands."},
    {"IDLETIME", 3, flag::readonly, subcommand_key_looked_at, object_idletime, "2.2.3",
     "Returns the seconds since the last access to a key."},
    {"REFCOUNT", 3, flag::readonly, subcommand_key_looked_at, object_refcount, "2.2.3",
     "Returns the reference count Redis would have for the value."},
};
static_assert(well_formed(object_specs));

inline constexpr CommandSpec specs[] = {
    {"COPY", -3, flag::write | flag::denyoom, detail::copy_keys, copy, "6.2.0",
     "Copies a value to another key, with its deadline."},
    {"DEL", -2, flag::write, all_keys_removed, del, "1.0.0", "Deletes keys."},
    {"DUMP", 2, flag::readonly, one_key_read, dump, "2.6.0",
     "Returns a value as bytes for RESTORE."},
    {"EXISTS", -2, detail::fast_read, all_keys_looked_at, exists, "1.0.0",
     "Counts which of the keys exist."},
    {"EXPIRE", -3, detail::fast_write, one_key_updated, expire, "1.0.0", "Sets a ttl in seconds."},
    {"EXPIREAT", -3, detail::fast_write, one_key_updated, expireat, "1.2.0",
     "Sets a deadline as a Unix time in seconds."},
    {"EXPIRETIME", 2, detail::fast_read, one_key_read, expiretime, "7.0.0",
     "Returns the deadline as a Unix time in seconds."},
    {"KEYS", 2, flag::readonly | flag::dangerous, no_keys, keys, "1.0.0",
     "Returns all keys whose names match a pattern."},
    {"MOVE", 3, detail::fast_write, one_key_read_updated, move, "1.0.0",
     "Moves a key to another database."},
    {"OBJECT", -2, flag::none, no_keys, nullptr, "2.2.3", "Tells internals of values.",
     object_specs},
    {"PERSIST", 2, detail::fast_write, one_key_updated, persist, "2.2.0",
     "Removes the deadline of a key."},
    {"PEXPIRE", -3, detail::fast_write, one_key_updated, pexpire, "2.6.0",
     "Sets a ttl in milliseconds."},
    {"PEXPIREAT", -3, detail::fast_write, one_key_updated, pexpireat, "2.6.0",
     "Sets a deadline as a Unix time in milliseconds."},
    {"PEXPIRETIME", 2, detail::fast_read, one_key_read, pexpiretime, "7.0.0",
     "Returns the deadline as a Unix time in milliseconds."},
    {"PTTL", 2, detail::fast_read, one_key_read, pttl, "2.6.0", "Returns the ttl in milliseconds."},
    {"RANDOMKEY", 1, flag::readonly, no_keys, randomkey, "1.0.0",
     "Returns the name of a random key."},
    {"RENAME", 3, flag::write, detail::rename_keys, rename, "1.0.0",
     "Renames a key, replacing what has the new name."},
    {"RENAMENX", 3, detail::fast_write, detail::renamenx_keys, renamenx, "1.0.0",
     "Renames a key if the new name is free."},
    {"RESTORE", -4, flag::write | flag::denyoom | flag::dangerous, one_key_overwritten, restore,
     "2.6.0", "Creates a key from what DUMP returned."},
    {"SCAN", -2, flag::readonly, no_keys, scan, "2.8.0", "Iterates over the names of keys."},
    {"TOUCH", -2, detail::fast_read, all_keys_looked_at, touch, "3.2.1",
     "Counts which of the keys exist, as an access to them."},
    {"TTL", 2, detail::fast_read, one_key_read, ttl, "1.0.0", "Returns the ttl in seconds."},
    {"TYPE", 2, detail::fast_read, one_key_looked_at, type, "1.0.0",
     "Returns the type of a value."},
    {"UNLINK", -2, detail::fast_write, all_keys_removed, del, "4.0.0",
     "Deletes keys; big values are always freed in the background."},
};
static_assert(well_formed(specs));

}  // namespace commands::keyspace
