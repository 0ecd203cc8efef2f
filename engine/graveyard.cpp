#include "engine/graveyard.hpp"

#include "engine/key_table.hpp"
#include "engine/large_string.hpp"
#include "engine/large_value.hpp"

namespace engine {
namespace {

// Towards the end of a table each piece freed may be the last of its block, which costs a system
// call.
constexpr std::size_t slice_nodes = 32;
constexpr std::size_t slice_string_bytes = 256u << 10u;
constexpr std::size_t small_value_items = 64;

}  // namespace

Graveyard::Graveyard() = default;

Graveyard::~Graveyard() {
  while (free_slice()) {
  }
}

void Graveyard::bury(std::unique_ptr<LargeValue> value) {
  if (value->size() > small_value_items) values_.push_back(std::move(value));
}

void Graveyard::bury(LargeString* text) {
  if (text->capacity > slice_string_bytes) {
    strings_.push_back(text);
  } else {
    static_cast<void>(free_tail(text, slice_string_bytes));
  }
}

void Graveyard::bury(std::unique_ptr<KeyTable> table) {
  tables_.push_back(std::move(table));
}

std::size_t Graveyard::bytes() const {
  std::size_t bytes = 0;
  for (const auto& value : values_) bytes += value->allocated_bytes();
  for (const LargeString* text : strings_) bytes += text->capacity;
  for (const auto& table : tables_) bytes += table->allocated_bytes();
  return bytes;
}

bool Graveyard::free_slice() {
  if (!strings_.empty()) {
    freed_string_bytes_ += slice_string_bytes;
    strings_.back() = free_tail(strings_.back(), slice_string_bytes);
    if (strings_.back() == nullptr) strings_.pop_back();
  } else if (!values_.empty()) {
    if (!values_.back()->free_some(slice_nodes)) values_.pop_back();
  } else if (!tables_.empty()) {
    // Values of its entries come here in turn, in front of the rest of the table.
    if (!tables_.back()->free_some(slice_nodes)) tables_.pop_back();
  }
  return !is_empty();
}

}  // namespace engine
