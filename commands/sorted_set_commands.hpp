// Sorted sets. Handlers by noun: sorted_set_commands.cpp (members), sorted_set_range_commands.cpp,
// sorted_set_algebra_commands.cpp (unions and their kin), sorted_set_pop_commands.cpp and
// sorted_set_sampling_commands.cpp. Those that wait: sorted_set_blocking_commands.hpp.
#pragma once

#include "commands/key_specs.hpp"

namespace commands::sorted_set {

void zadd(CommandContext& c);
void zcard(CommandContext& c);
void zcount(CommandContext& c);
void zdiff(CommandContext& c);
void zdiffstore(CommandContext& c);
void zincrby(CommandContext& c);
void zinter(CommandContext& c);
void zintercard(CommandContext& c);
void zinterstore(CommandContext& c);
void zlexcount(CommandContext& c);
void zmpop(CommandContext& c);
void zmscore(CommandContext& c);
void zpopmax(CommandContext& c);
void zpopmin(CommandContext& c);
void zrandmember(CommandContext& c);
void zrange(CommandContext& c);
void zrangebylex(CommandContext& c);
void zrangebyscore(CommandContext& c);
void zrangestore(CommandContext& c);
void zrank(CommandContext& c);
void zrem(CommandContext& c);
void zremrangebylex(CommandContext& c);
void zremrangebyrank(CommandContext& c);
void zremrangebyscore(CommandContext& c);
void zrevrange(CommandContext& c);
void zrevrangebylex(CommandContext& c);
void zrevrangebyscore(CommandContext& c);
void zrevrank(CommandContext& c);
void zscan(CommandContext& c);
void zscore(CommandContext& c);
void zunion(CommandContext& c);
void zunionstore(CommandContext& c);

namespace detail {
inline constexpr Flags fast_grows = flag::write | flag::denyoom | flag::fast;
inline constexpr Flags fast_read = flag::readonly | flag::fast;
inline constexpr KeySpec updated = key_spec::one(key_access::rw | key_access::update);
inline constexpr KeySpec removed_from = key_spec::one(key_access::rw | key_access::del);
inline constexpr KeySpec stored_from_one =
    key_spec::two(key_access::ow | key_access::update, key_access::ro | key_access::access);
inline constexpr KeySpec counted_read{0, 0, 0, 1, key_access::ro | key_access::access};
inline constexpr KeySpec counted_popped{0, 0, 0, 1,
                                        key_access::rw | key_access::access | key_access::del};
inline constexpr KeySpec stored_from_counted{
    1, 1, 1, 2, key_access::ow | key_access::update, key_access::ro | key_access::access};
inline constexpr Flags counted_reads = flag::readonly | flag::movablekeys;
inline constexpr Flags counted_stores = flag::write | flag::denyoom | flag::movablekeys;
}  // namespace detail

inline constexpr CommandSpec specs[] = {
    {"ZADD", -4, detail::fast_grows, detail::updated, zadd, "1.2.0",
     "Adds members with scores, or changes the scores of those that exist."},
    {"ZCARD", 2, detail::fast_read, one_key_looked_at, zcard, "1.2.0",
     "Returns the number of members."},
    {"ZCOUNT", 4, detail::fast_read, one_key_read, zcount, "2.0.0",
     "Counts the members with scores in a range."},
    {"ZDIFF", -3, detail::counted_reads, detail::counted_read, zdiff, "6.2.0",
     "Returns the members of the first set that are in none of the others."},
    {"ZDIFFSTORE", -4, detail::counted_stores, detail::stored_from_counted, zdiffstore, "6.2.0",
     "Stores what ZDIFF would return."},
    {"ZINCRBY", 4, detail::fast_grows, one_key_read_updated, zincrby, "1.2.0",
     "Adds a number to the score of a member, 0 when absent."},
    {"ZINTER", -3, detail::counted_reads, detail::counted_read, zinter, "6.2.0",
     "Returns the members that are in all of several sets."},
    {"ZINTERCARD", -3, detail::counted_reads, detail::counted_read, zintercard, "7.0.0",
     "Counts the members that are in all of several sets."},
    {"ZINTERSTORE", -4, detail::counted_stores, detail::stored_from_counted, zinterstore, "2.0.0",
     "Stores what ZINTER would return."},
    {"ZLEXCOUNT", 4, detail::fast_read, one_key_read, zlexcount, "2.8.9",
     "Counts the members in a range by their bytes."},
    {"ZMPOP", -4, flag::write | flag::movablekeys, detail::counted_popped, zmpop, "7.0.0",
     "Takes members off an end of the first of several keys that is there."},
    {"ZMSCORE", -3, detail::fast_read, one_key_read, zmscore, "6.2.0",
     "Returns the scores of several members."},
    {"ZPOPMAX", -2, flag::write | flag::fast, one_key_read_deleted, zpopmax, "5.0.0",
     "Takes the members with the highest scores off."},
    {"ZPOPMIN", -2, flag::write | flag::fast, one_key_read_deleted, zpopmin, "5.0.0",
     "Takes the members with the lowest scores off."},
    {"ZRANDMEMBER", -2, flag::readonly, one_key_read, zrandmember, "6.2.0",
     "Returns random members, with their scores if asked."},
    {"ZRANGE", -4, flag::readonly, one_key_read, zrange, "1.2.0",
     "Returns members in a range of ranks, scores or bytes."},
    {"ZRANGEBYLEX", -4, flag::readonly, one_key_read, zrangebylex, "2.8.9",
     "Returns members in a range by their bytes."},
    {"ZRANGEBYSCORE", -4, flag::readonly, one_key_read, zrangebyscore, "1.0.5",
     "Returns members with scores in a range."},
    {"ZRANGESTORE", -5, flag::write | flag::denyoom, detail::stored_from_one, zrangestore, "6.2.0",
     "Stores what ZRANGE would return."},
    {"ZRANK", 3, detail::fast_read, one_key_read, zrank, "2.0.0",
     "Returns the rank of a member, from the lowest score."},
    {"ZREM", -3, flag::write | flag::fast, detail::removed_from, zrem, "1.2.0",
     "Removes members; the key goes with its last member."},
    {"ZREMRANGEBYLEX", 4, flag::write, detail::removed_from, zremrangebylex, "2.8.9",
     "Removes the members in a range by their bytes."},
    {"ZREMRANGEBYRANK", 4, flag::write, detail::removed_from, zremrangebyrank, "2.0.0",
     "Removes the members in a range of ranks."},
    {"ZREMRANGEBYSCORE", 4, flag::write, detail::removed_from, zremrangebyscore, "1.2.0",
     "Removes the members with scores in a range."},
    {"ZREVRANGE", -4, flag::readonly, one_key_read, zrevrange, "1.2.0",
     "Returns members in a range of ranks, from the highest score."},
    {"ZREVRANGEBYLEX", -4, flag::readonly, one_key_read, zrevrangebylex, "2.8.9",
     "Returns members in a range by their bytes, from the last."},
    {"ZREVRANGEBYSCORE", -4, flag::readonly, one_key_read, zrevrangebyscore, "2.2.0",
     "Returns members with scores in a range, from the highest."},
    {"ZREVRANK", 3, detail::fast_read, one_key_read, zrevrank, "2.0.0",
     "Returns the rank of a member, from the highest score."},
    {"ZSCAN", -3, flag::readonly, one_key_read, zscan, "2.8.0",
     "Iterates over the members with their scores."},
    {"ZSCORE", 3, detail::fast_read, one_key_read, zscore, "1.2.0",
     "Returns the score of a member."},
    {"ZUNION", -3, detail::counted_reads, detail::counted_read, zunion, "6.2.0",
     "Returns the members that are in any of several sets."},
    {"ZUNIONSTORE", -4, detail::counted_stores, detail::stored_from_counted, zunionstore, "2.0.0",
     "Stores what ZUNION would return."},
};
static_assert(well_formed(specs));

}  // namespace commands::sorted_set
