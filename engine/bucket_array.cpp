#include "engine/bucket_array.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace engine {
namespace {

void** map_segment(std::size_t buckets) {
  void* memory = mmap(nullptr, buckets * sizeof(void*), PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return static_cast<void**>(memory);
}

}  // namespace

BucketArray::BucketArray() {
  segments_.push_back(nullptr);
  resize_first(buckets_min);
}

BucketArray::~BucketArray() {
  std::free(static_cast<void*>(segments_.front()));
  for (std::size_t at = 1; at < segments_.size(); ++at) {
    munmap(static_cast<void*>(segments_[at]), segment_buckets * sizeof(void*));
  }
}

std::size_t BucketArray::allocated_bytes() const {
  const std::size_t rest = (segments_.size() - 1) * segment_buckets;
  return (first_capacity_ + rest + segments_.capacity()) * sizeof(void*);
}

void BucketArray::resize_first(std::size_t buckets) {
  auto** segment = static_cast<void**>(
      std::realloc(static_cast<void*>(segments_.front()), buckets * sizeof(void*)));
  if (segment == nullptr) throw std::bad_alloc();
  if (buckets > first_capacity_) std::fill(segment + first_capacity_, segment + buckets, nullptr);
  segments_.front() = segment;
  first_capacity_ = buckets;
}

void BucketArray::grow() {
  if (size_ >= segment_buckets) {
    if (size_ % segment_buckets == 0) segments_.push_back(map_segment(segment_buckets));
  } else if (size_ == first_capacity_) {
    resize_first(first_capacity_ * 2);
  }
  set_size(size_ + 1);
}

void BucketArray::shrink() {
  ASSERT(size_ > 1);
  set_size(size_ - 1);
  if (size_ >= segment_buckets) {
    if (size_ % segment_buckets != 0) return;
    munmap(static_cast<void*>(segments_.back()), segment_buckets * sizeof(void*));
    segments_.pop_back();
  } else if (first_capacity_ > buckets_min && size_ * 4 <= first_capacity_) {
    resize_first(first_capacity_ / 2);
  }
}

}  // namespace engine
