// The heads of a hash table's chains, one bucket more or less at a time (linear hashing). With n
// buckets, 2^k ≤ n < 2^(k+1): a hash h belongs to bucket h mod 2^(k+1), or h mod 2^k when that one
// does not exist yet; so what comes to a new bucket n was in its buddy n - 2^k.
//
// Buckets lie in segments of 4096 that come from the system zeroed and go back to it; the first one
// grows by doubling. No operation copies more than one segment.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace engine {

class BucketArray {
 public:
  // Starts with buckets_min empty buckets.
  BucketArray();
  ~BucketArray();
  BucketArray(const BucketArray&) = delete;
  BucketArray& operator=(const BucketArray&) = delete;

  static constexpr std::size_t buckets_min = 8;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] void*& at(std::size_t bucket) const {
    return segments_[bucket >> segment_bits][bucket & (segment_buckets - 1)];
  }
  [[nodiscard]] std::size_t index_of(std::uint64_t hash) const {
    const std::size_t bucket = hash & mask_;
    return bucket < size_ ? bucket : bucket & (mask_ >> 1U);
  }
  // Asks the processor for the head that find() and insert() of this hash will look at; then, when
  // that is there, for the first node, of `node_bytes` and a little more. Some dozen instructions
  // ahead at the least. Inlined whatever it costs: GCC 12 takes a function that only prefetches for
  // one that does nothing, and drops the call.
  [[gnu::always_inline]] void prefetch_head(std::uint64_t hash) const {
    __builtin_prefetch(static_cast<const void*>(&at(index_of(hash))));
  }
  [[gnu::always_inline]] void prefetch_node(std::uint64_t hash, std::size_t node_bytes) const {
    const auto* node = static_cast<const char*>(at(index_of(hash)));
    if (node == nullptr) return;
    __builtin_prefetch(node);
    __builtin_prefetch(node + node_bytes);
  }
  // 2^k - 1.
  [[nodiscard]] std::uint64_t low_mask() const { return mask_ >> 1U; }
  [[nodiscard]] static std::size_t buddy_of(std::size_t bucket) {
    return bucket - std::bit_floor(bucket);
  }
  // Adds an empty bucket at the end.
  void grow();
  // Takes the last bucket away; it is empty, and not the only one.
  void shrink();
  [[nodiscard]] std::size_t allocated_bytes() const;

 private:
  static constexpr std::size_t segment_bits = 12;
  static constexpr std::size_t segment_buckets = std::size_t{1} << segment_bits;

  void resize_first(std::size_t buckets);
  void set_size(std::size_t buckets) {
    size_ = buckets;
    mask_ = 2 * std::bit_floor(buckets) - 1;
  }

  std::vector<void**> segments_;
  std::size_t first_capacity_ = 0;
  std::size_t size_ = buckets_min;
  std::uint64_t mask_ = 2 * buckets_min - 1;  // 2^(k+1) - 1
};

}  // namespace engine
