#include "engine/packed_fields.hpp"

#include "base/integers.hpp"

#include <array>
#include <cstdint>
#include <cstring>

namespace engine::packed_fields {
namespace {

constexpr unsigned small_number_first = 0x80;
constexpr std::size_t small_numbers = 0x40;
constexpr unsigned two_bytes_first = 0xC0;
constexpr unsigned four_bytes = 0xFF;
constexpr std::size_t one_byte_max = 0x7F;
constexpr std::size_t two_bytes_max = ((four_bytes - two_bytes_first) << 8U) - 1;
// A code with its length takes no more.
constexpr std::size_t code_bytes_max = 5;

constexpr auto small_number_digits = [] {
  std::array<char, 2 * small_numbers> digits{};
  for (std::size_t number = 0; number < small_numbers; ++number) {
    const bool two = number >= 10;
    digits[2 * number] = static_cast<char>('0' + (two ? number / 10 : number));
    digits[2 * number + 1] = static_cast<char>('0' + number % 10);
  }
  return digits;
}();

std::string_view small_number_text(std::size_t number) {
  return {small_number_digits.data() + 2 * number, number < 10 ? 1U : 2U};
}

// A text of one or two digits that is its own decimal form and small enough.
std::optional<unsigned> small_number(std::string_view text) {
  if (text.empty() || text.size() > 2) return std::nullopt;
  const auto number = base::parse_int64(text);
  if (!number || *number < 0 || *number >= std::int64_t{small_numbers}) return std::nullopt;
  return static_cast<unsigned>(*number);
}

std::string_view take_text(std::string_view& rest) {
  const unsigned code = static_cast<unsigned char>(rest.front());
  std::size_t bytes = code;
  std::size_t skip = 1;
  if (code > one_byte_max) [[unlikely]] {
    if (code < two_bytes_first) {
      rest.remove_prefix(1);
      return small_number_text(code - small_number_first);
    }
    if (code < four_bytes) {
      bytes = ((code - two_bytes_first) << 8U) | static_cast<unsigned char>(rest[1]);
      skip = 2;
    } else {
      std::uint32_t length = 0;
      std::memcpy(&length, rest.data() + 1, sizeof length);
      bytes = length;
      skip = code_bytes_max;
    }
  }
  const std::string_view text = rest.substr(skip, bytes);
  rest.remove_prefix(skip + bytes);
  return text;
}

// What stands in front of the bytes of `text`; whether they follow at all.
struct Code {
  std::array<char, code_bytes_max> bytes;
  std::size_t size;
  bool has_text;
  explicit Code(std::string_view text) : bytes{}, size(1), has_text(true) {
    if (const auto number = small_number(text)) {
      bytes[0] = static_cast<char>(small_number_first + *number);
      has_text = false;
    } else if (text.size() <= one_byte_max) {
      bytes[0] = static_cast<char>(text.size());
    } else if (text.size() <= two_bytes_max) {
      bytes[0] = static_cast<char>(two_bytes_first + (text.size() >> 8U));
      bytes[1] = static_cast<char>(text.size() & 0xFFU);
      size = 2;
    } else {
      const auto length = static_cast<std::uint32_t>(text.size());
      bytes[0] = static_cast<char>(four_bytes);
      std::memcpy(&bytes[1], &length, sizeof length);
      size = code_bytes_max;
    }
  }
  [[nodiscard]] std::string_view view() const { return {bytes.data(), size}; }
};

void add_text(std::string& packed, std::string_view text) {
  const Code code(text);
  packed.append(code.view());
  if (code.has_text) packed.append(text);
}

// Offsets of a field: its name's code, its value's code, its end.
struct Place {
  std::size_t start;
  std::size_t value;
  std::size_t end;
};

std::optional<Place> locate(std::string_view packed, std::string_view name) {
  for (std::string_view rest = packed; !rest.empty();) {
    const std::size_t start = packed.size() - rest.size();
    const bool found = take_text(rest) == name;
    const std::size_t value = packed.size() - rest.size();
    take_text(rest);
    if (found) return Place{start, value, packed.size() - rest.size()};
  }
  return std::nullopt;
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
  add_text(packed, name);
  add_text(packed, value);
}

bool set(std::string& packed, std::string_view name, std::string_view value) {
  const auto place = locate(packed, name);
  if (!place) {
    add(packed, name, value);
    return true;
  }
  std::string replacement;
  add_text(replacement, value);
  packed.replace(place->value, place->end - place->value, replacement);
  return false;
}

bool overwrite(char* packed, std::size_t bytes, std::string_view name, std::string_view value) {
  const auto place = locate({packed, bytes}, name);
  if (!place) return false;
  const Code code(value);
  const std::size_t room = code.size + (code.has_text ? value.size() : 0);
  if (room != place->end - place->value) return false;
  std::memcpy(packed + place->value, code.bytes.data(), code.size);
  if (code.has_text) std::memmove(packed + place->value + code.size, value.data(), value.size());
  return true;
}

bool remove(std::string& packed, std::string_view name) {
  const auto place = locate(packed, name);
  if (!place) return false;
  packed.erase(place->start, place->end - place->start);
  return true;
}

}  // namespace engine::packed_fields
