// Small hashes as one run of bytes, fields in order of insertion: { varint length, field, varint
// length, value }. Searched from the front. Knows no limit: callers move to a table in time.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace engine::packed_fields {

struct Field {
  std::string_view name;
  std::string_view value;
};

// Takes the first field off `rest`, which is not empty.
Field take(std::string_view& rest);
// The views point into `packed`.
[[nodiscard]] std::optional<Field> find(std::string_view packed, std::string_view name);
void add(std::string& packed, std::string_view name, std::string_view value);
// Adds or replaces (in place: order stays). True when the field is new.
bool set(std::string& packed, std::string_view name, std::string_view value);
// True when it was there.
bool remove(std::string& packed, std::string_view name);

}  // namespace engine::packed_fields
