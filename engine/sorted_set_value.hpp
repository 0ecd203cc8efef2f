// A sorted set: packed while Redis would say listpack; for good, once it outgrew that, a hash table
// by member and a ranked tree by (score, member) over the same nodes. Owned by an Entry's pointer
// or, once removed, by the Graveyard.
#pragma once

#include "base/function_ref.hpp"
#include "engine/collection.hpp"
#include "engine/entry_allocator.hpp"
#include "engine/hash_table.hpp"
#include "engine/mutation.hpp"
#include "engine/ranked_tree.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace engine {

struct ScoredTraits {
  using Node = ScoredNode;
  std::uint64_t seed = 0;
  static Node* next(const Node& node) { return node.next; }
  static void set_next(Node& node, Node* next) { node.next = next; }
  [[nodiscard]] std::uint64_t hash(const Node& node) const { return hash_of(node.member()); }
  [[nodiscard]] std::uint64_t hash_of(std::string_view member) const;
};

class SortedSetValue final : public Collection {
 public:
  using Visit = RankedTree::Visit;

  SortedSetValue(std::uint64_t seed, EntryAllocator& allocator);
  ~SortedSetValue() override;
  SortedSetValue(const SortedSetValue&) = delete;
  SortedSetValue& operator=(const SortedSetValue&) = delete;

  // --- Collection
  [[nodiscard]] std::unique_ptr<LargeValue> clone() const override;
  [[nodiscard]] std::size_t size() const override {
    return index_ ? index_->table.size() : packed_count_;
  }
  [[nodiscard]] Encoding encoding() const override {
    return index_ ? Encoding::skiplist : Encoding::listpack;
  }
  [[nodiscard]] std::size_t allocated_bytes() const override;
  bool free_some(std::size_t members_max) override;
  void validate() const override;
  bool apply(const Mutation& mutation, const KeyspaceLimits& limits) override;
  void write_items(std::string& out) const override;

  // --- reading
  [[nodiscard]] std::optional<double> score(std::string_view member) const;
  // From the lowest, 0.
  [[nodiscard]] std::optional<std::size_t> rank(std::string_view member) const;
  // `rank` < size().
  [[nodiscard]] ScoredMember at(std::size_t rank) const;
  // How many members, from the lowest on, come before a point; `is_before` is true for exactly
  // those.
  [[nodiscard]] std::size_t count_before(RankedTree::IsBefore is_before) const;
  // `count` members at most, after the first `skip` in that order.
  void visit(std::size_t skip, std::size_t count, Order order, Visit visit) const;
  // Cursor iteration with Redis' guarantee: a member that stays throughout is visited at least
  // once. A packed one is visited whole. Returns the next cursor, 0 at the end.
  std::uint64_t scan(std::uint64_t cursor, std::size_t count, Visit visit) const;

 private:
  struct Index {
    explicit Index(ScoredTraits traits) : table(traits) {}
    HashTable<ScoredTraits> table;
    RankedTree tree;
  };

  void convert_to_index();
  void set(const ScoredMember& item, const KeyspaceLimits& limits);
  void set_indexed(const ScoredMember& item);
  void remove(std::span<const std::string_view> members);
  [[nodiscard]] ScoredNode* find_node(std::string_view member, std::uint64_t hash) const;
  void add_node(const ScoredMember& item, std::uint64_t hash);
  void free_node(ScoredNode* node);

  ScoredTraits traits_;
  EntryAllocator& allocator_;  // of the nodes
  std::string packed_;
  std::size_t packed_count_ = 0;
  std::unique_ptr<Index> index_;
  std::size_t node_bytes_ = 0;
};

// `entry` is a sorted set.
[[nodiscard]] const SortedSetValue& sorted_set_of(const Entry& entry);

}  // namespace engine
