// The encoding OBJECT ENCODING shows for a string that is set as a whole.
#pragma once

#include "base/integers.hpp"
#include "engine/entry.hpp"

#include <cstddef>
#include <string_view>

namespace engine {

// Of text that is no integer, or is not to be looked at as one.
[[nodiscard]] inline Encoding text_encoding(std::string_view text) {
  // Redis keeps strings up to this length in one piece with their object.
  constexpr std::size_t embstr_bytes_max = 44;
  return text.size() <= embstr_bytes_max ? Encoding::embstr : Encoding::raw;
}

[[nodiscard]] inline Encoding value_encoding(std::string_view value) {
  return base::parse_int64(value) ? Encoding::integer : text_encoding(value);
}

}  // namespace engine
