// Entry: a key with its value, as readers see it. One allocation for small values: header (40
// bytes), key bytes, value; large values hang on a pointer. Owned by the KeyTable of its database;
// a pointer to it, and every view it gives, stays valid until the next change of that database.
//
// Body behind the header: [u32 key length when it is 255 or more] key, then the inline value (up to
// 255 bytes: the text of a string, the packed fields of a hash) or an 8-byte pointer to LargeString
// or a LargeValue. Strings are kept as text whatever their encoding.
#pragma once

#include "base/function_ref.hpp"
#include "engine/expiry_wheel.hpp"
#include "engine/tagged_link.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

namespace engine {

enum class Type : std::uint8_t { string, hash, list, set, sorted_set };

// The names OBJECT ENCODING gives, as Redis 7.0 would for the same history.
enum class Encoding : std::uint8_t {
  integer,
  embstr,
  raw,
  listpack,
  hashtable,
  intset,
  quicklist,
  skiplist
};

// A deadline is absolute lease time in milliseconds; a key is gone from the first instant now ≥
// deadline.
inline constexpr std::int64_t no_deadline = std::numeric_limits<std::int64_t>::max();

class Collection;
class HashValue;
struct LargeString;

class Entry {
 public:
  [[nodiscard]] std::string_view key() const;
  [[nodiscard]] Type type() const { return static_cast<Type>((state_ >> type_shift) & 7U); }
  [[nodiscard]] Encoding encoding() const {
    return static_cast<Encoding>((state_ >> encoding_shift) & 7U);
  }
  // The fencing number of this incarnation.
  [[nodiscard]] std::uint64_t token() const { return state_ >> token_shift; }
  [[nodiscard]] std::int64_t deadline_ms() const { return expiry_.deadline_ms; }
  [[nodiscard]] bool has_deadline() const { return expiry_.deadline_ms != no_deadline; }
  [[nodiscard]] bool is_expired(std::int64_t now_ms) const { return expiry_.deadline_ms <= now_ms; }
  // Of a string: its text, also when it is encoded as an integer.
  [[nodiscard]] std::string_view string() const;
  // Of a list, set or sorted set: its value. Each type has a function that gives it as what it is.
  [[nodiscard]] const Collection& collection() const;
  // Whole seconds since the last access by find() or a change (OBJECT IDLETIME); wraps at 194 days.
  [[nodiscard]] std::uint32_t idle_seconds(std::int64_t now_ms) const;
  // Allocated bytes, this entry's share of the table included (MEMORY USAGE).
  [[nodiscard]] std::size_t memory_bytes() const;

 private:
  friend class HashView;
  friend class KeyTable;
  friend struct EntryBody;
  friend struct EntryTraits;
  static constexpr unsigned type_shift = 0;
  static constexpr unsigned encoding_shift = 3;
  static constexpr unsigned outlined_shift = 6;  // the value hangs on a pointer
  static constexpr unsigned epoch_shift = 7;     // keyspace_walk.hpp
  static constexpr unsigned token_shift = 11;

  ExpiryNode expiry_;        // tags: access time (24 bits), bytes of the inline value (8)
  TaggedLink<Entry> chain_;  // tags: key length (8; 255: in the body), fields of an inline hash (8)
  std::uint64_t state_ = 0;  // token (53 bits), flags
};

// A hash for reading. Small hashes keep their fields in order of insertion.
class HashView {
 public:
  explicit HashView(const Entry& entry) : entry_(entry) {}
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::optional<std::string_view> get(std::string_view field) const;
  void for_each(
      base::FunctionRef<void(std::string_view field, std::string_view value)> visit) const;
  // Cursor iteration with Redis' guarantee: a field that stays throughout is visited at least once.
  // A small hash is visited whole. Returns the next cursor, 0 at the end.
  std::uint64_t scan(
      std::uint64_t cursor, std::size_t count,
      base::FunctionRef<void(std::string_view field, std::string_view value)> visit) const;
  // A field drawn uniformly, with its value. The hash is not empty (no hash in a database is).
  // `random` gives 64 random bits a call.
  [[nodiscard]] std::pair<std::string_view, std::string_view> random_field(
      base::FunctionRef<std::uint64_t()> random) const;

 private:
  const Entry& entry_;
};

}  // namespace engine
