// Entry: a key with its value, as readers see it. One allocation for small values: header, key bytes,
// value. Owned by its Database; a pointer stays valid until the next change of that database.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "base/function_ref.hpp"

namespace engine {

enum class Type : std::uint8_t { string, hash };

// The names OBJECT ENCODING gives, as Redis 7.0 would for the same history.
enum class Encoding : std::uint8_t { integer, embstr, raw, listpack, hashtable };

// A deadline is absolute lease time in milliseconds; a key is gone from the first instant now ≥ deadline.
inline constexpr std::int64_t no_deadline = std::numeric_limits<std::int64_t>::max();

// A hash for reading. Small hashes keep their fields in order of insertion.
class HashView {
 public:
  explicit HashView(const class Entry& entry) : entry_(entry) {}
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::optional<std::string_view> get(std::string_view field) const;
  void for_each(base::FunctionRef<void(std::string_view field, std::string_view value)> visit) const;
  // Cursor iteration with Redis' guarantee: a field that stays throughout is visited at least once. A
  // small hash is visited whole. Returns the next cursor, 0 at the end.
  std::uint64_t scan(
      std::uint64_t cursor, std::size_t count,
      base::FunctionRef<void(std::string_view field, std::string_view value)> visit) const;

 private:
  const Entry& entry_;
};

}  // namespace engine
