// What an operation of the engine may refuse. Texts for clients live in commands/error_replies.cpp.
#pragma once

#include <cstdint>
#include <expected>

namespace engine {

enum class Error : std::uint8_t {
  wrong_type,
  not_an_integer,
  not_a_real,
  increment_overflow,  // of a 64-bit integer
  not_finite,          // an increment that would give NaN or infinity
  score_not_a_number,  // an increment of a score that would give NaN
  hash_value_not_an_integer,
  hash_value_not_a_real,
  string_too_long,  // over proto-max-bulk-len
  bad_data_format,  // bytes to restore that are no dumped value
  out_of_memory,    // maxmemory reached and the call would create or grow a key
  journal_full,     // no room on the disk for what the call would create or grow
  journal_failed,   // nothing but releases is taken
};

template <typename T>
using Result = std::expected<T, Error>;

}  // namespace engine
