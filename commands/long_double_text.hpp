// The arithmetic of INCRBYFLOAT and HINCRBYFLOAT: 80-bit floating point, read by the rules of
// strtold (hexadecimal and exponents too; no spaces around), written in plain decimal without an
// exponent.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace commands {

// Nullopt for what is no number, NaN, or beyond the range. "inf" is one.
[[nodiscard]] std::optional<long double> parse_long_double(std::string_view text);
// 17 digits after the point at most, trailing zeros removed. `value` is finite.
[[nodiscard]] std::string format_long_double(long double value);

}  // namespace commands
