// A hash too large to lie inside its entry: packed fields while Redis would say listpack, a hash
// table of single-allocation fields after convert_to_table(), for good. Owned by an Entry's pointer
// or, once removed, by the Graveyard.
#pragma once

#include "base/function_ref.hpp"
#include "engine/entry_allocator.hpp"
#include "engine/hash_table.hpp"
#include "engine/large_value.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace engine {

// One field of a table. Followed by the bytes of name and value.
struct FieldNode {
  FieldNode* next;
  std::uint32_t name_bytes;
  std::uint32_t value_bytes;

  [[nodiscard]] std::string_view name() const;
  [[nodiscard]] std::string_view value() const;
};

struct FieldTraits {
  using Node = FieldNode;
  std::uint64_t seed = 0;
  static Node* next(const Node& node) { return node.next; }
  static void set_next(Node& node, Node* next) { node.next = next; }
  [[nodiscard]] std::uint64_t hash(const Node& node) const { return hash_of(node.name()); }
  [[nodiscard]] std::uint64_t hash_of(std::string_view name) const;
};

class HashValue final : public LargeValue {
 public:
  using Visit = base::FunctionRef<void(std::string_view field, std::string_view value)>;

  HashValue(std::string_view packed, std::size_t fields, std::uint64_t seed,
            EntryAllocator& allocator);
  ~HashValue() override;
  HashValue(const HashValue&) = delete;
  HashValue& operator=(const HashValue&) = delete;

  // --- LargeValue
  [[nodiscard]] std::unique_ptr<LargeValue> clone() const override;
  [[nodiscard]] std::size_t size() const override {
    return table_ ? table_->size() : packed_count_;
  }
  [[nodiscard]] Encoding encoding() const override {
    return is_table() ? Encoding::hashtable : Encoding::listpack;
  }
  [[nodiscard]] std::size_t allocated_bytes() const override;
  bool free_some(std::size_t fields_max) override;
  void validate() const override;

  [[nodiscard]] bool is_table() const { return table_ != nullptr; }
  void convert_to_table();

  [[nodiscard]] std::optional<std::string_view> get(std::string_view field) const;
  void for_each(Visit visit) const;
  std::uint64_t scan(std::uint64_t cursor, std::size_t count, Visit visit) const;
  [[nodiscard]] std::pair<std::string_view, std::string_view> random_field(
      base::FunctionRef<std::uint64_t()> random) const;

  // True when the field is new.
  bool set(std::string_view field, std::string_view value);
  // True when it was there.
  bool remove(std::string_view field);

 private:
  using Table = HashTable<FieldTraits>;
  bool set_in_table(std::string_view field, std::string_view value);
  [[nodiscard]] FieldNode* find_node(std::string_view field, std::uint64_t hash) const;
  [[nodiscard]] FieldNode* new_node(std::string_view field, std::string_view value);
  void free_node(FieldNode* node);

  FieldTraits traits_;
  EntryAllocator& allocator_;  // of the fields of a table
  std::string packed_;
  std::size_t packed_count_;
  std::unique_ptr<Table> table_;
  std::size_t node_bytes_ = 0;
};

}  // namespace engine
