// The digest by which DIGEST, DELEX and SET compare values without sending them: XXH3, 64 bits, as
// 16 lower-case hex digits.
#pragma once

#include <array>
#include <string_view>

namespace commands {

using ValueDigest = std::array<char, 16>;

[[nodiscard]] ValueDigest digest_of(std::string_view value);
// As clients write it: any letter case. Redis looks at the length alone; what is no hex digit
// matches nothing.
[[nodiscard]] bool is_digest(std::string_view text);
[[nodiscard]] bool has_digest(std::string_view value, std::string_view digest);

inline constexpr std::string_view not_a_digest = "ERR must be exactly 16 hexadecimal characters";

}  // namespace commands
