// Lists. Handlers: list_commands.cpp; LPOS in list_search_commands.cpp; LMOVE, RPOPLPUSH and LMPOP
// in list_move_commands.cpp; those that wait in list_blocking_commands.cpp.
#pragma once

#include "commands/key_specs.hpp"

namespace commands::list {

void lindex(CommandContext& c);
void linsert(CommandContext& c);
void llen(CommandContext& c);
void lmove(CommandContext& c);
void lmpop(CommandContext& c);
void lpop(CommandContext& c);
void lpos(CommandContext& c);
void lpush(CommandContext& c);
void lpushx(CommandContext& c);
void lrange(CommandContext& c);
void lrem(CommandContext& c);
void lset(CommandContext& c);
void ltrim(CommandContext& c);
void rpop(CommandContext& c);
void rpoplpush(CommandContext& c);
void rpush(CommandContext& c);
void rpushx(CommandContext& c);

namespace detail {
inline constexpr Flags fast_grows = flag::write | flag::denyoom | flag::fast;
inline constexpr Flags grows = flag::write | flag::denyoom;
inline constexpr std::uint16_t taken_from = key_access::rw | key_access::access | key_access::del;
inline constexpr KeySpec one_key_trimmed = key_spec::one(key_access::rw | key_access::del);
inline constexpr KeySpec from_and_to =
    key_spec::two(taken_from, key_access::rw | key_access::insert);
inline constexpr KeySpec counted_keys{0, 0, 0, 1, taken_from};
}  // namespace detail

inline constexpr CommandSpec specs[] = {
    {"LINDEX", 3, flag::readonly, one_key_read, lindex, "1.0.0",
     "Returns the element at an index."},
    {"LINSERT", 5, detail::grows, one_key_inserted, linsert, "2.2.0",
     "Inserts an element before or after another."},
    {"LLEN", 2, flag::readonly | flag::fast, one_key_looked_at, llen, "1.0.0",
     "Returns the number of elements."},
    {"LMOVE", 5, detail::grows, detail::from_and_to, lmove, "6.2.0",
     "Moves an element from an end of a list to an end of another or the same."},
    {"LMPOP", -4, flag::write | flag::movablekeys, detail::counted_keys, lmpop, "7.0.0",
     "Takes elements from the first list that has any."},
    {"LPOP", -2, flag::write | flag::fast, one_key_read_deleted, lpop, "1.0.0",
     "Takes elements from the left end."},
    {"LPOS", -3, flag::readonly, one_key_read, lpos, "6.0.6",
     "Returns the indices of matching elements."},
    {"LPUSH", -3, detail::fast_grows, one_key_inserted, lpush, "1.0.0",
     "Adds elements at the left end, creating the list when absent."},
    {"LPUSHX", -3, detail::fast_grows, one_key_inserted, lpushx, "2.2.0",
     "Adds elements at the left end of a list that exists."},
    {"LRANGE", 4, flag::readonly, one_key_read, lrange, "1.0.0", "Returns a range of elements."},
    {"LREM", 4, flag::write, detail::one_key_trimmed, lrem, "1.0.0",
     "Removes elements of a value; the key goes with its last element."},
    {"LSET", 4, detail::grows, one_key_updated, lset, "1.0.0", "Sets the element at an index."},
    {"LTRIM", 4, flag::write, detail::one_key_trimmed, ltrim, "1.0.0",
     "Keeps a range of elements and removes the others."},
    {"RPOP", -2, flag::write | flag::fast, one_key_read_deleted, rpop, "1.0.0",
     "Takes elements from the right end."},
    {"RPOPLPUSH", 3, detail::grows, detail::from_and_to, rpoplpush, "1.2.0",
     "Moves the last element of a list to the front of another or the same."},
    {"RPUSH", -3, detail::fast_grows, one_key_inserted, rpush, "1.0.0",
     "Adds elements at the right end, creating the list when absent."},
    {"RPUSHX", -3, detail::fast_grows, one_key_inserted, rpushx, "2.2.0",
     "Adds elements at the right end of a list that exists."},
};
static_assert(well_formed(specs));

}  // namespace commands::list
