#include "engine/key_table.hpp"

#include "base/assert.hpp"
#include "engine/entry_body.hpp"
#include "engine/large_string.hpp"
#include "engine/large_value.hpp"

#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace engine {

std::uint64_t EntryTraits::hash_of(std::string_view key) const {
  return XXH3_64bits_withSeed(key.data(), key.size(), seed);
}

KeyTable::KeyTable(EntryAllocator& allocator, Graveyard& graveyard, std::uint64_t seed)
    : allocator_(allocator), graveyard_(graveyard), seed_(seed), table_(EntryTraits{seed}) {}

KeyTable::~KeyTable() {
  constexpr std::size_t all = ~std::size_t{0};
  while (free_some(all)) {
  }
}

Entry* KeyTable::find(std::string_view key, std::uint64_t hash) const {
  return table_.find(hash, [&](const Entry& entry) { return EntryBody::key(entry) == key; });
}

Entry& KeyTable::entry_of(ExpiryNode& node) {
  // The node is the first member of a standard-layout class.
  return reinterpret_cast<Entry&>(node);
}

Entry& KeyTable::add(std::string_view key, std::uint64_t hash, Type type,
                     std::size_t inline_bytes) {
  const std::size_t bytes = EntryBody::total_bytes(key.size(), inline_bytes);
  auto* entry = new (allocator_.allocate(bytes)) Entry;
  bytes_ += EntryAllocator::rounded(bytes);
  entry->expiry_.deadline_ms = no_deadline;
  entry->state_ = (static_cast<std::uint64_t>(type) << Entry::type_shift) | epoch_;
  EntryBody::write_key(*entry, key);
  EntryBody::set_inlined(*entry, inline_bytes);
  table_.insert(*entry, hash);
  return *entry;
}

Entry& KeyTable::reshape(Entry& entry, std::uint64_t hash, std::size_t inline_bytes) {
  const std::size_t old_bytes = EntryBody::total_bytes(entry);
  const std::size_t key_bytes = entry.key().size();
  const std::size_t bytes = EntryBody::total_bytes(key_bytes, inline_bytes);
  const std::size_t old_rounded = EntryAllocator::rounded(old_bytes);
  if (EntryAllocator::rounded(bytes) == old_rounded) return entry;
  void* memory = allocator_.allocate(bytes);
  bytes_ += EntryAllocator::rounded(bytes);
  bytes_ -= old_rounded;
  std::memcpy(memory, static_cast<const void*>(&entry), std::min(old_bytes, bytes));
  auto& moved = *std::launder(static_cast<Entry*>(memory));
  table_.replace(entry, moved, hash);
  if (moved.expiry_.is_linked()) ExpiryWheel::replace(moved.expiry_);
  allocator_.free(&entry, old_bytes);
  return moved;
}

void KeyTable::set_deadline(Entry& entry, std::int64_t deadline_ms, std::int64_t now_ms) {
  if (entry.expiry_.is_linked()) wheel_->unlink(entry.expiry_);
  entry.expiry_.deadline_ms = deadline_ms;
  if (deadline_ms == no_deadline) return;
  if (!wheel_) wheel_ = std::make_unique<ExpiryWheel>(now_ms);
  wheel_->link(entry.expiry_, deadline_ms);
}

void KeyTable::set_encoding(Entry& entry, Encoding encoding) {
  constexpr std::uint64_t mask = std::uint64_t{7} << Entry::encoding_shift;
  const std::uint64_t bits = static_cast<std::uint64_t>(encoding) << Entry::encoding_shift;
  entry.state_ = (entry.state_ & ~mask) | bits;
}

void KeyTable::set_token(Entry& entry, std::uint64_t token) {
  constexpr std::uint64_t flags = (std::uint64_t{1} << Entry::token_shift) - 1;
  entry.state_ = (entry.state_ & flags) | (token << Entry::token_shift);
}

void KeyTable::note_access(Entry& entry, std::int64_t now_ms) {
  EntryBody::set_access_seconds(entry, static_cast<std::uint32_t>(now_ms / 1000));
}

void KeyTable::remove(Entry& entry, std::uint64_t hash) {
  if (entry.expiry_.is_linked()) wheel_->unlink(entry.expiry_);
  table_.erase(entry, hash);
  free_entry(entry);
}

void KeyTable::expect(std::uint64_t keys) {
  // A file may say anything: more than this is room for when it comes.
  constexpr std::uint64_t keys_max = std::uint64_t{1} << 24U;
  if (table_.size() == 0) table_.expect(std::min(keys, keys_max));
}

void KeyTable::drop_value(Entry& entry) {
  if (!EntryBody::is_outlined(entry)) return;
  bytes_ -= EntryBody::outlined_bytes(entry);
  if (entry.type() == Type::string) {
    graveyard_.bury(EntryBody::outlined<LargeString>(entry));
  } else {
    graveyard_.bury(std::unique_ptr<LargeValue>(EntryBody::outlined<LargeValue>(entry)));
  }
}

void KeyTable::free_entry(Entry& entry) {
  drop_value(entry);
  const std::size_t bytes = EntryBody::total_bytes(entry);
  bytes_ -= EntryAllocator::rounded(bytes);
  allocator_.free(&entry, bytes);
}

bool KeyTable::free_some(std::size_t entries_max) {
  // Out of service with its wheel: nobody looks at the links between entries any more.
  wheel_.reset();
  for (; entries_max > 0; --entries_max) {
    Entry* entry = table_.take_any();
    if (entry == nullptr) return false;
    free_entry(*entry);
  }
  return true;
}

void KeyTable::validate() const {
  table_.validate();
  std::size_t bytes = 0;
  std::size_t linked = 0;
  table_.for_each([&](const Entry& entry) {
    bytes += entry.memory_bytes() - sizeof(void*);
    ASSERT(entry.expiry_.is_linked() == entry.has_deadline());
    if (entry.has_deadline()) ++linked;
    if (entry.type() == Type::string) return;
    if (!EntryBody::is_outlined(entry)) return ASSERT(HashView(entry).size() > 0);
    const LargeValue& value = *EntryBody::outlined<LargeValue>(entry);
    ASSERT(value.size() > 0);
    ASSERT(entry.encoding() == value.encoding());
    value.validate();
  });
  ASSERT(bytes == bytes_);
  ASSERT(linked == with_deadline());
  if (wheel_) wheel_->validate();
}

}  // namespace engine
