// Strings. Handlers are in string_commands.cpp (whole values), string_part_commands.cpp (parts of
// values), comparison_commands.cpp, msetex_command.cpp, string_number_commands.cpp and
// lcs_commands.cpp.
#pragma once

#include "commands/key_specs.hpp"

namespace commands::string {

void append(CommandContext& c);
void decr(CommandContext& c);
void decrby(CommandContext& c);
void delex(CommandContext& c);
void delifeq(CommandContext& c);
void digest(CommandContext& c);
void get(CommandContext& c);
void getdel(CommandContext& c);
void getex(CommandContext& c);
void getrange(CommandContext& c);
void getset(CommandContext& c);
void incr(CommandContext& c);
void incrby(CommandContext& c);
void incrbyfloat(CommandContext& c);
void lcs(CommandContext& c);
void mget(CommandContext& c);
void mset(CommandContext& c);
void msetex(CommandContext& c);
void msetnx(CommandContext& c);
void psetex(CommandContext& c);
void set(CommandContext& c);
void setex(CommandContext& c);
void setnx(CommandContext& c);
void setrange(CommandContext& c);
void strlen(CommandContext& c);

namespace detail {
inline constexpr Flags grows = flag::write | flag::denyoom;
inline constexpr Flags fast_grows = grows | flag::fast;
inline constexpr Flags fast_read = flag::readonly | flag::fast;
inline constexpr KeySpec set_key = key_spec::one(key_access::rw | key_access::access |
                                                 key_access::update | key_access::variable_flags);
inline constexpr KeySpec setnx_key = key_spec::one(key_access::ow | key_access::insert);
inline constexpr KeySpec mset_keys{1, -1, 2, 0, key_access::ow | key_access::update};
inline constexpr KeySpec delex_key =
    key_spec::one(key_access::rw | key_access::del | key_access::variable_flags);
inline constexpr KeySpec msetex_keys{0, 0, 2, 1, key_access::ow | key_access::update};
inline constexpr KeySpec msetnx_keys{1, -1, 2, 0, key_access::ow | key_access::insert};
inline constexpr KeySpec mget_keys = key_spec::all(key_access::ro | key_access::access);
inline constexpr KeySpec lcs_keys = key_spec::two(key_access::ro | key_access::access);
}  // namespace detail

inline constexpr CommandSpec specs[] = {
    {"APPEND", 3, detail::fast_grows, one_key_inserted, append, "2.0.0",
     "Appends to a string, creating it when absent."},
    {"DECR", 2, detail::fast_grows, one_key_read_updated, decr, "1.0.0",
     "Subtracts one from an integer, 0 when absent."},
    {"DECRBY", 3, detail::fast_grows, one_key_read_updated, decrby, "1.0.0",
     "Subtracts a number from an integer, 0 when absent."},
    {"DELEX", -2, flag::write | flag::fast, detail::delex_key, delex, "8.4.0",
     "Deletes a key, or does so only if its string or its digest is the given one or differs."},
    {"DELIFEQ", 3, flag::write | flag::fast, one_key_read_deleted, delifeq, "9.0.0",
     "Deletes a key if its string equals the given one (as in Valkey)."},
    {"DIGEST", 2, detail::fast_read, one_key_read, digest, "8.4.0",
     "Returns the digest of a string, by which SET and DELEX can compare."},
    {"GET", 2, detail::fast_read, one_key_read, get, "1.0.0", "Returns the string value of a key."},
    {"GETDEL", 2, flag::write | flag::fast, one_key_read_deleted, getdel, "6.2.0",
     "Returns the string value of a key and deletes it."},
    {"GETEX", -2, flag::write | flag::fast, one_key_read_updated, getex, "6.2.0",
     "Returns the string value of a key and sets or removes its deadline."},
    {"GETRANGE", 4, flag::readonly, one_key_read, getrange, "2.4.0",
     "Returns the part of a string between two offsets."},
    {"GETSET", 3, detail::fast_grows, one_key_read_updated, getset, "1.0.0",
     "Sets a string and returns the old one."},
    {"INCR", 2, detail::fast_grows, one_key_read_updated, incr, "1.0.0",
     "Adds one to an integer, 0 when absent."},
    {"INCRBY", 3, detail::fast_grows, one_key_read_updated, incrby, "1.0.0",
     "Adds a number to an integer, 0 when absent."},
    {"INCRBYFLOAT", 3, detail::fast_grows, one_key_read_updated, incrbyfloat, "2.6.0",
     "Adds a real number to a number, 0 when absent."},
    {"LCS", -3, flag::readonly, detail::lcs_keys, lcs, "7.0.0",
     "Finds the longest common subsequence of two strings."},
    {"MGET", -2, detail::fast_read, detail::mget_keys, mget, "1.0.0",
     "Returns the string values of several keys."},
    {"MSET", -3, detail::grows, detail::mset_keys, mset, "1.0.1", "Sets several keys to strings."},
    {"MSETEX", -4, detail::grows | flag::movablekeys, detail::msetex_keys, msetex, "8.4.0",
     "Sets several keys to strings with one deadline, if a condition holds for all."},
    {"MSETNX", -3, detail::grows, detail::msetnx_keys, msetnx, "1.0.1",
     "Sets several keys to strings if none of them exists."},
    {"PSETEX", 4, detail::grows, one_key_overwritten, psetex, "2.6.0",
     "Sets a string with a ttl in milliseconds."},
    {"SET", -3, detail::grows, detail::set_key, set, "1.0.0",
     "Sets a key to a string, whatever it held, if a condition holds."},
    {"SETEX", 4, detail::grows, one_key_overwritten, setex, "2.0.0",
     "Sets a string with a ttl in seconds."},
    {"SETNX", 3, detail::fast_grows, detail::setnx_key, setnx, "1.0.0",
     "Sets a string if the key is absent."},
    {"SETRANGE", 4, detail::grows, one_key_updated, setrange, "2.2.0",
     "Overwrites part of a string from an offset on."},
    {"STRLEN", 2, detail::fast_read, one_key_looked_at, strlen, "2.2.0",
     "Returns the length of a string in bytes."},
    {"SUBSTR", 4, flag::readonly, one_key_read, getrange, "1.0.0", "GETRANGE by its old name."},
};
static_assert(well_formed(specs));

}  // namespace commands::string
