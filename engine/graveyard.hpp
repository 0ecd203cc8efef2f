// What left service but is too large to free at once: values and whole flushed databases. Freed in
// slices by Keyspace::free_some, so that DEL and FLUSHALL are O(1).
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace engine {

class KeyTable;
class LargeValue;
struct LargeString;

class Graveyard {
 public:
  Graveyard();
  ~Graveyard();
  Graveyard(const Graveyard&) = delete;
  Graveyard& operator=(const Graveyard&) = delete;

  // Small ones are freed on the spot.
  void bury(std::unique_ptr<LargeValue> value);
  void bury(LargeString* text);
  void bury(std::unique_ptr<KeyTable> table);

  [[nodiscard]] bool is_empty() const {
    return values_.empty() && strings_.empty() && tables_.empty();
  }
  // Bytes waiting to be freed.
  [[nodiscard]] std::size_t bytes() const;
  // Bytes of large strings freed so far: they go back to the heap, not to the system.
  [[nodiscard]] std::size_t freed_string_bytes() const { return freed_string_bytes_; }
  // One slice of some ten microseconds. True: more is left.
  bool free_slice();

 private:
  std::vector<std::unique_ptr<LargeValue>> values_;
  std::vector<LargeString*> strings_;
  std::vector<std::unique_ptr<KeyTable>> tables_;
  std::size_t freed_string_bytes_ = 0;
};

}  // namespace engine
