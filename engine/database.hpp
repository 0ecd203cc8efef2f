// One of the numbered databases: names → entries. Every change of a key goes through here; each is
// a mutation, appended to the current frame of the keyspace and applied by the same code that
// replays a journal. A key whose deadline has come is hidden; whoever names it in a frame, readers
// too, removes it first (as expired), as Redis does.
//
// Preconditions: changes happen only between Keyspace::begin_frame() and end_frame(). `now` stands
// still within a frame. Returned views and Entry pointers die with the next change.
#pragma once

#include "base/function_ref.hpp"
#include "engine/entry.hpp"
#include "engine/error.hpp"
#include "engine/key_table.hpp"
#include "engine/mutation.hpp"
#include "engine/score_change.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace engine {

class Keyspace;

class Database {
 public:
  Database(Keyspace& keyspace, int index);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // --- reading; never changes anything a client can see
  // Null when absent. Counts a keyspace hit or miss.
  [[nodiscard]] const Entry* find(std::string_view key);
  // Like find(), counting nothing and leaving the access time alone.
  [[nodiscard]] const Entry* peek(std::string_view key);
  // Whether a reader would find the key. Removes nothing.
  [[nodiscard]] bool holds(std::string_view key) const;
  // Keys including those overdue but not yet removed, as DBSIZE counts them.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::size_t with_deadline() const;
  // A random entry, null when empty.
  [[nodiscard]] const Entry* random();
  void for_each(base::FunctionRef<void(const Entry&)> visit) const;
  // Visits about `count` entries; Redis' SCAN guarantee across growth. Returns the next cursor, 0
  // at the end.
  std::uint64_t scan(std::uint64_t cursor, std::size_t count,
                     base::FunctionRef<void(const Entry&)> visit) const;

  // --- strings
  // Creates or replaces a key of any type. The deadline is replaced too (pass the old one to keep
  // it). A new key, or a different value, is a new incarnation: it takes the next fencing token.
  Result<void> set_string(std::string_view key, std::string_view value,
                          std::int64_t deadline_ms = no_deadline);
  // These three keep deadline and token of an existing key. Result: new length, new length, new
  // value.
  Result<std::size_t> append(std::string_view key, std::string_view bytes);
  Result<std::size_t> set_range(std::string_view key, std::size_t offset, std::string_view bytes);
  Result<std::int64_t> increment(std::string_view key, std::int64_t delta);
  // Replaces the value of an existing or new string but not its deadline and token (INCRBYFLOAT).
  Result<void> replace_value(std::string_view key, std::string_view value);

  // --- hashes
  // Result: how many fields are new.
  Result<std::size_t> hash_set(std::string_view key, std::span<const FieldValue> fields);
  // Result: how many were there. The key goes with its last field.
  Result<std::size_t> hash_remove(std::string_view key, std::span<const std::string_view> fields);
  Result<std::int64_t> hash_increment(std::string_view key, std::string_view field,
                                      std::int64_t delta);

  // --- sets
  // Result: how many members are new, or were there. The key goes with its last member.
  Result<std::size_t> set_add(std::string_view key, std::span<const std::string_view> members);
  Result<std::size_t> set_remove(std::string_view key, std::span<const std::string_view> members);
  // Replaces whatever is at `key` by a new set of these members, at least one.
  Result<void> set_put(std::string_view key, std::span<const std::string_view> members,
                       Encoding encoding);
  // `key` is a set that holds these members, at least one: drops all others.
  void set_keep(std::string_view key, std::span<const std::string_view> members);

  // --- sorted sets. Removing is never refused; a key goes with its last member.
  Result<ScoreChange> set_scores(std::string_view key, std::span<const ScoredMember> scores,
                                 ScoreCondition condition);
  Result<ScoreChange> increment_score(std::string_view key, const ScoredMember& delta,
                                      ScoreCondition condition);
  // Result: how many were there.
  Result<std::size_t> remove_scored(std::string_view key,
                                    std::span<const std::string_view> members);
  // `key` is a sorted set with members of these ranks (from the lowest, 0).
  void remove_ranks(std::string_view key, std::size_t first, std::size_t count);
  // Replaces any key. `scores` is not empty and may lie in what is replaced.
  Result<void> put_sorted_set(std::string_view key, std::span<const ScoredMember> scores);

  // --- keys
  bool remove(std::string_view key, Removal reason = Removal::requested);
  // False when absent. A deadline that has come removes nothing by itself.
  Result<bool> set_deadline(std::string_view key, std::int64_t deadline_ms);
  // `from` exists. What stood at `to` is gone; the value moves with its deadline and a new token.
  Result<void> rename(std::string_view from, std::string_view to);
  // `key` exists here; replaces what `to_key` in `to` holds. New token. Also within one database.
  Result<void> copy(std::string_view key, Database& to, std::string_view to_key);
  // `key` exists here and not in `to`.
  Result<void> move(std::string_view key, Database& to);

  [[nodiscard]] int index() const { return index_; }
  // Why a call that would grow a key, or renew it, is refused. Not once the call has changed any.
  [[nodiscard]] std::optional<Error> growth_refusal() const;
  [[nodiscard]] std::optional<Error> renewal_refusal() const;

 private:
  friend class Keyspace;
  friend class ListKeys;
  friend class ValueDump;

  // What a change finds at its key; an overdue entry has been removed (as expired) before.
  struct Place {
    std::uint64_t hash;
    Entry* entry;
  };
  [[nodiscard]] Place place(std::string_view key);
  [[nodiscard]] bool is_visible(const Entry* entry) const;
  [[nodiscard]] Entry* visible_entry(std::string_view key);
  [[nodiscard]] Mutation mutation(MutationKind kind, std::string_view key,
                                  const Place& place) const;
  Result<void> create_string(std::string_view key, const Place& place, std::string_view value,
                             Encoding encoding);
  // What stands at `key`, if it is of that type or nothing.
  Result<Place> place_of(std::string_view key, Type type);
  // Makes a new value of the items in `mutation` (a put), or changes the one that is there.
  Result<void> grow(Mutation& mutation);
  Result<void> change_scores(std::string_view key, const Place& place,
                             std::span<const ScoredMember> scores, std::size_t added);
  Result<void> change_text(const Mutation& mutation, std::size_t new_bytes);  // 0: not refused
  void put_from(KeyTable& source_table, Entry& source, SourceUse use, std::string_view to_key);
  [[nodiscard]] std::optional<Error> journal_refusal() const;
  [[nodiscard]] static bool grows(const Entry& entry, std::span<const FieldValue> fields);
  // Sets fields of a hash that exists or not. Result: how many are new.
  Result<std::size_t> put_fields(std::string_view key, const Place& place,
                                 std::span<const FieldValue> fields);

  Keyspace& keyspace_;
  int index_;
  std::unique_ptr<KeyTable> table_;  // FLUSH and SWAPDB exchange it whole
};

}  // namespace engine
