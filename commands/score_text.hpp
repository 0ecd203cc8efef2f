// Scores as text, by the rules of strtod.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace commands {

// Nullopt for what is no number, NaN, or beyond the range; no spaces around. "inf" is one.
[[nodiscard]] std::optional<double> parse_score(std::string_view text);
// A bound of a range: spaces may lead, it ends at a NUL, what is beyond the range is infinite, an
// empty text is 0.
[[nodiscard]] std::optional<double> parse_score_bound(std::string_view text);
// As Redis' packed form prints it: integers up to 2^62 without an exponent, else "%.17g".
[[nodiscard]] std::string packed_score_text(double score);
[[nodiscard]] std::string score_text(double score);  // "%.17g", "inf"

}  // namespace commands
