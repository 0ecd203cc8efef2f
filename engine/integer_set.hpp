// Sorted distinct integers in one allocation, each as wide as the widest ever asked for: 2, 4 or 8
// bytes. The small form of a set whose members are integers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace engine {

class IntegerSet {
 public:
  [[nodiscard]] std::size_t size() const { return bytes_.size() / width_; }
  [[nodiscard]] std::size_t allocated_bytes() const { return bytes_.capacity(); }
  // The index-th smallest; `index` is below size().
  [[nodiscard]] std::int64_t at(std::size_t index) const;
  [[nodiscard]] bool contains(std::int64_t value) const;
  // True when it is new.
  bool insert(std::int64_t value);
  // True when it was there.
  bool erase(std::int64_t value);
  void clear();
  // Asserts order and width.
  void validate() const;

 private:
  // How many are smaller than `value`.
  [[nodiscard]] std::size_t rank(std::int64_t value) const;
  void widen(std::size_t width);

  std::vector<char> bytes_;
  std::size_t width_ = 2;
};

}  // namespace engine
