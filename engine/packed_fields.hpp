// Small hashes as one run of bytes, fields in order of insertion: { name, value }. Searched from
// the front. Knows no limit: callers move to a table in time.
//
// A text is a code byte and its bytes: 00–7F the length; 80–BF no bytes, the text is the decimal
// number 0–63 (hold counts); C0–FE the length's high six bits, one more byte has the low eight; FF
// a 32-bit length follows. Each text has exactly one form.
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

// Takes the first field off `rest`, which is not empty. Views point into it or to constant text.
Field take(std::string_view& rest);
[[nodiscard]] std::optional<Field> find(std::string_view packed, std::string_view name);
void add(std::string& packed, std::string_view name, std::string_view value);
// Adds or replaces (order stays). True when the field is new.
bool set(std::string& packed, std::string_view name, std::string_view value);
// Replaces the value when the new one takes exactly as many bytes. False: nothing was done.
bool overwrite(char* packed, std::size_t bytes, std::string_view name, std::string_view value);
// True when it was there.
bool remove(std::string& packed, std::string_view name);

}  // namespace engine::packed_fields
