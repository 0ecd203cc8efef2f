// Intrusive chained hash table that grows and shrinks one bucket at a time (linear hashing), so
// that no operation pauses for a rehash. Serves keys and the fields of large hashes. Owns no nodes.
//
// `Traits`: Node; static Node* next(const Node&); static void set_next(Node&, Node*);
//           std::uint64_t hash(const Node&) const.
#pragma once

#include "base/assert.hpp"
#include "engine/bucket_array.hpp"
#include "engine/chain.hpp"
#include "engine/scan_cursor.hpp"

#include <cstddef>
#include <cstdint>

namespace engine {

template <typename Traits>
class HashTable {
 public:
  using Node = typename Traits::Node;

  explicit HashTable(Traits traits = {}) : traits_(traits) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t allocated_bytes() const { return buckets_.allocated_bytes(); }
  [[nodiscard]] const BucketArray& buckets() const { return buckets_; }

  template <typename Equal>
  [[nodiscard]] Node* find(std::uint64_t hash, Equal equal) const {
    return chain(buckets_.index_of(hash)).find(equal);
  }

  // No equal node is in the table.
  void insert(Node& node, std::uint64_t hash) {
    chain(buckets_.index_of(hash)).push(node);
    if (++size_ * 2 > buckets_.size() * load_max_doubled) split_one();
  }

  // Room for `nodes` in the empty table at once: none of them is moved as it grows.
  void expect(std::size_t nodes) {
    while (nodes * 2 > buckets_.size() * load_max_doubled) buckets_.grow();
  }

  // `node` is in the table and has `hash`.
  void erase(Node& node, std::uint64_t hash) {
    chain(buckets_.index_of(hash)).put_in_place_of(node, Traits::next(node));
    --size_;
    // Two buckets for each node keep up; one more catches up.
    for (int step = 0; step < 3 && size_ * 2 < buckets_.size(); ++step) merge_one();
  }

  // `old_node` moved to `new_node` (its bytes are copied already).
  void replace(const Node& old_node, Node& new_node, std::uint64_t hash) {
    chain(buckets_.index_of(hash)).put_in_place_of(old_node, &new_node);
  }

  template <typename Visit>
  void for_each(Visit visit) const {
    for (std::size_t at = 0; at < buckets_.size(); ++at) chain(at).visit(visit);
  }

  // Visits the buckets `cursor` stands for until about `count` nodes were seen. A node that is in
  // the table from the cursor 0 to the next 0 is visited at least once.
  template <typename Visit>
  [[nodiscard]] std::uint64_t scan(std::uint64_t cursor, std::size_t count, Visit visit) const {
    std::size_t seen = 0;
    const auto counted = [&](Node& node) {
      ++seen;
      visit(node);
    };
    // Empty buckets are bounded too: a call stays short in a thinned-out table.
    for (std::size_t steps = 0; steps / 10 <= count && seen < count; ++steps) {
      const std::uint64_t mask = buckets_.low_mask();
      const std::uint64_t at = cursor & mask;
      chain(at).visit(counted);
      if (at + mask + 1 < buckets_.size()) chain(at + mask + 1).visit(counted);
      cursor = next_cursor(cursor, mask);
      if (cursor == 0) return 0;
    }
    return cursor;
  }

  // Uniform: a place in a chain is as likely as any other. Null when empty.
  template <typename Random>
  [[nodiscard]] Node* random(Random random_bits) const {
    while (size_ > 0) {
      const std::uint64_t bits = random_bits();
      Node* node = chain((bits >> 8U) % buckets_.size()).nth(bits % chain_places);
      if (node != nullptr) return node;
    }
    return nullptr;
  }

  // Takes out any node, from the back; buckets go with it. Null when empty. For freeing in slices:
  // afterwards only take_any() may be called.
  [[nodiscard]] Node* take_any() {
    while (size_ > 0) {
      auto last = chain(buckets_.size() - 1);
      if (Node* node = last.first()) {
        last.put_in_place_of(*node, Traits::next(*node));
        --size_;
        return node;
      }
      buckets_.shrink();
    }
    return nullptr;
  }

  void validate() const {
    std::size_t seen = 0;
    for (std::size_t at = 0; at < buckets_.size(); ++at) {
      chain(at).visit([&](Node& node) {
        ++seen;
        ASSERT(buckets_.index_of(traits_.hash(node)) == at);
      });
    }
    ASSERT(seen == size_);
    ASSERT(buckets_.size() >= BucketArray::buckets_min);
  }

 private:
  static constexpr std::size_t load_max_doubled = 3;  // 1.5 nodes a bucket: 5.3 bytes a node
  static constexpr std::uint64_t chain_places = 16;   // longer chains are unheard of at that load

  [[nodiscard]] Chain<Traits> chain(std::size_t at) const { return Chain<Traits>(buckets_.at(at)); }

  void split_one() {
    const std::size_t added = buckets_.size();
    void* nodes = chain(BucketArray::buddy_of(added)).release();
    buckets_.grow();
    Chain<Traits>(nodes).visit(
        [&](Node& node) { chain(buckets_.index_of(traits_.hash(node))).push(node); });
  }

  void merge_one() {
    const std::size_t last = buckets_.size() - 1;
    if (last < BucketArray::buckets_min) return;
    void* nodes = chain(last).release();
    buckets_.shrink();
    Chain<Traits>(nodes).visit([&](Node& node) { chain(BucketArray::buddy_of(last)).push(node); });
  }

  [[no_unique_address]] Traits traits_;
  BucketArray buckets_;
  std::size_t size_ = 0;
};

}  // namespace engine
