// Intrusive chained hash table that grows and shrinks one bucket at a time (linear hashing), so
// that no operation pauses for a rehash. Serves keys and the fields of large hashes. Owns no nodes.
//
// Buckets 0 … buckets-1 exist; 2^k ≤ buckets < 2^(k+1). A hash h lives in bucket h mod 2^(k+1), or
// h mod 2^k when that bucket does not exist yet. Growth splits bucket (buckets - 2^k), shrinking
// merges the last bucket back. Buckets lie in segments of 4096; the first one grows by doubling.
//
// `Traits`: Node; static Node* next(const Node&); static void set_next(Node&, Node*);
//           std::uint64_t hash(const Node&) const.
#pragma once

#include "base/assert.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>
#include <vector>

namespace engine {

template <typename Traits>
class HashTable {
 public:
  using Node = typename Traits::Node;

  explicit HashTable(Traits traits = {}) : traits_(traits) {
    segments_.push_back(new_segment(nullptr, 0, buckets_min));
  }
  ~HashTable() {
    for (Node** segment : segments_) std::free(segment);
  }
  HashTable(const HashTable&) = delete;
  HashTable& operator=(const HashTable&) = delete;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t allocated_bytes() const {
    const std::size_t rest = (segments_.size() - 1) * segment_buckets;
    return (first_capacity_ + rest + segments_.capacity()) * sizeof(Node*);
  }

  template <typename Equal>
  [[nodiscard]] Node* find(std::uint64_t hash, Equal equal) const {
    Node* node = bucket(index_of(hash));
    while (node != nullptr && !equal(*node)) node = Traits::next(*node);
    return node;
  }

  // No equal node is in the table.
  void insert(Node& node, std::uint64_t hash) {
    push(bucket(index_of(hash)), node);
    if (++size_ * 2 > buckets_ * load_max_doubled) split_one();
  }

  // `node` is in the table and has `hash`.
  void erase(Node& node, std::uint64_t hash) {
    detach(bucket(index_of(hash)), node);
    --size_;
    for (int step = 0; step < 3 && buckets_ > buckets_min && size_ * 2 < buckets_; ++step)
      merge_one();
  }

  // `old_node` moved to `new_node` (its bytes are copied already).
  void replace(const Node& old_node, Node& new_node, std::uint64_t hash) {
    Node*& head = bucket(index_of(hash));
    if (head == &old_node) {
      head = &new_node;
      return;
    }
    Node* before = head;
    while (Traits::next(*before) != &old_node) before = Traits::next(*before);
    Traits::set_next(*before, &new_node);
  }

  template <typename Visit>
  void for_each(Visit visit) const {
    for (std::size_t at = 0; at < buckets_; ++at) visit_bucket(at, visit);
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
    for (std::size_t steps = 0; steps < count * 10 + 16 && seen < count; ++steps) {
      const std::uint64_t mask = low_mask();
      const std::uint64_t at = cursor & mask;
      visit_bucket(at, counted);
      if (at + mask + 1 < buckets_) visit_bucket(at + mask + 1, counted);
      cursor = next_cursor(cursor, mask);
      if (cursor == 0) return 0;
    }
    return cursor;
  }

  // Uniform: a place in a chain is as likely as any other. Null when empty.
  template <typename Random>
  [[nodiscard]] Node* random(Random random_bits) const {
    if (size_ == 0) return nullptr;
    for (;;) {
      const std::uint64_t bits = random_bits();
      Node* node = bucket((bits >> 8U) % buckets_);
      for (std::uint64_t skip = bits % chain_places; node != nullptr && skip > 0; --skip) {
        node = Traits::next(*node);
      }
      if (node != nullptr) return node;
    }
  }

  // Takes out any node, from the back; buckets go with it. Null when empty. For freeing in slices.
  [[nodiscard]] Node* take_any() {
    while (size_ > 0) {
      Node*& head = bucket(buckets_ - 1);
      if (head != nullptr) {
        Node* node = head;
        head = Traits::next(*node);
        --size_;
        return node;
      }
      drop_last_bucket();
    }
    return nullptr;
  }

  void validate() const {
    std::size_t seen = 0;
    for (std::size_t at = 0; at < buckets_; ++at) {
      visit_bucket(at, [&](Node& node) {
        ++seen;
        ASSERT(index_of(traits_.hash(node)) == at);
      });
    }
    ASSERT(seen == size_);
    ASSERT(buckets_ >= buckets_min);
  }

 private:
  static constexpr std::size_t buckets_min = 8;
  static constexpr std::size_t segment_bits = 12;
  static constexpr std::size_t segment_buckets = std::size_t{1} << segment_bits;
  static constexpr std::size_t load_max_doubled = 3;  // 1.5 nodes a bucket: 5.3 bytes a node
  static constexpr std::uint64_t chain_places = 16;   // longer chains are unheard of at that load

  // 2^k - 1, see the top.
  [[nodiscard]] std::uint64_t low_mask() const { return (std::bit_floor(buckets_))-1; }

  [[nodiscard]] std::size_t index_of(std::uint64_t hash) const {
    const std::size_t at = hash & mask_;
    return at < buckets_ ? at : at & (mask_ >> 1U);
  }
  [[nodiscard]] Node*& bucket(std::size_t at) const {
    return segments_[at >> segment_bits][at & (segment_buckets - 1)];
  }

  template <typename Visit>
  void visit_bucket(std::size_t at, Visit& visit) const {
    Node* node = bucket(at);
    while (node != nullptr) {
      Node* next = Traits::next(*node);
      visit(*node);
      node = next;
    }
  }
  template <typename Visit>
  void visit_bucket(std::size_t at, Visit&& visit) const {
    visit_bucket(at, visit);
  }

  static void push(Node*& head, Node& node) {
    Traits::set_next(node, head);
    head = &node;
  }
  static void detach(Node*& head, Node& node) {
    if (head == &node) {
      head = Traits::next(node);
      return;
    }
    Node* before = head;
    while (Traits::next(*before) != &node) before = Traits::next(*before);
    Traits::set_next(*before, Traits::next(node));
  }

  static Node** new_segment(Node** old, std::size_t old_buckets, std::size_t buckets) {
    auto** segment = static_cast<Node**>(std::realloc(old, buckets * sizeof(Node*)));
    if (segment == nullptr) throw std::bad_alloc();
    std::memset(segment + old_buckets, 0, (buckets - old_buckets) * sizeof(Node*));
    return segment;
  }

  void set_buckets(std::size_t buckets) {
    buckets_ = buckets;
    mask_ = 2 * std::bit_floor(buckets) - 1;
  }

  void add_bucket() {
    if (buckets_ >= segment_buckets) {
      if (buckets_ % segment_buckets == 0) {
        segments_.push_back(new_segment(nullptr, 0, segment_buckets));
      }
    } else if (buckets_ == first_capacity_) {
      segments_[0] = new_segment(segments_[0], first_capacity_, first_capacity_ * 2);
      first_capacity_ *= 2;
    }
    set_buckets(buckets_ + 1);
  }

  // The last bucket is empty.
  void drop_last_bucket() {
    ASSERT(buckets_ > 1);
    set_buckets(buckets_ - 1);
    if (buckets_ >= segment_buckets) {
      if (buckets_ % segment_buckets == 0) {
        std::free(segments_.back());
        segments_.pop_back();
      }
    } else if (first_capacity_ > buckets_min && buckets_ * 4 <= first_capacity_) {
      segments_[0] = new_segment(segments_[0], first_capacity_ / 2, first_capacity_ / 2);
      first_capacity_ /= 2;
    }
  }

  void split_one() {
    const std::size_t from = buckets_ - std::bit_floor(buckets_);
    const std::size_t to = buckets_;
    add_bucket();
    Node* node = std::exchange(bucket(from), nullptr);
    while (node != nullptr) {
      Node* next = Traits::next(*node);
      push(index_of(traits_.hash(*node)) == to ? bucket(to) : bucket(from), *node);
      node = next;
    }
  }

  void merge_one() {
    const std::size_t last = buckets_ - 1;
    const std::size_t into = last - std::bit_floor(last);
    Node* node = std::exchange(bucket(last), nullptr);
    while (node != nullptr) {
      Node* next = Traits::next(*node);
      push(bucket(into), *node);
      node = next;
    }
    drop_last_bucket();
  }

  [[nodiscard]] static std::uint64_t reversed(std::uint64_t bits) {
    bits = __builtin_bswap64(bits);
    bits = ((bits >> 4U) & 0x0F0F0F0F0F0F0F0FU) | ((bits & 0x0F0F0F0F0F0F0F0FU) << 4U);
    bits = ((bits >> 2U) & 0x3333333333333333U) | ((bits & 0x3333333333333333U) << 2U);
    return ((bits >> 1U) & 0x5555555555555555U) | ((bits & 0x5555555555555555U) << 1U);
  }
  // Counts up in the reversed bits below `mask`, so that a table that doubled or halved between two
  // calls goes on with the buckets that hold what was not visited yet.
  [[nodiscard]] static std::uint64_t next_cursor(std::uint64_t cursor, std::uint64_t mask) {
    return reversed(reversed(cursor | ~mask) + 1);
  }

  [[no_unique_address]] Traits traits_;
  std::vector<Node**> segments_;
  std::size_t first_capacity_ = buckets_min;
  std::size_t buckets_ = buckets_min;
  std::uint64_t mask_ = 2 * buckets_min - 1;
  std::size_t size_ = 0;
};

}  // namespace engine
