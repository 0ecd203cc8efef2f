// A list: a chain of chunks, each of which holds some elements packed one behind the other. An
// element lies between two copies of its length, so that a chunk is walked both ways. A big element
// has a chunk of its own; the others share chunks of up to chunk_bytes_max. Ends cost O(1), an
// index O(chunks), an edit one or two chunks. Owned by an Entry's pointer or, once removed, by the
// Graveyard.
//
// No argument may be a view into the list that changes.
#pragma once

#include "base/function_ref.hpp"
#include "engine/collection.hpp"
#include "engine/entry_allocator.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace engine {

class ListValue final : public Collection {
 public:
  // False: enough seen.
  using Visit = base::FunctionRef<bool(std::string_view element)>;

  explicit ListValue(EntryAllocator& allocator) : allocator_(allocator) {}
  ~ListValue() override;
  ListValue(const ListValue&) = delete;
  ListValue& operator=(const ListValue&) = delete;

  // --- LargeValue and Collection
  [[nodiscard]] std::unique_ptr<LargeValue> clone() const override;
  [[nodiscard]] std::size_t size() const override { return size_; }
  [[nodiscard]] Encoding encoding() const override { return Encoding::quicklist; }
  [[nodiscard]] std::size_t allocated_bytes() const override { return sizeof(ListValue) + bytes_; }
  bool free_some(std::size_t elements_max) override;
  void validate() const override;
  bool apply(const Mutation& mutation, const KeyspaceLimits& limits) override;
  void write_items(std::string& out) const override;

  // --- reading. `index` < size(). Views die with the next change.
  [[nodiscard]] std::string_view at(std::size_t index) const;
  // Elements from `index` on towards the end, or towards the front.
  void visit_forward(std::size_t index, Visit visit) const;
  void visit_backward(std::size_t index, Visit visit) const;

  // --- changing
  void push_left(std::string_view element) { insert(0, element); }
  void push_right(std::string_view element) { insert(size_, element); }
  void set(std::size_t index, std::string_view element);
  // The element comes to stand at `index` ≤ size().
  void insert(std::size_t index, std::string_view element);
  void erase(std::size_t index, std::size_t count);

 private:
  static constexpr std::size_t chunk_bytes_max = 4096;
  static constexpr std::size_t shared_element_bytes_max = 1024;
  static constexpr std::size_t first_chunk_bytes = 64;

  // Followed by `capacity` bytes; elements lie from `begin` to `end`.
  struct Chunk {
    Chunk* previous;
    Chunk* next;
    std::size_t count;
    std::size_t begin;
    std::size_t end;
    std::size_t capacity;

    [[nodiscard]] char* bytes() { return reinterpret_cast<char*>(this + 1); }
    [[nodiscard]] const char* bytes() const { return reinterpret_cast<const char*>(this + 1); }
    [[nodiscard]] std::size_t used() const { return end - begin; }
  };
  // An element of a chunk, or the place behind its last.
  struct Position {
    Chunk* chunk;
    std::size_t number;  // in the chunk
    std::size_t offset;  // of its first byte
  };

  [[nodiscard]] Position locate(std::size_t index) const;
  [[nodiscard]] static bool has_room(const Position& place, std::size_t element_bytes);
  // Where in the chain the element is to lie; makes the chunk if none has room.
  [[nodiscard]] Position place_for(std::size_t index, std::size_t element_bytes);
  // Makes room there and counts the element. Its bytes are the caller's to write.
  [[nodiscard]] char* open(Position place, std::size_t element_bytes);
  // Splits the chunk in front of the element.
  void split(const Position& place);
  // Removes elements that follow one another in a chunk; the chunk goes with its last.
  void close(const Position& first, std::size_t count);
  void merge_with_next(Chunk* chunk);
  [[nodiscard]] Chunk* new_chunk(std::size_t capacity, Chunk* previous, Chunk* next);
  [[nodiscard]] Chunk* rearrange(Chunk* chunk, std::size_t capacity, std::size_t begin);
  void free_chunk(Chunk* chunk);

  EntryAllocator& allocator_;
  Chunk* first_ = nullptr;
  Chunk* last_ = nullptr;
  std::size_t size_ = 0;
  std::size_t bytes_ = 0;  // of the chunks
};

// The list at `entry`, which is one.
[[nodiscard]] const ListValue& list_of(const Entry& entry);

}  // namespace engine
