#include "commands/value_digest.hpp"

#include <xxhash.h>

namespace commands {

ValueDigest digest_of(std::string_view value) {
  constexpr std::string_view digits = "0123456789abcdef";
  XXH64_hash_t hash = XXH3_64bits(value.data(), value.size());
  ValueDigest text{};
  for (std::size_t i = text.size(); i-- > 0; hash >>= 4U) text[i] = digits[hash & 15U];
  return text;
}

bool is_digest(std::string_view text) {
  return text.size() == ValueDigest{}.size();
}

bool has_digest(std::string_view value, std::string_view digest) {
  const ValueDigest own = digest_of(value);
  for (std::size_t i = 0; i < own.size(); ++i) {
    const char letter = digest[i];
    const bool is_upper = letter >= 'A' && letter <= 'F';
    if (own[i] != (is_upper ? static_cast<char>(letter - 'A' + 'a') : letter)) return false;
  }
  return true;
}

}  // namespace commands
