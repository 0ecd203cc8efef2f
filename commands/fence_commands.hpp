// Fencing: the numbers by which a storage service tells a late lock holder from the present one.
// Each key that comes into being takes the next number of one server-wide sequence (its token).
//   FENCE.TOKEN key [OWNER owner]    the token; with OWNER only while `owner` holds the key
//   FENCE.CHECK resource token       refuses a token older than the newest seen for `resource`
//   FENCE.LAST                       the last number handed out
#pragma once

#include "commands/key_specs.hpp"

namespace commands::lock {

void fence_check(CommandContext& c);
void fence_last(CommandContext& c);
void fence_token(CommandContext& c);

inline constexpr CommandSpec specs[] = {
    {"FENCE.CHECK", 3, flag::write | flag::denyoom | flag::fast, one_key_read_updated, fence_check,
     "7.0.0", "Accepts a fencing token unless a newer one has been seen for the resource."},
    {"FENCE.LAST", 1, flag::readonly | flag::fast, no_keys, fence_last, "7.0.0",
     "Returns the last fencing token handed out."},
    {"FENCE.TOKEN", -2, flag::readonly | flag::fast, one_key_read, fence_token, "7.0.0",
     "Returns the fencing token of a key, if asked only to its owner."},
};
static_assert(well_formed(specs));

}  // namespace commands::lock
