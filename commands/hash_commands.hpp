// Hashes. Handlers are in hash_commands.cpp; HRANDFIELD and HSCAN in hash_sampling_commands.cpp.
#pragma once

#include "commands/key_specs.hpp"

namespace commands::hash {

void hdel(CommandContext& c);
void hexists(CommandContext& c);
void hget(CommandContext& c);
void hgetall(CommandContext& c);
void hincrby(CommandContext& c);
void hincrbyfloat(CommandContext& c);
void hkeys(CommandContext& c);
void hlen(CommandContext& c);
void hmget(CommandContext& c);
void hmset(CommandContext& c);
void hrandfield(CommandContext& c);
void hscan(CommandContext& c);
void hset(CommandContext& c);
void hsetnx(CommandContext& c);
void hstrlen(CommandContext& c);
void hvals(CommandContext& c);

namespace detail {
inline constexpr Flags fast_grows = flag::write | flag::denyoom | flag::fast;
inline constexpr Flags fast_read = flag::readonly | flag::fast;
inline constexpr KeySpec hdel_key = key_spec::one(key_access::rw | key_access::del);
}  // namespace detail

inline constexpr CommandSpec specs[] = {
    {"HDEL", -3, flag::write | flag::fast, detail::hdel_key, hdel, "2.0.0",
     "Removes fields; the key goes with its last field."},
    {"HEXISTS", 3, detail::fast_read, one_key_looked_at, hexists, "2.0.0",
     "Tells whether a field exists."},
    {"HGET", 3, detail::fast_read, one_key_read, hget, "2.0.0", "Returns the value of a field."},
    {"HGETALL", 2, flag::readonly, one_key_read, hgetall, "2.0.0",
     "Returns all fields with their values."},
    {"HINCRBY", 4, detail::fast_grows, one_key_read_updated, hincrby, "2.0.0",
     "Adds a number to an integer in a field, 0 when absent."},
    {"HINCRBYFLOAT", 4, detail::fast_grows, one_key_read_updated, hincrbyfloat, "2.6.0",
     "Adds a real number to a number in a field, 0 when absent."},
    {"HKEYS", 2, flag::readonly, one_key_read, hkeys, "2.0.0", "Returns all fields."},
    {"HLEN", 2, detail::fast_read, one_key_looked_at, hlen, "2.0.0",
     "Returns the number of fields."},
    {"HMGET", -3, detail::fast_read, one_key_read, hmget, "2.0.0",
     "Returns the values of several fields."},
    {"HMSET", -4, detail::fast_grows, one_key_updated, hmset, "2.0.0",
     "Sets several fields; HSET by its old name."},
    {"HRANDFIELD", -2, flag::readonly, one_key_read, hrandfield, "6.2.0",
     "Returns random fields, with their values if asked."},
    {"HSCAN", -3, flag::readonly, one_key_read, hscan, "2.8.0",
     "Iterates over the fields with their values."},
    {"HSET", -4, detail::fast_grows, one_key_updated, hset, "2.0.0",
     "Sets fields, creating the hash when absent."},
    {"HSETNX", 4, detail::fast_grows, one_key_inserted, hsetnx, "2.0.0",
     "Sets a field if it does not exist."},
    {"HSTRLEN", 3, detail::fast_read, one_key_looked_at, hstrlen, "3.2.0",
     "Returns the length of a field's value in bytes."},
    {"HVALS", 2, flag::readonly, one_key_read, hvals, "2.0.0", "Returns all values."},
};
static_assert(well_formed(specs));

}  // namespace commands::hash
