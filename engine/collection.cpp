#include "engine/collection.hpp"

#include "base/assert.hpp"
#include "engine/list_value.hpp"
#include "engine/set_value.hpp"
#include "engine/sorted_set_value.hpp"

namespace engine {

std::unique_ptr<Collection> new_collection(Type type, std::uint64_t seed,
                                           EntryAllocator& allocator) {
  switch (type) {
    case Type::set:
      return std::make_unique<SetValue>(seed, allocator);
    case Type::sorted_set:
      return std::make_unique<SortedSetValue>(seed, allocator);
    case Type::list:
      return std::make_unique<ListValue>(allocator);
    case Type::string:
    case Type::hash:
      break;
  }
  ASSERT(false && "not a collection");
}

}  // namespace engine
