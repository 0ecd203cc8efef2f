// The values of a KeyTable: inside the entry while they are small, on a pointer from then on.
#include "base/assert.hpp"
#include "engine/collection.hpp"
#include "engine/entry_body.hpp"
#include "engine/hash_value.hpp"
#include "engine/key_table.hpp"
#include "engine/large_string.hpp"
#include "engine/packed_fields.hpp"

#include <algorithm>
#include <cstring>

namespace engine {
namespace {

bool fits_packed(const PackedLimits& limits, std::string_view field, std::string_view value) {
  return field.size() <= limits.value_bytes_max && value.size() <= limits.value_bytes_max;
}

}  // namespace

Entry& KeyTable::hang(Entry& entry, std::uint64_t hash, void* value) {
  Entry& shaped = reshape(entry, hash, sizeof(void*));
  EntryBody::set_outlined(shaped, value);
  return shaped;
}

Entry& KeyTable::store_inline(Entry& entry, std::uint64_t hash, std::string_view value) {
  Entry& shaped = reshape(entry, hash, value.size());
  EntryBody::set_inlined(shaped, value.size());
  std::memcpy(EntryBody::value(shaped), value.data(), value.size());
  return shaped;
}

Entry& KeyTable::add_string(std::string_view key, std::uint64_t hash, std::string_view text) {
  if (text.size() <= EntryBody::inline_bytes_max) {
    Entry& entry = add(key, hash, Type::string, text.size());
    std::memcpy(EntryBody::value(entry), text.data(), text.size());
    return entry;
  }
  Entry& entry = add(key, hash, Type::string, sizeof(void*));
  LargeString* large = new_large_string(text.size());
  std::memcpy(large->data(), text.data(), text.size());
  EntryBody::set_outlined(entry, large);
  bytes_ += large->allocated_bytes();
  return entry;
}

Entry& KeyTable::set_text(Entry& entry, std::uint64_t hash, std::string_view text) {
  if (!EntryBody::is_outlined(entry) && text.size() <= EntryBody::inline_bytes_max) {
    return store_inline(entry, hash, text);
  }
  if (text.size() <= EntryBody::inline_bytes_max) {
    drop_value(entry);
    return store_inline(entry, hash, text);
  }
  const bool had_large = EntryBody::is_outlined(entry);
  LargeString* large = had_large ? EntryBody::outlined<LargeString>(entry) : nullptr;
  if (had_large) bytes_ -= large->allocated_bytes();
  large = had_large ? resize(large, text.size()) : new_large_string(text.size());
  std::memcpy(large->data(), text.data(), text.size());
  bytes_ += large->allocated_bytes();
  return hang(entry, hash, large);
}

Entry& KeyTable::append(Entry& entry, std::uint64_t hash, std::string_view bytes) {
  return set_range(entry, hash, entry.string().size(), bytes);
}

Entry& KeyTable::set_range(Entry& entry, std::uint64_t hash, std::size_t offset,
                           std::string_view bytes) {
  const std::size_t old_length = entry.string().size();
  const std::size_t length = std::max(old_length, offset + bytes.size());
  Entry* target = &entry;
  char* text = nullptr;
  if (EntryBody::is_outlined(entry)) {
    auto* large = EntryBody::outlined<LargeString>(entry);
    bytes_ -= large->allocated_bytes();
    large = resize(large, length);
    bytes_ += large->allocated_bytes();
    EntryBody::set_outlined(entry, large);
    text = large->data();
  } else if (length <= EntryBody::inline_bytes_max) {
    target = &reshape(entry, hash, length);
    EntryBody::set_inlined(*target, length);
    text = EntryBody::value(*target);
  } else {
    LargeString* large = new_large_string(length);
    std::memcpy(large->data(), EntryBody::value(entry), old_length);
    bytes_ += large->allocated_bytes();
    target = &hang(entry, hash, large);
    text = large->data();
  }
  if (offset > old_length) std::memset(text + old_length, 0, offset - old_length);
  std::memcpy(text + offset, bytes.data(), bytes.size());
  return *target;
}

// Sets `fields` in a packed hash, or in the value it outgrows into: that is what comes back.
std::unique_ptr<HashValue> KeyTable::gather(std::string& packed, std::size_t& count, Fields fields,
                                            PackedLimits limits) {
  std::unique_ptr<HashValue> large;
  for (const auto& [field, value] : fields) {
    if (large) {
      large->set(field, value);
    } else if (packed_fields::set(packed, field, value)) {
      ++count;
    }
    const std::size_t size = large ? large->size() : count;
    const bool as_table = size > limits.fields_max || !fits_packed(limits, field, value);
    if (!large && (as_table || packed.size() > EntryBody::inline_bytes_max)) {
      large = std::make_unique<HashValue>(packed, count, seed_, allocator_);
    }
    if (as_table) large->convert_to_table();
  }
  return large;
}

Entry& KeyTable::add_hash(std::string_view key, std::uint64_t hash, Fields fields,
                          PackedLimits limits) {
  scratch_.clear();
  std::size_t count = 0;
  auto large = gather(scratch_, count, fields, limits);
  Entry& entry = add(key, hash, Type::hash, large ? sizeof(void*) : scratch_.size());
  set_encoding(entry, large && large->is_table() ? Encoding::hashtable : Encoding::listpack);
  if (large) {
    bytes_ += large->allocated_bytes();
    EntryBody::set_outlined(entry, static_cast<LargeValue*>(large.release()));
  } else {
    std::memcpy(EntryBody::value(entry), scratch_.data(), scratch_.size());
    EntryBody::set_inline_fields(entry, count);
  }
  return entry;
}

Entry& KeyTable::set_fields(Entry& entry, std::uint64_t hash, Fields fields, PackedLimits limits) {
  if (EntryBody::is_outlined(entry)) {
    auto* value = EntryBody::large<HashValue>(entry);
    bytes_ -= value->allocated_bytes();
    for (const auto& [field, text] : fields) {
      if (!fits_packed(limits, field, text)) value->convert_to_table();
      value->set(field, text);
      if (value->size() > limits.fields_max) value->convert_to_table();
    }
    bytes_ += value->allocated_bytes();
    set_encoding(entry, value->is_table() ? Encoding::hashtable : Encoding::listpack);
    return entry;
  }
  // The way of a hold count that goes up or down: same room, same place.
  if (fields.size() == 1 && EntryBody::inline_fields(entry) <= limits.fields_max) {
    const auto& [field, text] = fields.front();
    if (fits_packed(limits, field, text) &&
        packed_fields::overwrite(EntryBody::value(entry), EntryBody::inline_bytes(entry), field,
                                 text)) {
      return entry;
    }
  }
  scratch_.assign(EntryBody::inline_value(entry));
  std::size_t count = EntryBody::inline_fields(entry);
  auto large = gather(scratch_, count, fields, limits);
  if (large) {
    bytes_ += large->allocated_bytes();
    const bool is_table = large->is_table();
    Entry& shaped = hang(entry, hash, static_cast<LargeValue*>(large.release()));
    set_encoding(shaped, is_table ? Encoding::hashtable : Encoding::listpack);
    return shaped;
  }
  Entry& shaped = store_inline(entry, hash, scratch_);
  EntryBody::set_inline_fields(shaped, count);
  return shaped;
}

Entry& KeyTable::remove_fields(Entry& entry, std::uint64_t hash,
                               std::span<const std::string_view> names) {
  if (EntryBody::is_outlined(entry)) {
    auto* value = EntryBody::large<HashValue>(entry);
    bytes_ -= value->allocated_bytes();
    for (const std::string_view name : names) value->remove(name);
    bytes_ += value->allocated_bytes();
    return entry;
  }
  scratch_.assign(EntryBody::inline_value(entry));
  std::size_t count = EntryBody::inline_fields(entry);
  for (const std::string_view name : names) {
    if (packed_fields::remove(scratch_, name)) --count;
  }
  Entry& shaped = store_inline(entry, hash, scratch_);
  EntryBody::set_inline_fields(shaped, count);
  return shaped;
}

Entry& KeyTable::add_clone(std::string_view key, std::uint64_t hash, const Entry& source) {
  if (!EntryBody::is_outlined(source)) {
    const std::string_view value = EntryBody::inline_value(source);
    Entry& entry = add(key, hash, source.type(), value.size());
    std::memcpy(EntryBody::value(entry), value.data(), value.size());
    EntryBody::set_inline_fields(entry, EntryBody::inline_fields(source));
    set_encoding(entry, source.encoding());
    return entry;
  }
  if (source.type() == Type::string) {
    Entry& entry = add_string(key, hash, source.string());
    set_encoding(entry, source.encoding());
    return entry;
  }
  return add_value(key, hash, source.type(), EntryBody::outlined<LargeValue>(source)->clone());
}

Entry& KeyTable::add_value(std::string_view key, std::uint64_t hash, Type type,
                           std::unique_ptr<LargeValue> value) {
  Entry& entry = add(key, hash, type, sizeof(void*));
  bytes_ += value->allocated_bytes();
  set_encoding(entry, value->encoding());
  EntryBody::set_outlined(entry, value.release());
  return entry;
}

void KeyTable::change_collection(Entry& entry, base::FunctionRef<void(Collection&)> change) {
  auto* value = EntryBody::large<Collection>(entry);
  bytes_ -= value->allocated_bytes();
  change(*value);
  bytes_ += value->allocated_bytes();
  set_encoding(entry, value->encoding());
}

Entry& KeyTable::add_stolen(std::string_view key, std::uint64_t hash, Entry& source,
                            KeyTable& source_table) {
  if (!EntryBody::is_outlined(source)) return add_clone(key, hash, source);
  Entry& entry = add(key, hash, source.type(), sizeof(void*));
  const std::size_t bytes = EntryBody::outlined_bytes(source);
  EntryBody::set_outlined(entry, EntryBody::outlined<void>(source));
  set_encoding(entry, source.encoding());
  bytes_ += bytes;
  source_table.bytes_ -= bytes;
  // Same size as the pointer it held: the piece of memory stays what it was.
  EntryBody::set_inlined(source, sizeof(void*));
  return entry;
}

}  // namespace engine
