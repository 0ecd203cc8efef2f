// Redis' glob: '*', '?', "[a-z]", "[^a]", backslash escapes; on bytes. Used by KEYS, SCAN,
// PSUBSCRIBE, CONFIG GET and by settings that take name patterns. Time is bounded: at most one
// backtrack point.
#pragma once

#include <cstdint>
#include <string_view>

namespace base {

enum class LetterCase : std::uint8_t { exact, ignored };

[[nodiscard]] bool glob_matches(std::string_view pattern, std::string_view text,
                                LetterCase letter_case = LetterCase::exact);

}  // namespace base
