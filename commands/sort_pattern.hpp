// The patterns of SORT's BY and GET: "weight_*" names a string, "object_*->field" a field of a
// hash, where the first '*' stands for the element; "#" is the element itself.
#pragma once

#include "commands/command_context.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace commands::sort {

// BY with a pattern without '*' asks not to sort.
[[nodiscard]] bool names_keys(std::string_view pattern);
// What the pattern finds for the element; nothing when key, field or '*' is missing, or the key is
// of another type.
[[nodiscard]] std::optional<std::string> look_up(const CommandContext& c, std::string_view pattern,
                                                 std::string_view element);

}  // namespace commands::sort
