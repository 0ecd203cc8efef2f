#include "engine/rdb_foreign.hpp"

#include <cstddef>

namespace engine::rdb {
namespace {

enum class TypeByte : std::uint8_t { module = 7, stream = 15, stream_2 = 19, stream_3 = 21 };

constexpr std::uint64_t id_bytes = 16;
constexpr std::uint64_t time_bytes = 8;

void skip_lengths(Input& input, int count) {
  for (; count > 0; --count) (void)input.read_length();
}

// Each turn reads something, so a false count ends with the file.
template <typename SkipOne>
void skip_counted(Input& input, SkipOne skip_one) {
  for (std::uint64_t count = input.read_length(); count > 0 && !input.failed(); --count) {
    skip_one();
  }
}

void skip_consumer(Input& input, TypeByte type) {
  input.skip_string();
  input.skip(type == TypeByte::stream_3 ? 2 * time_bytes : time_bytes);
  skip_counted(input, [&] { input.skip(id_bytes); });
}

void skip_group(Input& input, TypeByte type) {
  input.skip_string();
  skip_lengths(input, type == TypeByte::stream ? 2 : 3);
  skip_counted(input, [&] {
    input.skip(id_bytes + time_bytes);
    (void)input.read_length();
  });
  skip_counted(input, [&] { skip_consumer(input, type); });
}

void skip_stream(Input& input, TypeByte type) {
  skip_counted(input, [&] {
    input.skip_string();
    input.skip_string();
  });
  skip_lengths(input, type == TypeByte::stream ? 3 : 8);
  skip_counted(input, [&] { skip_group(input, type); });
}

}  // namespace

std::optional<Foreign> foreign_type(std::uint8_t type_byte) {
  switch (static_cast<TypeByte>(type_byte)) {
    case TypeByte::module:
      return Foreign::module;
    case TypeByte::stream:
    case TypeByte::stream_2:
    case TypeByte::stream_3:
      return Foreign::stream;
  }
  return std::nullopt;
}

void skip_foreign(Input& input, std::uint8_t type_byte) {
  const auto type = static_cast<TypeByte>(type_byte);
  if (type == TypeByte::module) return skip_module(input);
  skip_stream(input, type);
}

void skip_module(Input& input) {
  enum Part : std::uint8_t {
    end,
    signed_number,
    unsigned_number,
    float_number,
    double_number,
    text
  };
  (void)input.read_length();
  while (!input.failed()) {
    const std::uint64_t at = input.offset();
    switch (input.read_length()) {
      case end:
        return;
      case signed_number:
      case unsigned_number:
        (void)input.read_length();
        break;
      case float_number:
        input.skip(sizeof(float));
        break;
      case double_number:
        input.skip(sizeof(double));
        break;
      case text:
        input.skip_string();
        break;
      default:
        input.fail("not a part of a module's value", at);
    }
  }
}

}  // namespace engine::rdb
