// The heads of a hash table's chains, one bucket more or less at a time. Buckets lie in segments of
// 4096 that come from the system zeroed and go back to it; the first one grows by doubling. No
// operation copies more than one segment.
#pragma once

#include <cstddef>
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
  // Adds an empty bucket at the end.
  void grow();
  // Takes the last bucket away; it is empty, and not the only one.
  void shrink();
  [[nodiscard]] std::size_t allocated_bytes() const;

 private:
  static constexpr std::size_t segment_bits = 12;
  static constexpr std::size_t segment_buckets = std::size_t{1} << segment_bits;

  void resize_first(std::size_t buckets);

  std::vector<void**> segments_;
  std::size_t first_capacity_ = 0;
  std::size_t size_ = buckets_min;
};

}  // namespace engine
