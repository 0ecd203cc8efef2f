// A set of byte strings. Sorted integers while all members are canonical decimal integers and no
// more than KeyspaceLimits::intset_members_max (encoding intset); then, for good, a hash table of
// single-allocation members (encoding hashtable). Owned by an Entry's pointer or, once removed, by
// the Graveyard.
//
// The members a mutation names may be views of members of this very set.
#pragma once

#include "base/function_ref.hpp"
#include "engine/collection.hpp"
#include "engine/entry_allocator.hpp"
#include "engine/hash_table.hpp"
#include "engine/integer_set.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace engine {

// One member in a table. Its bytes begin right behind the length.
struct MemberNode {
  MemberNode* next;
  std::uint32_t bytes;

  [[nodiscard]] std::string_view member() const;
};

struct MemberTraits {
  using Node = MemberNode;
  std::uint64_t seed = 0;
  static Node* next(const Node& node) { return node.next; }
  static void set_next(Node& node, Node* next) { node.next = next; }
  [[nodiscard]] std::uint64_t hash(const Node& node) const { return hash_of(node.member()); }
  [[nodiscard]] std::uint64_t hash_of(std::string_view member) const;
};

class SetValue final : public Collection {
 public:
  // A member's view dies with the visit: integers have no text of their own.
  using Visit = base::FunctionRef<void(std::string_view member)>;

  SetValue(std::uint64_t seed, EntryAllocator& allocator);
  ~SetValue() override;
  SetValue(const SetValue&) = delete;
  SetValue& operator=(const SetValue&) = delete;

  // --- Collection
  [[nodiscard]] std::unique_ptr<LargeValue> clone() const override;
  [[nodiscard]] std::size_t size() const override {
    return table_ ? table_->size() : integers_.size();
  }
  [[nodiscard]] Encoding encoding() const override {
    return table_ ? Encoding::hashtable : Encoding::intset;
  }
  [[nodiscard]] std::size_t allocated_bytes() const override;
  bool free_some(std::size_t members_max) override;
  void validate() const override;
  bool apply(const Mutation& mutation, const KeyspaceLimits& limits) override;
  void write_items(std::string& out) const override;

  // --- reading
  [[nodiscard]] bool contains(std::string_view member) const;
  // Integers come in ascending order.
  void for_each(Visit visit) const;
  // Cursor iteration with Redis' guarantee: a member that stays throughout is visited at least
  // once. Integers are visited whole. Returns the next cursor, 0 at the end.
  std::uint64_t scan(std::uint64_t cursor, std::size_t count, Visit visit) const;
  // Drawn uniformly; the set is not empty. `random` gives 64 random bits a call.
  [[nodiscard]] std::string random_member(base::FunctionRef<std::uint64_t()> random) const;

 private:
  using Table = HashTable<MemberTraits>;
  void add(std::string_view member, std::size_t integers_max);
  void add_to_table(std::string_view member);
  void remove(std::span<const std::string_view> members);
  void convert_to_table();
  [[nodiscard]] MemberNode* find_node(std::string_view member, std::uint64_t hash) const;
  void free_node(MemberNode* node);

  MemberTraits traits_;
  EntryAllocator& allocator_;  // of the members of a table
  IntegerSet integers_;
  std::unique_ptr<Table> table_;
  std::size_t node_bytes_ = 0;
};

// `entry` is a set.
[[nodiscard]] const SetValue& set_of(const Entry& entry);

}  // namespace engine
