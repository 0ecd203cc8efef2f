// What every value that hangs on an entry's pointer can do, strings apart (large_string.hpp): a
// hash that outgrew its entry, a list, a set, a sorted set. Owned by the entry's KeyTable or, once
// removed, by the Graveyard.
#pragma once

#include "engine/entry.hpp"

#include <cstddef>
#include <memory>

namespace engine {

class LargeValue {
 public:
  LargeValue() = default;
  virtual ~LargeValue() = default;
  LargeValue(const LargeValue&) = delete;
  LargeValue& operator=(const LargeValue&) = delete;

  [[nodiscard]] virtual std::unique_ptr<LargeValue> clone() const = 0;
  [[nodiscard]] virtual std::size_t size() const = 0;
  [[nodiscard]] virtual Encoding encoding() const = 0;
  // From real allocation sizes, kept as the value changes: costs nothing to ask.
  [[nodiscard]] virtual std::size_t allocated_bytes() const = 0;
  // Frees up to `items_max` items. True: some are left. Only before destruction.
  virtual bool free_some(std::size_t items_max) = 0;
  // Asserts every invariant; walks everything.
  virtual void validate() const = 0;
};

}  // namespace engine
