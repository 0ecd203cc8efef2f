// SORT and SORT_RO: the elements of a list, set or sorted set, ordered by themselves or by other
// keys.
#pragma once

#include "commands/key_specs.hpp"

namespace commands::sort {

void sort(CommandContext& c);
void sort_ro(CommandContext& c);

namespace detail {
// The keys that patterns make are in no position; STORE's destination follows the word.
inline constexpr KeySpec sort_keys{.first = 1,
                                   .last = 1,
                                   .step = 1,
                                   .access = key_access::ro | key_access::access,
                                   .second_access = key_access::ow | key_access::update,
                                   .search = KeySearch::sort};
inline constexpr KeySpec sort_ro_keys{.first = 1,
                                      .last = 1,
                                      .step = 1,
                                      .access = key_access::ro | key_access::access,
                                      .search = KeySearch::sort_ro};
}  // namespace detail

inline constexpr CommandSpec specs[] = {
    // name, arity, flags, keys, handler, since, summary
    {"SORT", -2, flag::write | flag::denyoom | flag::movablekeys | flag::dangerous,
     detail::sort_keys, sort, "1.0.0",
     "Sorts a list, set or sorted set; answers or stores the result."},
    {"SORT_RO", -2, flag::readonly | flag::movablekeys | flag::dangerous, detail::sort_ro_keys,
     sort_ro, "7.0.0", "Sorts a list, set or sorted set; answers the result."},
};
static_assert(well_formed(specs));

}  // namespace commands::sort
