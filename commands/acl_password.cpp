#include "commands/acl_password.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <array>
#include <openssl/sha.h>
#include <sys/random.h>

namespace commands::acl {
namespace {

constexpr std::string_view digits = "0123456789abcdef";

std::string hex_of(const unsigned char* bytes, std::size_t count) {
  std::string hex;
  for (std::size_t i = 0; i < count; ++i) {
    hex += digits[bytes[i] >> 4u];
    hex += digits[bytes[i] & 15u];
  }
  return hex;
}

}  // namespace

std::string hash_of_password(std::string_view password) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> hash{};
  SHA256(reinterpret_cast<const unsigned char*>(password.data()), password.size(), hash.data());
  return hex_of(hash.data(), hash.size());
}

bool is_password_hash(std::string_view text) {
  constexpr std::size_t size = std::size_t{2} * SHA256_DIGEST_LENGTH;
  return text.size() == size && text.find_first_not_of(digits) == std::string_view::npos;
}

std::string random_password(std::size_t bits) {
  constexpr std::size_t bits_max = 4096;
  ASSERT(bits > 0 && bits <= bits_max);
  std::array<unsigned char, bits_max / 8> bytes{};
  const std::size_t count = (bits + 7) / 8;
  // The kernel gives up to 256 bytes at once, whole.
  for (std::size_t done = 0; done < count;) {
    const std::size_t wanted = std::min<std::size_t>(count - done, 256);
    const ssize_t got = ::getrandom(bytes.data() + done, wanted, 0);
    if (got > 0) done += static_cast<std::size_t>(got);
  }
  return hex_of(bytes.data(), count).substr(0, (bits + 3) / 4);
}

}  // namespace commands::acl
