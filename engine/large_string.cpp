#include "engine/large_string.hpp"

#include <cstdlib>
#include <malloc.h>
#include <new>

namespace engine {
namespace {

LargeString* reallocated(LargeString* text, std::size_t capacity) {
  auto* result = static_cast<LargeString*>(std::realloc(text, sizeof(LargeString) + capacity));
  if (result == nullptr) throw std::bad_alloc();
  result->capacity = capacity;
  return result;
}

}  // namespace

std::size_t LargeString::allocated_bytes() const {
  return malloc_usable_size(const_cast<LargeString*>(this)) + sizeof(std::size_t);
}

LargeString* new_large_string(std::size_t bytes) {
  LargeString* text = reallocated(nullptr, bytes);
  text->bytes = bytes;
  return text;
}

LargeString* resize(LargeString* text, std::size_t bytes) {
  if (bytes > text->capacity) text = reallocated(text, bytes + bytes / 4);
  // A string that shrank to less than half gives its room back.
  if (bytes < text->capacity / 2) text = reallocated(text, bytes);
  text->bytes = bytes;
  return text;
}

LargeString* free_tail(LargeString* text, std::size_t bytes_max) {
  if (text->capacity <= bytes_max) {
    std::free(text);
    return nullptr;
  }
  return reallocated(text, text->capacity - bytes_max);
}

}  // namespace engine
