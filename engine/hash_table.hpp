// Intrusive chained hash table that grows and shrinks one bucket at a time (linear hashing), so
// that no operation pauses for a rehash. Serves keys and the fields of large hashes. Owns no nodes.
//
// With n buckets, 2^k ≤ n < 2^(k+1): a hash h lives in bucket h mod 2^(k+1), or h mod 2^k when that
// bucket does not exist yet. Growth splits bucket n - 2^k, shrinking merges the last bucket back.
//
// `Traits`: Node; static Node* next(const Node&); static void set_next(Node&, Node*);
//           std::uint64_t hash(const Node&) const.
#pragma once

#include "base/assert.hpp"
#include "engine/bucket_array.hpp"
#include "engine/scan_cursor.hpp"

#include <bit>
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

  template <typename Equal>
  [[nodiscard]] Node* find(std::uint64_t hash, Equal equal) const {
    Node* node = head(index_of(hash));
    while (node != nullptr && !equal(*node)) node = Traits::next(*node);
    return node;
  }

  // No equal node is in the table.
  void insert(Node& node, std::uint64_t hash) {
    push(index_of(hash), node);
    if (++size_ * 2 > buckets_.size() * load_max_doubled) split_one();
  }

  // `node` is in the table and has `hash`.
  void erase(Node& node, std::uint64_t hash) {
    put_behind(before(node, hash), index_of(hash), Traits::next(node));
    --size_;
    // Two buckets for each node keep up; a few more catch up after a burst.
    for (int step = 0; step < 3 && size_ * 2 < buckets_.size(); ++step) merge_one();
  }

  // `old_node` moved to `new_node` (its bytes are copied already).
  void replace(const Node& old_node, Node& new_node, std::uint64_t hash) {
    put_behind(before(old_node, hash), index_of(hash), &new_node);
  }

  template <typename Visit>
  void for_each(Visit visit) const {
    for (std::size_t at = 0; at < buckets_.size(); ++at) visit_chain(at, visit);
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
      const std::uint64_t mask = std::bit_floor(buckets_.size()) - 1;
      const std::uint64_t at = cursor & mask;
      visit_chain(at, counted);
      if (at + mask + 1 < buckets_.size()) visit_chain(at + mask + 1, counted);
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
      Node* node = head((bits >> 8U) % buckets_.size());
      for (std::uint64_t skip = bits % chain_places; node != nullptr && skip > 0; --skip) {
        node = Traits::next(*node);
      }
      if (node != nullptr) return node;
    }
    return nullptr;
  }

  // Takes out any node, from the back; buckets go with it. Null when empty. For freeing in slices:
  // afterwards only take_any() may be called.
  [[nodiscard]] Node* take_any() {
    while (size_ > 0) {
      const std::size_t last = buckets_.size() - 1;
      if (Node* node = head(last)) {
        set_head(last, Traits::next(*node));
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
      visit_chain(at, [&](Node& node) {
        ++seen;
        ASSERT(index_of(traits_.hash(node)) == at);
      });
    }
    ASSERT(seen == size_);
    ASSERT(mask_ == 2 * std::bit_floor(buckets_.size()) - 1);
  }

 private:
  static constexpr std::size_t load_max_doubled = 3;  // 1.5 nodes a bucket: 5.3 bytes a node
  static constexpr std::uint64_t chain_places = 16;   // longer chains are unheard of at that load

  [[nodiscard]] std::size_t index_of(std::uint64_t hash) const {
    const std::size_t at = hash & mask_;
    return at < buckets_.size() ? at : at & (mask_ >> 1U);
  }
  [[nodiscard]] Node* head(std::size_t at) const { return static_cast<Node*>(buckets_.at(at)); }
  void set_head(std::size_t at, Node* node) { buckets_.at(at) = node; }

  void push(std::size_t at, Node& node) {
    Traits::set_next(node, head(at));
    set_head(at, &node);
  }
  // The node whose successor `node` is; null when it is the first of its chain.
  [[nodiscard]] Node* before(const Node& node, std::uint64_t hash) const {
    Node* behind = nullptr;
    for (Node* at = head(index_of(hash)); at != &node; at = Traits::next(*at)) behind = at;
    return behind;
  }
  void put_behind(Node* behind, std::size_t at, Node* node) {
    behind != nullptr ? Traits::set_next(*behind, node) : set_head(at, node);
  }

  template <typename Visit>
  void visit_chain(std::size_t at, Visit&& visit) const {
    for (Node* node = head(at); node != nullptr;) {
      Node* next = Traits::next(*node);
      visit(*node);
      node = next;
    }
  }

  void split_one() {
    const std::size_t from = buckets_.size() - std::bit_floor(buckets_.size());
    const std::size_t to = buckets_.size();
    buckets_.grow();
    mask_ = 2 * std::bit_floor(buckets_.size()) - 1;
    Node* chain = head(from);
    set_head(from, nullptr);
    redistribute(chain, from, to);
  }

  void merge_one() {
    const std::size_t last = buckets_.size() - 1;
    if (last < BucketArray::buckets_min) return;
    const std::size_t into = last - std::bit_floor(last);
    Node* chain = head(last);
    set_head(last, nullptr);
    buckets_.shrink();
    mask_ = 2 * std::bit_floor(buckets_.size()) - 1;
    redistribute(chain, into, into);
  }

  // Pushes each node of `chain` to `second` when its hash says so, else to `first`.
  void redistribute(Node* chain, std::size_t first, std::size_t second) {
    while (chain != nullptr) {
      Node* next = Traits::next(*chain);
      const bool to_second = first != second && index_of(traits_.hash(*chain)) == second;
      push(to_second ? second : first, *chain);
      chain = next;
    }
  }

  [[no_unique_address]] Traits traits_;
  BucketArray buckets_;
  std::uint64_t mask_ = 2 * BucketArray::buckets_min - 1;
  std::size_t size_ = 0;
};

}  // namespace engine
