#include "engine/hash_value.hpp"

#include "base/assert.hpp"
#include "engine/packed_fields.hpp"

#include <xxhash.h>

#include <cstring>
#include <new>

namespace engine {
namespace {

std::size_t bytes_with(std::size_t text_bytes) {
  return sizeof(FieldNode) + text_bytes;
}

char* bytes_of(FieldNode* node) {
  return reinterpret_cast<char*>(node + 1);
}

}  // namespace

std::string_view FieldNode::name() const {
  return {reinterpret_cast<const char*>(this + 1), name_bytes};
}

std::string_view FieldNode::value() const {
  return {reinterpret_cast<const char*>(this + 1) + name_bytes, value_bytes};
}

std::uint64_t FieldTraits::hash_of(std::string_view name) const {
  return XXH3_64bits_withSeed(name.data(), name.size(), seed);
}

HashValue::HashValue(std::string_view packed, std::size_t fields, std::uint64_t seed,
                     EntryAllocator& allocator)
    : traits_{seed}, allocator_(allocator), packed_(packed), packed_count_(fields) {}

HashValue::~HashValue() {
  while (free_some(~std::size_t{0})) {
  }
}

std::unique_ptr<LargeValue> HashValue::clone() const {
  auto copy = std::make_unique<HashValue>(packed_, packed_count_, traits_.seed, allocator_);
  if (is_table()) {
    copy->convert_to_table();
    for_each([&](std::string_view field, std::string_view value) { copy->set(field, value); });
  }
  return copy;
}

void HashValue::convert_to_table() {
  if (is_table()) return;
  table_ = std::make_unique<Table>(traits_);
  for (std::string_view rest = packed_; !rest.empty();) {
    const auto field = packed_fields::take(rest);
    set_in_table(field.name, field.value);
  }
  packed_count_ = 0;
  packed_ = std::string();
}

FieldNode* HashValue::find_node(std::string_view field, std::uint64_t hash) const {
  return table_->find(hash, [&](const FieldNode& node) { return node.name() == field; });
}

std::optional<std::string_view> HashValue::get(std::string_view field) const {
  if (!is_table()) {
    const auto found = packed_fields::find(packed_, field);
    return found ? std::optional(found->value) : std::nullopt;
  }
  const FieldNode* node = find_node(field, traits_.hash_of(field));
  return node != nullptr ? std::optional(node->value()) : std::nullopt;
}

void HashValue::for_each(Visit visit) const {
  if (is_table()) {
    return table_->for_each([&](const FieldNode& node) { visit(node.name(), node.value()); });
  }
  for (std::string_view rest = packed_; !rest.empty();) {
    const auto field = packed_fields::take(rest);
    visit(field.name, field.value);
  }
}

std::uint64_t HashValue::scan(std::uint64_t cursor, std::size_t count, Visit visit) const {
  if (is_table()) {
    return table_->scan(cursor, count,
                        [&](const FieldNode& node) { visit(node.name(), node.value()); });
  }
  for_each(visit);
  return 0;
}

std::pair<std::string_view, std::string_view> HashValue::random_field(
    base::FunctionRef<std::uint64_t()> random) const {
  if (is_table()) {
    const FieldNode* node = table_->random(random);
    return {node->name(), node->value()};
  }
  std::string_view rest = packed_;
  for (std::uint64_t skip = random() % packed_count_; skip > 0; --skip) packed_fields::take(rest);
  const auto field = packed_fields::take(rest);
  return {field.name, field.value};
}

bool HashValue::set(std::string_view field, std::string_view value) {
  if (is_table()) return set_in_table(field, value);
  const bool is_new = packed_fields::set(packed_, field, value);
  if (is_new) ++packed_count_;
  return is_new;
}

bool HashValue::set_in_table(std::string_view field, std::string_view value) {
  const std::uint64_t hash = traits_.hash_of(field);
  FieldNode* old = find_node(field, hash);
  if (old != nullptr && old->value_bytes == value.size()) {
    // `value` may be a view of this very field.
    std::memmove(bytes_of(old) + old->name_bytes, value.data(), value.size());
    return false;
  }
  FieldNode* node = new_node(field, value);
  if (old == nullptr) {
    table_->insert(*node, hash);
    return true;
  }
  node->next = old->next;
  table_->replace(*old, *node, hash);
  free_node(old);
  return false;
}

bool HashValue::remove(std::string_view field) {
  if (!is_table()) {
    const bool was_there = packed_fields::remove(packed_, field);
    if (was_there) --packed_count_;
    return was_there;
  }
  const std::uint64_t hash = traits_.hash_of(field);
  FieldNode* node = find_node(field, hash);
  if (node == nullptr) return false;
  table_->erase(*node, hash);
  free_node(node);
  return true;
}

FieldNode* HashValue::new_node(std::string_view field, std::string_view value) {
  const std::size_t bytes = bytes_with(field.size() + value.size());
  auto* node = new (allocator_.allocate(bytes)) FieldNode;
  node->next = nullptr;
  node->name_bytes = static_cast<std::uint32_t>(field.size());
  node->value_bytes = static_cast<std::uint32_t>(value.size());
  std::memcpy(bytes_of(node), field.data(), field.size());
  std::memcpy(bytes_of(node) + field.size(), value.data(), value.size());
  node_bytes_ += EntryAllocator::rounded(bytes);
  return node;
}

void HashValue::free_node(FieldNode* node) {
  const std::size_t bytes = bytes_with(std::size_t{node->name_bytes} + node->value_bytes);
  node_bytes_ -= EntryAllocator::rounded(bytes);
  allocator_.free(node, bytes);
}

std::size_t HashValue::allocated_bytes() const {
  const std::size_t table = table_ ? sizeof(Table) + table_->allocated_bytes() + node_bytes_ : 0;
  return sizeof(HashValue) + packed_.capacity() + table;
}

bool HashValue::free_some(std::size_t fields_max) {
  if (!is_table()) return false;
  for (; fields_max > 0; --fields_max) {
    FieldNode* node = table_->take_any();
    if (node == nullptr) return false;
    free_node(node);
  }
  return true;
}

void HashValue::validate() const {
  if (is_table()) return table_->validate();
  std::size_t count = 0;
  for (std::string_view rest = packed_; !rest.empty(); ++count) packed_fields::take(rest);
  ASSERT(count == packed_count_);
}

}  // namespace engine
