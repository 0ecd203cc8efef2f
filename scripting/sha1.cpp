#include "scripting/sha1.hpp"

#include <boost/uuid/detail/sha1.hpp>

namespace scripting {

std::string sha1_hex(std::string_view bytes) {
  boost::uuids::detail::sha1 sha1;
  sha1.process_bytes(bytes.data(), bytes.size());
  unsigned int words[5];
  sha1.get_digest(words);
  constexpr std::string_view digits = "0123456789abcdef";
  std::string hex;
  for (const unsigned int word : words)
    for (unsigned int shift = 32; shift > 0; shift -= 4) hex += digits[(word >> (shift - 4)) & 15u];
  return hex;
}

}  // namespace scripting
