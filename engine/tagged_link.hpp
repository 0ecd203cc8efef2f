// A pointer in 48 bits with 16 bits left for its owner: user space of x86-64 and AArch64 ends below
// 2^48 (5-level page tables are used only on request). Entries carry three; their tags hold what
// would otherwise cost another word.
#pragma once

#include "base/assert.hpp"

#include <cstdint>

namespace engine {

template <typename Node>
class TaggedLink {
 public:
  [[nodiscard]] Node* get() const {
    return reinterpret_cast<Node*>(word_ & pointer_mask);  // NOLINT(performance-no-int-to-ptr)
  }
  void set(Node* node) {
    const auto bits = reinterpret_cast<std::uintptr_t>(node);
    ASSERT((bits & ~pointer_mask) == 0);
    word_ = (word_ & ~pointer_mask) | bits;
  }
  [[nodiscard]] std::uint16_t tag() const { return static_cast<std::uint16_t>(word_ >> 48U); }
  void set_tag(std::uint16_t tag) { word_ = (word_ & pointer_mask) | (std::uint64_t{tag} << 48U); }

 private:
  static constexpr std::uint64_t pointer_mask = (std::uint64_t{1} << 48U) - 1;
  std::uint64_t word_ = 0;
};

}  // namespace engine
