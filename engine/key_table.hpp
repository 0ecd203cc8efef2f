// The entries of one database and what hangs on them: hash table by key, expiry wheel, bytes taken.
// Physical operations only; what they mean (expiry, tokens, events, errors) is decided in Database.
// An operation that returns Entry& may have moved the entry.
#pragma once

#include "base/function_ref.hpp"
#include "engine/entry.hpp"
#include "engine/entry_allocator.hpp"
#include "engine/graveyard.hpp"
#include "engine/hash_table.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace engine {

struct EntryTraits {
  using Node = Entry;
  std::uint64_t seed = 0;
  static Node* next(const Node& node) { return node.chain_.get(); }
  static void set_next(Node& node, Node* next) { node.chain_.set(next); }
  [[nodiscard]] std::uint64_t hash(const Node& node) const { return hash_of(node.key()); }
  [[nodiscard]] std::uint64_t hash_of(std::string_view key) const;
};

// When a packed hash becomes a table.
struct PackedLimits {
  std::size_t fields_max;
  std::size_t value_bytes_max;
};

class KeyTable {
 public:
  using Table = HashTable<EntryTraits>;
  using Fields = std::span<const std::pair<std::string_view, std::string_view>>;

  KeyTable(EntryAllocator& allocator, Graveyard& graveyard, std::uint64_t seed);
  ~KeyTable();
  KeyTable(const KeyTable&) = delete;
  KeyTable& operator=(const KeyTable&) = delete;

  [[nodiscard]] std::uint64_t hash_of(std::string_view key) const {
    return EntryTraits{seed_}.hash_of(key);
  }
  [[nodiscard]] Entry* find(std::string_view key, std::uint64_t hash) const;
  [[nodiscard]] const Table& table() const { return table_; }
  // `keys` are about to come into the empty table. No more than a hint.
  void expect(std::uint64_t keys);
  [[nodiscard]] std::size_t with_deadline() const { return wheel_ ? wheel_->size() : 0; }
  [[nodiscard]] std::size_t allocated_bytes() const {
    return bytes_ + table_.allocated_bytes() + (wheel_ ? sizeof(ExpiryWheel) : 0);
  }
  // Null while no key ever had a deadline.
  [[nodiscard]] ExpiryWheel* wheel() const { return wheel_.get(); }
  [[nodiscard]] static Entry& entry_of(ExpiryNode& node);

  // --- whole entries; the key is not in the table
  Entry& add_string(std::string_view key, std::uint64_t hash, std::string_view text);
  Entry& add_hash(std::string_view key, std::uint64_t hash, Fields fields, PackedLimits limits);
  Entry& add_value(std::string_view key, std::uint64_t hash, Type type,
                   std::unique_ptr<LargeValue> value);
  // The value of `source`, which keeps an empty one when it is stolen: remove it next.
  Entry& add_clone(std::string_view key, std::uint64_t hash, const Entry& source);
  Entry& add_stolen(std::string_view key, std::uint64_t hash, Entry& source,
                    KeyTable& source_table);
  // Large values go to the graveyard.
  void remove(Entry& entry, std::uint64_t hash);

  // --- values
  Entry& set_text(Entry& entry, std::uint64_t hash, std::string_view text);
  Entry& append(Entry& entry, std::uint64_t hash, std::string_view bytes);
  Entry& set_range(Entry& entry, std::uint64_t hash, std::size_t offset, std::string_view bytes);
  Entry& set_fields(Entry& entry, std::uint64_t hash, Fields fields, PackedLimits limits);
  Entry& remove_fields(Entry& entry, std::uint64_t hash, std::span<const std::string_view> names);
  // `entry` is a list, set or sorted set; `change` may leave it empty: remove it next.
  void change_collection(Entry& entry, base::FunctionRef<void(Collection&)> change);
  static void set_encoding(Entry& entry, Encoding encoding);
  static void set_token(Entry& entry, std::uint64_t token);
  static void note_access(Entry& entry, std::int64_t now_ms);
  // `now_ms` only starts the wheel's time when this is its first deadline.
  void set_deadline(Entry& entry, std::int64_t deadline_ms, std::int64_t now_ms);

  // --- the epoch (keyspace_walk.hpp). Entries made from now on have been seen.
  void set_epoch(bool epoch) { epoch_ = std::uint64_t{epoch} << Entry::epoch_shift; }
  [[nodiscard]] bool is_seen(const Entry& entry) const {
    return (entry.state_ & epoch_mask) == epoch_;
  }
  void set_seen(Entry& entry) const { entry.state_ = (entry.state_ & ~epoch_mask) | epoch_; }

  // Frees up to `entries_max` entries of a table that left service. True: some are left.
  bool free_some(std::size_t entries_max);
  void validate() const;

 private:
  [[nodiscard]] Entry& add(std::string_view key, std::uint64_t hash, Type type,
                           std::size_t inline_bytes);
  [[nodiscard]] Entry& reshape(Entry& entry, std::uint64_t hash, std::size_t inline_bytes);
  [[nodiscard]] Entry& hang(Entry& entry, std::uint64_t hash, void* value);
  [[nodiscard]] Entry& store_inline(Entry& entry, std::uint64_t hash, std::string_view value);
  [[nodiscard]] std::unique_ptr<HashValue> gather(std::string& packed, std::size_t& count,
                                                  Fields fields, PackedLimits limits);
  void drop_value(Entry& entry);
  void free_entry(Entry& entry);

  static constexpr std::uint64_t epoch_mask = std::uint64_t{1} << Entry::epoch_shift;

  EntryAllocator& allocator_;
  Graveyard& graveyard_;
  std::uint64_t seed_;
  std::uint64_t epoch_ = 0;
  Table table_;
  std::unique_ptr<ExpiryWheel> wheel_;
  std::size_t bytes_ = 0;  // of entries and the values that hang on them
  std::string scratch_;
};

}  // namespace engine
