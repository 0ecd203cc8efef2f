// The text of a string too long for its entry: one malloc'ed piece, with room to grow in place.
#pragma once

#include <cstddef>
#include <string_view>

namespace engine {

struct LargeString {
  std::size_t bytes;
  std::size_t capacity;

  [[nodiscard]] char* data() { return reinterpret_cast<char*>(this + 1); }
  [[nodiscard]] std::string_view view() const {
    return {reinterpret_cast<const char*>(this + 1), bytes};
  }
  [[nodiscard]] std::size_t allocated_bytes() const;
};

// Contents are undefined.
[[nodiscard]] LargeString* new_large_string(std::size_t bytes);
// Sets the length, keeping contents; what is new is undefined. May move it. Growth is amortised.
[[nodiscard]] LargeString* resize(LargeString* text, std::size_t bytes);
// Gives back up to `bytes_max` from the end. Null when that was all of it.
[[nodiscard]] LargeString* free_tail(LargeString* text, std::size_t bytes_max);

}  // namespace engine
