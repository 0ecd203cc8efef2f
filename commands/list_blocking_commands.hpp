// Commands that wait for an element of a list.
#pragma once

#include "commands/list_commands.hpp"

namespace commands::list {

void blmove(CommandContext& c);
void blmpop(CommandContext& c);
void blpop(CommandContext& c);
void brpop(CommandContext& c);
void brpoplpush(CommandContext& c);

namespace detail {
inline constexpr Flags waits = flag::write | flag::blocking;
inline constexpr Flags waits_outside_scripts = waits | flag::noscript;
inline constexpr KeySpec all_but_the_last{1, -2, 1, 0, taken_from};
inline constexpr KeySpec counted_keys_behind_timeout{0, 0, 0, 2, taken_from};
}  // namespace detail

inline constexpr CommandSpec blocking_specs[] = {
    {"BLMOVE", 6, detail::waits_outside_scripts | flag::denyoom, detail::from_and_to, blmove,
     "6.2.0", "LMOVE that waits for an element."},
    {"BLMPOP", -5, detail::waits | flag::movablekeys, detail::counted_keys_behind_timeout, blmpop,
     "7.0.0", "LMPOP that waits for an element."},
    {"BLPOP", -3, detail::waits_outside_scripts, detail::all_but_the_last, blpop, "2.0.0",
     "Takes an element from the left end of the first list that has any; waits for one."},
    {"BRPOP", -3, detail::waits_outside_scripts, detail::all_but_the_last, brpop, "2.0.0",
     "Takes an element from the right end of the first list that has any; waits for one."},
    {"BRPOPLPUSH", 4, detail::waits_outside_scripts | flag::denyoom, detail::from_and_to,
     brpoplpush, "2.2.0", "RPOPLPUSH that waits for an element."},
};
static_assert(well_formed(blocking_specs));

}  // namespace commands::list
