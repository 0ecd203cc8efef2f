// Mutation: one effect on one key (or on a subject without key: flush, swap, tokens), with all that
// is needed to repeat it. Live execution decides, builds a mutation and applies it; replay decodes
// one and applies it: Keyspace::apply is the only code that changes values.
//
// Frame, as bytes: varint length of what follows, zigzag lease time in ms, mutations to its end.
// Mutation: kind (1 byte), database (varint), then by kind (s = varint length + bytes, v = varint,
// d = deadline: 0 none, else zigzag + 1):
//   put_string     s key, s value, v encoding, d deadline, v token
//   put_hash       s key, v encoding, d deadline, v token, v pairs, { s field, s value }
//   replace_value  s key, s value, v encoding       keeps deadline and token
//   append         s key, s bytes
//   set_range      s key, v offset, s bytes
//   set_fields     s key, v pairs, { s field, s value }      of an existing hash
//   remove_fields  s key, v count, { s field }      the key goes with its last field
//   set_deadline   s key, d deadline
//   remove         s key, v reason
//   flush          (the database)
//   swap           v other database
//   reserve_tokens v end                            numbers up to `end` may have been handed out
#pragma once

#include "engine/entry.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace engine {

class KeyTable;

using FieldValue = std::pair<std::string_view, std::string_view>;

enum class Removal : std::uint8_t { requested, expired, overwritten };

enum class MutationKind : std::uint8_t {
  put_string = 1,
  put_hash,
  replace_value,
  append,
  set_range,
  set_fields,
  remove_fields,
  set_deadline,
  remove,
  flush,
  swap,
  reserve_tokens,
};

// How put_string and put_hash take the value of another entry (RENAME and MOVE steal, COPY clones).
enum class SourceUse : std::uint8_t { none, steal, clone };

struct Mutation {
  explicit Mutation(MutationKind its_kind) : kind(its_kind) {}

  MutationKind kind;
  std::uint8_t database = 0;
  Removal reason = Removal::requested;
  Encoding encoding = Encoding::raw;  // put_hash: hashtable, or whatever its size asks for
  SourceUse source_use = SourceUse::none;
  bool located = false;  // hash and entry below are filled in
  std::string_view key;
  std::string_view value;
  std::span<const FieldValue> fields;
  std::span<const std::string_view> names;
  std::int64_t deadline_ms = no_deadline;
  std::uint64_t token = 0;
  std::uint64_t number = 0;  // offset, other database, end of the tokens
  // Live execution only: what the decision already looked up. Never encoded.
  std::uint64_t hash = 0;
  Entry* entry = nullptr;   // what stands at `key` now
  Entry* source = nullptr;  // the value to put comes from here
  KeyTable* source_table = nullptr;
};

void encode(const Mutation& mutation, std::string& out);

// Decodes the mutations of one frame. A mutation's views point into the bytes of the frame, its
// spans into the reader: they live until the next call.
class FrameReader {
 public:
  // `bytes` starts with a frame; what follows it is rest().
  explicit FrameReader(std::string_view bytes);
  // False at the end, and when the bytes are damaged (see damaged()).
  bool next(Mutation& mutation);
  [[nodiscard]] bool damaged() const { return damaged_; }
  [[nodiscard]] std::int64_t lease_ms() const { return lease_ms_; }
  [[nodiscard]] std::string_view rest() const { return rest_; }

 private:
  std::uint64_t read_number();
  std::string_view read_bytes();
  std::int64_t read_deadline();
  Encoding read_encoding(Encoding last);
  void read_fields(Mutation& mutation);
  void read_names(Mutation& mutation);
  void read_body(Mutation& mutation);

  std::string_view frame_;
  std::string_view rest_;
  std::vector<FieldValue> fields_;
  std::vector<std::string_view> names_;
  std::int64_t lease_ms_ = 0;
  bool damaged_ = false;
};

// Puts the length in front of a frame's body and appends both to `out`.
void encode_frame(std::int64_t lease_ms, std::string_view mutations, std::string& out);

}  // namespace engine
