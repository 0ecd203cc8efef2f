// Mutation: one effect on one key (or on a subject without key: flush, swap, tokens, scripts), with
// all that is needed to repeat it. Live execution decides, builds a mutation and applies it; replay
// decodes one and applies it: Keyspace::apply is the only code that changes values.
//
// Frame, as bytes: varint length of what follows, zigzag lease time in ms, mutations to its end.
// Mutation: kind (1 byte), database (varint), then by kind (s = varint length + bytes, v = varint,
// d = deadline: 0 none, else zigzag + 1):
//   put_string     s key, s value, v encoding, d deadline, v token
//   put_hash       s key, v encoding, d deadline, v token, v pairs, { s field, s value }
//   put_list       s key, v encoding, d deadline, v token, v count, { s element }
//   put_set        s key, v encoding, d deadline, v token, v count, { s member }
//   put_sorted_set s key, v encoding, d deadline, v token, v count, { s member, score }
//                  score: IEEE 754 double, 8 bytes, little-endian
//   replace_value  s key, s value, v encoding       keeps deadline and token
//   append         s key, s bytes
//   set_range      s key, v offset, s bytes
//   set_fields     s key, v pairs, { s field, s value }      of an existing hash
//   remove_fields  s key, v count, { s field }      the key goes with its last field
//   push           s key, v side, v count, { s element }     onto an existing list, one by one
//   pop            s key, v side, v count
//   set_element    s key, v index, s element
//   insert_element s key, v index, s element        comes to stand at that index
//   erase_elements s key, v index, v count
//   add_members    s key, v count, { s member }     of an existing set
//   remove_members s key, v count, { s member }
//   set_scores     s key, v count, { s member, score }     of an existing sorted set
//   remove_scored  s key, v count, { s member }
//                  a list, set or sorted set goes with its last item, too
//   set_deadline   s key, d deadline
//   remove         s key, v reason
//   flush          (the database)
//   swap           v other database
//   reserve_tokens v end                            numbers up to `end` may have been handed out
//   load_script    s text                           into the script cache
//   put_library    s name, s code                   replaces a function library of that name
//   remove_library s name
//   flush_scripts, flush_libraries
//   expect_keys    v count                          are about to be put: room for them
#pragma once

#include "engine/entry.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace engine {

class KeyTable;

using FieldValue = std::pair<std::string_view, std::string_view>;

enum class Removal : std::uint8_t { requested, expired, overwritten };

enum class MutationKind : std::uint8_t {
  put_string = 1,
  put_hash,
  put_list,
  put_set,
  put_sorted_set,
  replace_value,
  append,
  set_range,
  set_fields,
  remove_fields,
  push,
  pop,
  set_element,
  insert_element,
  erase_elements,
  add_members,
  remove_members,
  set_scores,
  remove_scored,
  set_deadline,
  remove,
  flush,
  swap,
  reserve_tokens,
  load_script,
  flush_scripts,
  put_library,
  remove_library,
  flush_libraries,
  expect_keys,
};

// Whether it changes a ScriptState.
[[nodiscard]] constexpr bool is_of_scripts(MutationKind kind) {
  return kind >= MutationKind::load_script && kind <= MutationKind::flush_libraries;
}
// Whether it makes a value that replaces all that stands at its key.
[[nodiscard]] constexpr bool is_put(MutationKind kind) {
  return kind <= MutationKind::put_sorted_set;
}
[[nodiscard]] MutationKind put_of(Type type);
// The type a mutation puts or changes; none for those that fit every type, or none.
[[nodiscard]] std::optional<Type> type_of(MutationKind kind);

enum class Side : std::uint8_t { left, right };

struct ScoredMember {
  std::string_view member;
  double score = 0;
};

// How a put takes the value of another entry (RENAME and MOVE steal, COPY clones).
enum class SourceUse : std::uint8_t { none, steal, clone };

struct Mutation {
  explicit Mutation(MutationKind its_kind) : kind(its_kind) {}

  MutationKind kind;
  std::uint8_t database = 0;
  Removal reason = Removal::requested;
  // Of a put of another type than string: the encoding it has left the small one for, or whatever
  // its size asks for.
  Encoding encoding = Encoding::raw;
  SourceUse source_use = SourceUse::none;
  Side side = Side::left;
  bool located = false;  // hash and entry below are filled in
  std::string_view key;
  std::string_view value;
  std::span<const FieldValue> fields;
  std::span<const std::string_view> names;  // fields, elements, members
  std::span<const ScoredMember> scored;
  std::int64_t deadline_ms = no_deadline;
  std::uint64_t token = 0;
  std::uint64_t number = 0;  // offset, index, other database, end of the tokens
  std::uint64_t count = 0;   // of elements to pop or erase
  // Live execution only: what the decision already looked up. Never encoded.
  std::uint64_t hash = 0;
  Entry* entry = nullptr;   // what stands at `key` now
  Entry* source = nullptr;  // the value to put comes from here
  KeyTable* source_table = nullptr;
};

void encode(const Mutation& mutation, std::string& out);
// The items of a put, "v count, items", as the grammar has them.
void write_names(std::string& out, std::span<const std::string_view> names);
void write_scored(std::string& out, std::span<const ScoredMember> scored);

// Puts the length in front of a frame's body and appends both to `out`.
void encode_frame(std::int64_t lease_ms, std::string_view mutations, std::string& out);

}  // namespace engine
