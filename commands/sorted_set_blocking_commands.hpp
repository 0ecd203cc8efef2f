// Commands that wait for a member of a sorted set.
#pragma once

#include "commands/sorted_set_commands.hpp"

namespace commands::sorted_set {

void bzmpop(CommandContext& c);
void bzpopmax(CommandContext& c);
void bzpopmin(CommandContext& c);

namespace detail {
inline constexpr KeySpec popped = {1, -2, 1, 0,
                                   key_access::rw | key_access::access | key_access::del};
inline constexpr KeySpec counted_popped_behind_timeout{
    0, 0, 0, 2, key_access::rw | key_access::access | key_access::del};
inline constexpr Flags waits = flag::write | flag::blocking;
}  // namespace detail

inline constexpr CommandSpec blocking_specs[] = {
    {"BZMPOP", -5, detail::waits | flag::movablekeys, detail::counted_popped_behind_timeout, bzmpop,
     "7.0.0", "ZMPOP that waits for a member."},
    {"BZPOPMAX", -3, detail::waits | flag::noscript | flag::fast, detail::popped, bzpopmax, "5.0.0",
     "Takes the member with the highest score off the first key that has any; waits for one."},
    {"BZPOPMIN", -3, detail::waits | flag::noscript | flag::fast, detail::popped, bzpopmin, "5.0.0",
     "Takes the member with the lowest score off the first key that has any; waits for one."},
};
static_assert(well_formed(blocking_specs));

}  // namespace commands::sorted_set
