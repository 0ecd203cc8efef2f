#include "engine/packed_fields.hpp"

#include "base/assert.hpp"
#include "engine/varint.hpp"

namespace engine::packed_fields {
namespace {

std::string_view take_text(std::string_view& rest) {
  const auto first = static_cast<unsigned char>(rest.front());
  std::uint64_t bytes = first;
  if (first < 0x80U) [[likely]] {
    rest.remove_prefix(1);
  } else {
    ASSERT(varint::read(rest, bytes));
  }
  const std::string_view text = rest.substr(0, bytes);
  rest.remove_prefix(bytes);
  return text;
}

std::size_t length_bytes(std::size_t length) {
  std::size_t bytes = 1;
  for (; length >= 0x80U; length >>= 7U) ++bytes;
  return bytes;
}

}  // namespace

Field take(std::string_view& rest) {
  const std::string_view name = take_text(rest);
  return {name, take_text(rest)};
}

std::optional<Field> find(std::string_view packed, std::string_view name) {
  while (!packed.empty()) {
    const Field field = take(packed);
    if (field.name == name) return field;
  }
  return std::nullopt;
}

void add(std::string& packed, std::string_view name, std::string_view value) {
  varint::write(packed, name.size());
  packed.append(name);
  varint::write(packed, value.size());
  packed.append(value);
}

bool set(std::string& packed, std::string_view name, std::string_view value) {
  const auto found = find(packed, name);
  if (!found) {
    add(packed, name, value);
    return true;
  }
  const auto value_at = static_cast<std::size_t>(found->value.data() - packed.data());
  const std::size_t length_at = value_at - length_bytes(found->value.size());
  std::string replacement;
  varint::write(replacement, value.size());
  replacement.append(value);
  packed.replace(length_at, value_at - length_at + found->value.size(), replacement);
  return false;
}

bool remove(std::string& packed, std::string_view name) {
  const auto found = find(packed, name);
  if (!found) return false;
  const auto name_at = static_cast<std::size_t>(found->name.data() - packed.data());
  const std::size_t start = name_at - length_bytes(name.size());
  const auto end =
      static_cast<std::size_t>(found->value.data() - packed.data()) + found->value.size();
  packed.erase(start, end - start);
  return true;
}

}  // namespace engine::packed_fields
