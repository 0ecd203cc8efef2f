// Lists, sets and sorted sets: values that always hang on their entry's pointer and that apply the
// mutations of their type themselves.
#pragma once

#include "engine/large_value.hpp"

#include <cstdint>
#include <memory>
#include <string>

namespace engine {

class EntryAllocator;
struct KeyspaceLimits;
struct Mutation;

class Collection : public LargeValue {
 public:
  // Applies a mutation of this type; a put to an empty value. False: it does not fit what is there
  // (only damaged frames do that).
  virtual bool apply(const Mutation& mutation, const KeyspaceLimits& limits) = 0;
  // Appends "v count, items" as the put mutation of this type has them.
  virtual void write_items(std::string& out) const = 0;
};

// An empty value of a type other than string and hash. `seed` keys its hash functions; `allocator`
// outlives it.
[[nodiscard]] std::unique_ptr<Collection> new_collection(Type type, std::uint64_t seed,
                                                         EntryAllocator& allocator);

}  // namespace engine
