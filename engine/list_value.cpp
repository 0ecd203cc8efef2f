#include "engine/list_value.hpp"

#include "base/assert.hpp"
#include "engine/mutation.hpp"
#include "engine/varint.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace engine {
namespace {

constexpr unsigned low_bits = 0x7F;
constexpr unsigned more_bit = 0x80;

std::size_t length_bytes(std::size_t length) {
  std::size_t bytes = 1;
  for (; length > low_bits; length >>= 7U) ++bytes;
  return bytes;
}

std::size_t packed_bytes(std::string_view element) {
  return element.size() + 2 * length_bytes(element.size());
}

// The length in front reads from left to right, the one behind from right to left.
void write_element(char* at, std::string_view element) {
  char* behind = at + packed_bytes(element);
  for (std::size_t rest = element.size();; rest >>= 7U) {
    const auto byte = static_cast<char>(static_cast<unsigned>(rest & low_bits) |
                                        (rest > low_bits ? more_bit : 0U));
    *at++ = byte;
    *--behind = byte;
    if (rest <= low_bits) break;
  }
  std::memcpy(at, element.data(), element.size());
}

std::size_t read_length(const char* at, int step) {
  std::size_t length = 0;
  for (unsigned shift = 0;; shift += 7) {
    const auto byte = static_cast<unsigned char>(*at);
    length |= std::size_t{byte & low_bits} << shift;
    if (byte < more_bit) return length;
    at += step;
  }
}

std::string_view element_at(const char* at) {
  const std::size_t length = read_length(at, 1);
  return {at + length_bytes(length), length};
}

std::string_view element_before(const char* end) {
  const std::size_t length = read_length(end - 1, -1);
  return {end - length_bytes(length) - length, length};
}

}  // namespace

ListValue::~ListValue() {
  while (free_some(~std::size_t{0})) {
  }
}

// --- chunks

ListValue::Chunk* ListValue::new_chunk(std::size_t capacity, Chunk* previous, Chunk* next) {
  const std::size_t bytes = sizeof(Chunk) + capacity;
  auto* chunk = new (allocator_.allocate(bytes)) Chunk{previous, next, 0, 0, 0, capacity};
  bytes_ += EntryAllocator::rounded(bytes);
  (previous != nullptr ? previous->next : first_) = chunk;
  (next != nullptr ? next->previous : last_) = chunk;
  return chunk;
}

void ListValue::free_chunk(Chunk* chunk) {
  (chunk->previous != nullptr ? chunk->previous->next : first_) = chunk->next;
  (chunk->next != nullptr ? chunk->next->previous : last_) = chunk->previous;
  const std::size_t bytes = sizeof(Chunk) + chunk->capacity;
  bytes_ -= EntryAllocator::rounded(bytes);
  allocator_.free(chunk, bytes);
}

ListValue::Chunk* ListValue::rearrange(Chunk* chunk, std::size_t capacity, std::size_t begin) {
  const std::size_t used = chunk->used();
  Chunk* arranged = chunk;
  if (capacity != chunk->capacity) {
    arranged = new_chunk(capacity, chunk->previous, chunk);
    arranged->count = chunk->count;
  }
  std::memmove(arranged->bytes() + begin, chunk->bytes() + chunk->begin, used);
  arranged->begin = begin;
  arranged->end = begin + used;
  if (arranged != chunk) free_chunk(chunk);
  return arranged;
}

void ListValue::split(const Position& place) {
  Chunk* left = place.chunk;
  const std::size_t bytes = left->end - place.offset;
  Chunk* right = new_chunk(bytes, left, left->next);
  std::memcpy(right->bytes(), left->bytes() + place.offset, bytes);
  right->end = bytes;
  right->count = left->count - place.number;
  left->end = place.offset;
  left->count = place.number;
}

void ListValue::merge_with_next(Chunk* chunk) {
  if (chunk == nullptr || chunk->next == nullptr) return;
  Chunk* next = chunk->next;
  const std::size_t both = chunk->used() + next->used();
  if (both > chunk_bytes_max / 2) return;
  if (chunk->capacity - chunk->end < next->used()) {
    chunk = rearrange(chunk, std::max(both, chunk->capacity), 0);
  }
  std::memcpy(chunk->bytes() + chunk->end, next->bytes() + next->begin, next->used());
  chunk->end += next->used();
  chunk->count += next->count;
  free_chunk(next);
}

// --- places

ListValue::Position ListValue::locate(std::size_t index) const {
  ASSERT(index < size_);
  Chunk* chunk = first_;
  if (index < size_ / 2) {
    for (; index >= chunk->count; chunk = chunk->next) index -= chunk->count;
  } else {
    std::size_t behind = size_ - index;  // counted from the end, 1 is the last
    for (chunk = last_; behind > chunk->count; chunk = chunk->previous) behind -= chunk->count;
    index = chunk->count - behind;
  }
  Position position{chunk, index, chunk->begin};
  if (index < chunk->count / 2) {
    for (std::size_t skip = index; skip > 0; --skip) {
      position.offset += packed_bytes(element_at(chunk->bytes() + position.offset));
    }
  } else {
    position.offset = chunk->end;
    for (std::size_t skip = chunk->count - index; skip > 0; --skip) {
      position.offset -= packed_bytes(element_before(chunk->bytes() + position.offset));
    }
  }
  return position;
}

// A chunk that is nearly full is not moved for every element that comes at one end while others go
// at the other: it counts as full.
bool ListValue::has_room(const Position& place, std::size_t element_bytes) {
  const Chunk* chunk = place.chunk;
  if (chunk == nullptr || chunk->used() + element_bytes > chunk_bytes_max) return false;
  if (chunk->capacity < chunk_bytes_max) return true;
  const std::size_t free = chunk->capacity - chunk->used();
  if (free < element_bytes) return false;
  if (free >= chunk->capacity / 4) return true;
  if (place.number == 0) return chunk->begin >= element_bytes;
  return place.number < chunk->count || chunk->capacity - chunk->end >= element_bytes;
}

ListValue::Position ListValue::place_for(std::size_t index, std::size_t element_bytes) {
  const bool is_shared = element_bytes <= shared_element_bytes_max;
  Position place{last_, last_ != nullptr ? last_->count : 0, last_ != nullptr ? last_->end : 0};
  if (index < size_) place = locate(index);
  if (is_shared && has_room(place, element_bytes)) return place;
  Chunk* left = place.chunk;
  if (index < size_ && place.number == 0) {
    left = place.chunk->previous;
  } else if (index < size_) {
    split(place);
  }
  Chunk* right = left != nullptr ? left->next : first_;
  if (is_shared && left != nullptr) {
    const Position behind{left, left->count, left->end};
    if (has_room(behind, element_bytes)) return behind;
  }
  if (is_shared && right != nullptr) {
    const Position before{right, 0, right->begin};
    if (has_room(before, element_bytes)) return before;
  }
  const std::size_t capacity =
      is_shared ? std::max(element_bytes, first_chunk_bytes) : element_bytes;
  return {new_chunk(capacity, left, right), 0, 0};
}

char* ListValue::open(Position place, std::size_t element_bytes) {
  Chunk* chunk = place.chunk;
  const std::size_t before = place.offset - chunk->begin;
  const std::size_t after = chunk->end - place.offset;
  const bool to_left = before < after;
  const std::size_t room = to_left ? chunk->begin : chunk->capacity - chunk->end;
  if (room < element_bytes) {
    const std::size_t needed = chunk->used() + element_bytes;
    std::size_t capacity = chunk->capacity;
    if (needed > capacity - capacity / 4 && capacity < chunk_bytes_max) {
      capacity = std::clamp(2 * capacity, needed, std::max(needed, chunk_bytes_max));
    }
    chunk = rearrange(chunk, capacity, to_left ? capacity - chunk->used() : 0);
  }
  ++chunk->count;
  ++size_;
  char* at = chunk->bytes() + chunk->begin + before;
  if (to_left) {
    std::memmove(chunk->bytes() + chunk->begin - element_bytes, chunk->bytes() + chunk->begin,
                 before);
    chunk->begin -= element_bytes;
    return at - element_bytes;
  }
  std::memmove(at + element_bytes, at, after);
  chunk->end += element_bytes;
  return at;
}

void ListValue::close(const Position& first, std::size_t count) {
  Chunk* chunk = first.chunk;
  size_ -= count;
  if (count == chunk->count) return free_chunk(chunk);
  const bool to_end = first.number + count == chunk->count;
  std::size_t behind = to_end ? chunk->end : first.offset;
  for (std::size_t skip = to_end ? 0 : count; skip > 0; --skip) {
    behind += packed_bytes(element_at(chunk->bytes() + behind));
  }
  const std::size_t gap = behind - first.offset;
  const std::size_t before = first.offset - chunk->begin;
  const std::size_t after = chunk->end - behind;
  if (before < after) {
    std::memmove(chunk->bytes() + chunk->begin + gap, chunk->bytes() + chunk->begin, before);
    chunk->begin += gap;
  } else {
    std::memmove(chunk->bytes() + first.offset, chunk->bytes() + behind, after);
    chunk->end -= gap;
  }
  chunk->count -= count;
}

// --- reading

std::string_view ListValue::at(std::size_t index) const {
  const Position position = locate(index);
  return element_at(position.chunk->bytes() + position.offset);
}

void ListValue::visit_forward(std::size_t index, Visit visit) const {
  if (index >= size_) return;
  const Position start = locate(index);
  std::size_t offset = start.offset;
  for (const Chunk* chunk = start.chunk; chunk != nullptr;) {
    while (offset < chunk->end) {
      const std::string_view element = element_at(chunk->bytes() + offset);
      offset += packed_bytes(element);
      if (!visit(element)) return;
    }
    chunk = chunk->next;
    if (chunk != nullptr) offset = chunk->begin;
  }
}

void ListValue::visit_backward(std::size_t index, Visit visit) const {
  if (index >= size_) return;
  const Position start = locate(index);
  std::size_t end = start.offset + packed_bytes(element_at(start.chunk->bytes() + start.offset));
  for (const Chunk* chunk = start.chunk; chunk != nullptr;) {
    while (end > chunk->begin) {
      const std::string_view element = element_before(chunk->bytes() + end);
      end -= packed_bytes(element);
      if (!visit(element)) return;
    }
    chunk = chunk->previous;
    if (chunk != nullptr) end = chunk->end;
  }
}

// --- changing

void ListValue::insert(std::size_t index, std::string_view element) {
  ASSERT(index <= size_);
  const std::size_t bytes = packed_bytes(element);
  write_element(open(place_for(index, bytes), bytes), element);
}

void ListValue::set(std::size_t index, std::string_view element) {
  const Position position = locate(index);
  char* at = position.chunk->bytes() + position.offset;
  if (element_at(at).size() == element.size()) return write_element(at, element);
  close(position, 1);
  insert(index, element);
}

void ListValue::erase(std::size_t index, std::size_t count) {
  ASSERT(count <= size_ && index <= size_ - count);
  if (count == 0) return;
  Position position = locate(index);
  Chunk* const left = position.number > 0 ? position.chunk : position.chunk->previous;
  for (;;) {
    Chunk* const next = position.chunk->next;
    const std::size_t here = std::min(count, position.chunk->count - position.number);
    close(position, here);
    count -= here;
    if (count == 0) break;
    position = {next, 0, next->begin};
  }
  merge_with_next(left);
}

// --- as a value of the keyspace

std::unique_ptr<LargeValue> ListValue::clone() const {
  auto copy = std::make_unique<ListValue>(allocator_);
  for (const Chunk* chunk = first_; chunk != nullptr; chunk = chunk->next) {
    Chunk* same = copy->new_chunk(chunk->used(), copy->last_, nullptr);
    std::memcpy(same->bytes(), chunk->bytes() + chunk->begin, chunk->used());
    same->end = chunk->used();
    same->count = chunk->count;
  }
  copy->size_ = size_;
  return copy;
}

bool ListValue::free_some(std::size_t elements_max) {
  for (std::size_t freed = 0; first_ != nullptr && freed < elements_max;) {
    freed += first_->count;
    size_ -= first_->count;
    free_chunk(first_);
  }
  return first_ != nullptr;
}

bool ListValue::apply(const Mutation& mutation, const KeyspaceLimits& /*limits*/) {
  switch (mutation.kind) {
    case MutationKind::put_list:
      for (const std::string_view element : mutation.names) push_right(element);
      return true;
    case MutationKind::push:
      for (const std::string_view element : mutation.names) {
        insert(mutation.side == Side::left ? 0 : size_, element);
      }
      return true;
    case MutationKind::pop:
      if (mutation.count > size_) return false;
      erase(mutation.side == Side::left ? 0 : size_ - mutation.count, mutation.count);
      return true;
    case MutationKind::set_element:
      if (mutation.number >= size_) return false;
      set(mutation.number, mutation.value);
      return true;
    case MutationKind::insert_element:
      if (mutation.number > size_) return false;
      insert(mutation.number, mutation.value);
      return true;
    case MutationKind::erase_elements:
      if (mutation.count > size_ || mutation.number > size_ - mutation.count) return false;
      erase(mutation.number, mutation.count);
      return true;
    default:
      return false;
  }
}

void ListValue::write_items(std::string& out) const {
  varint::write(out, size_);
  visit_forward(0, [&](std::string_view element) {
    varint::write(out, element.size());
    out.append(element);
    return true;
  });
}

void ListValue::validate() const {
  std::size_t elements = 0;
  std::size_t bytes = 0;
  const Chunk* previous = nullptr;
  for (const Chunk* chunk = first_; chunk != nullptr; chunk = chunk->next) {
    ASSERT(chunk->previous == previous);
    ASSERT(chunk->count > 0 && chunk->begin < chunk->end && chunk->end <= chunk->capacity);
    std::size_t count = 0;
    std::size_t offset = chunk->begin;
    for (; offset < chunk->end; ++count) {
      const std::string_view element = element_at(chunk->bytes() + offset);
      offset += packed_bytes(element);
      ASSERT(offset <= chunk->end);
      ASSERT(element_before(chunk->bytes() + offset).data() == element.data());
    }
    ASSERT(count == chunk->count);
    ASSERT(count == 1 || chunk->used() <= chunk_bytes_max);
    elements += count;
    bytes += EntryAllocator::rounded(sizeof(Chunk) + chunk->capacity);
    previous = chunk;
  }
  ASSERT(last_ == previous && elements == size_ && bytes == bytes_);
}

const ListValue& list_of(const Entry& entry) {
  ASSERT(entry.type() == Type::list);
  return static_cast<const ListValue&>(entry.collection());
}

}  // namespace engine
