// Sets. Handlers are in set_commands.cpp; SPOP, SRANDMEMBER and SSCAN in set_sampling_commands.cpp,
// intersections, unions and differences in set_algebra_commands.cpp.
#pragma once

#include "commands/key_specs.hpp"

namespace commands::set {

void sadd(CommandContext& c);
void scard(CommandContext& c);
void sdiff(CommandContext& c);
void sdiffstore(CommandContext& c);
void sinter(CommandContext& c);
void sintercard(CommandContext& c);
void sinterstore(CommandContext& c);
void sismember(CommandContext& c);
void smembers(CommandContext& c);
void smismember(CommandContext& c);
void smove(CommandContext& c);
void spop(CommandContext& c);
void srandmember(CommandContext& c);
void srem(CommandContext& c);
void sscan(CommandContext& c);
void sunion(CommandContext& c);
void sunionstore(CommandContext& c);

namespace detail {
namespace ka = key_access;
inline constexpr Flags fast_write = flag::write | flag::fast;
inline constexpr Flags fast_read = flag::readonly | flag::fast;
inline constexpr Flags stores = flag::write | flag::denyoom;
inline constexpr KeySpec all_read = key_spec::all(ka::ro | ka::access);
inline constexpr KeySpec counted{0, 0, 0, 1, ka::ro | ka::access};
inline constexpr KeySpec moved = key_spec::two(ka::rw | ka::access | ka::del, ka::rw | ka::insert);
inline constexpr KeySpec taken_from = key_spec::one(ka::rw | ka::del);
inline constexpr KeySpec target_then_sources{1, -1, 1, 0, ka::ow | ka::update, ka::ro | ka::access};
// Redis 7.0: SINTERSTORE alone calls its target updated, not overwritten.
inline constexpr KeySpec updated_then_sources{
    1, -1, 1, 0, ka::rw | ka::update, ka::ro | ka::access};
}  // namespace detail

inline constexpr CommandSpec specs[] = {
    {"SADD", -3, detail::fast_write | flag::denyoom, one_key_inserted, sadd, "1.0.0",
     "Adds members, creating the set when absent."},
    {"SCARD", 2, detail::fast_read, one_key_looked_at, scard, "1.0.0",
     "Returns the number of members."},
    {"SDIFF", -2, flag::readonly, detail::all_read, sdiff, "1.0.0",
     "Returns the members of the first set that are in none of the others."},
    {"SDIFFSTORE", -3, detail::stores, detail::target_then_sources, sdiffstore, "1.0.0",
     "Stores what SDIFF returns under another key."},
    {"SINTER", -2, flag::readonly, detail::all_read, sinter, "1.0.0",
     "Returns the members that all sets share."},
    {"SINTERCARD", -3, flag::readonly | flag::movablekeys, detail::counted, sintercard, "7.0.0",
     "Returns how many members all sets share, counting up to a limit."},
    {"SINTERSTORE", -3, detail::stores, detail::updated_then_sources, sinterstore, "1.0.0",
     "Stores what SINTER returns under another key."},
    {"SISMEMBER", 3, detail::fast_read, one_key_looked_at, sismember, "1.0.0",
     "Tells whether a set has a member."},
    {"SMEMBERS", 2, flag::readonly, one_key_read, smembers, "1.0.0", "Returns all members."},
    {"SMISMEMBER", -3, detail::fast_read, one_key_read, smismember, "6.2.0",
     "Tells of several members whether a set has them."},
    {"SMOVE", 4, detail::fast_write, detail::moved, smove, "1.0.0",
     "Moves a member from one set to another."},
    {"SPOP", -2, detail::fast_write, one_key_read_deleted, spop, "1.0.0",
     "Removes random members and returns them."},
    {"SRANDMEMBER", -2, flag::readonly, one_key_read, srandmember, "1.0.0",
     "Returns random members."},
    {"SREM", -3, detail::fast_write, detail::taken_from, srem, "1.0.0",
     "Removes members; the key goes with its last member."},
    {"SSCAN", -3, flag::readonly, one_key_read, sscan, "2.8.0", "Iterates over the members."},
    {"SUNION", -2, flag::readonly, detail::all_read, sunion, "1.0.0",
     "Returns the members that are in any of the sets."},
    {"SUNIONSTORE", -3, detail::stores, detail::target_then_sources, sunionstore, "1.0.0",
     "Stores what SUNION returns under another key."},
};
static_assert(well_formed(specs));

}  // namespace commands::set
