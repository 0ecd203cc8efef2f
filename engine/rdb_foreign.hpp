// Passes over the values that Mortise has no type for, streams and what modules save, without
// understanding them.
//
// stream  (type bytes 15, 19, 21; the later ones have the parts marked 19 and 21)
//         l nodes, { s, s }*, l items, l ms, l seq, 19: { l ms, l seq, l ms, l seq, l added },
//         l groups, group*
// group   s, l ms, l seq, 19: { l read }, l pending, { 16 bytes, 8 bytes, l }*,
//         l consumers, { s, 8 bytes, 21: { 8 bytes }, l pending, 16 bytes * }*
// module  (type byte 7; auxiliary data of modules is of the same parts)
//         l id, part*, l 0
// part    l 1 or 2, l | l 3, 4 bytes | l 4, 8 bytes | l 5, s
#pragma once

#include "engine/rdb_input.hpp"
#include "engine/rdb_listener.hpp"

#include <cstdint>
#include <optional>

namespace engine::rdb {

// Of a value that can be passed over.
[[nodiscard]] std::optional<Foreign> foreign_type(std::uint8_t type_byte);

// Of a type that foreign_type() knows.
void skip_foreign(Input& input, std::uint8_t type_byte);
void skip_module(Input& input);

}  // namespace engine::rdb
