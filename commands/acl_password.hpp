// What the server knows of passwords: their SHA-256, as 64 lower-case hex digits.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace commands::acl {

[[nodiscard]] std::string hash_of_password(std::string_view password);
[[nodiscard]] bool is_password_hash(std::string_view text);
// ACL GENPASS: as many hex digits as it takes for so many bits, from the kernel's generator.
[[nodiscard]] std::string random_password(std::size_t bits);

}  // namespace commands::acl
