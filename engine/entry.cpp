#include "engine/entry.hpp"

#include "engine/collection.hpp"
#include "engine/entry_body.hpp"
#include "engine/hash_value.hpp"
#include "engine/large_string.hpp"
#include "engine/packed_fields.hpp"

namespace engine {

static_assert(sizeof(Entry) == 40);

std::string_view Entry::key() const {
  return EntryBody::key(*this);
}

std::string_view Entry::string() const {
  ASSERT(type() == Type::string);
  if (!EntryBody::is_outlined(*this)) return EntryBody::inline_value(*this);
  return EntryBody::outlined<LargeString>(*this)->view();
}

std::uint32_t Entry::idle_seconds(std::int64_t now_ms) const {
  constexpr std::uint32_t mask = 0xFFFFFF;
  const auto now = static_cast<std::uint32_t>(now_ms / 1000) & mask;
  return (now - EntryBody::access_seconds(*this)) & mask;
}

std::size_t Entry::memory_bytes() const {
  std::size_t bytes = EntryAllocator::rounded(EntryBody::total_bytes(*this)) + sizeof(void*);
  if (!EntryBody::is_outlined(*this)) return bytes;
  return bytes + EntryBody::outlined_bytes(*this);
}

std::size_t EntryBody::outlined_bytes(const Entry& entry) {
  if (entry.type() == Type::string) return outlined<LargeString>(entry)->allocated_bytes();
  return outlined<LargeValue>(entry)->allocated_bytes();
}

const Collection& Entry::collection() const {
  ASSERT(type() != Type::string && type() != Type::hash);
  return *EntryBody::large<Collection>(*this);
}

std::size_t HashView::size() const {
  if (!EntryBody::is_outlined(entry_)) return EntryBody::inline_fields(entry_);
  return EntryBody::large<HashValue>(entry_)->size();
}

std::optional<std::string_view> HashView::get(std::string_view field) const {
  if (EntryBody::is_outlined(entry_)) return EntryBody::large<HashValue>(entry_)->get(field);
  const auto found = packed_fields::find(EntryBody::inline_value(entry_), field);
  return found ? std::optional(found->value) : std::nullopt;
}

void HashView::for_each(base::FunctionRef<void(std::string_view, std::string_view)> visit) const {
  if (EntryBody::is_outlined(entry_)) {
    return EntryBody::large<HashValue>(entry_)->for_each(visit);
  }
  std::string_view rest = EntryBody::inline_value(entry_);
  while (!rest.empty()) {
    const auto field = packed_fields::take(rest);
    visit(field.name, field.value);
  }
}

std::uint64_t HashView::scan(
    std::uint64_t cursor, std::size_t count,
    base::FunctionRef<void(std::string_view, std::string_view)> visit) const {
  if (EntryBody::is_outlined(entry_)) {
    return EntryBody::large<HashValue>(entry_)->scan(cursor, count, visit);
  }
  for_each(visit);
  return 0;
}

std::pair<std::string_view, std::string_view> HashView::random_field(
    base::FunctionRef<std::uint64_t()> random) const {
  if (EntryBody::is_outlined(entry_)) {
    return EntryBody::large<HashValue>(entry_)->random_field(random);
  }
  std::string_view rest = EntryBody::inline_value(entry_);
  for (std::uint64_t skip = random() % size(); skip > 0; --skip) packed_fields::take(rest);
  const auto field = packed_fields::take(rest);
  return {field.name, field.value};
}

}  // namespace engine
