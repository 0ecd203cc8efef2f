// Values that an RDB file holds as one packed string: listpack, ziplist, intset, zipmap. Integers
// come out as decimal text. The bytes may be anybody's: nothing is read outside of them.
//
// listpack  u32 bytes, u16 items (65535: unknown), item*, FF
//           item: head (kind, length or integer), bytes, 1 to 5 bytes with the length of both
// ziplist   u32 bytes, u32 offset of the last item, u16 items (65535: unknown), item*, FF
//           item: length of the item before (1 byte, or FE and u32), head, bytes
// intset    u32 width (2, 4 or 8), u32 count, integers of that width
// zipmap    u8 pairs (254: more), { length field, length u8 unused value, unused bytes }*, FF
//           length: 1 byte, or FE and u32
// All little-endian, but for lengths in the heads of a ziplist.
#pragma once

#include "base/function_ref.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace engine::rdb {

// The item is a view that dies with the call. False: enough.
using ItemVisitor = base::FunctionRef<bool(std::string_view item)>;

enum class Walk : std::uint8_t { done, stopped, damaged };

// Damage may be found after items were visited. Of a zipmap: field, value, field, value …
[[nodiscard]] Walk visit_listpack(std::string_view bytes, ItemVisitor visit);
[[nodiscard]] Walk visit_ziplist(std::string_view bytes, ItemVisitor visit);
[[nodiscard]] Walk visit_intset(std::string_view bytes, ItemVisitor visit);
[[nodiscard]] Walk visit_zipmap(std::string_view bytes, ItemVisitor visit);

// An unsigned number of all these bytes, at most eight.
[[nodiscard]] std::uint64_t little_endian(std::string_view bytes);
[[nodiscard]] std::uint64_t big_endian(std::string_view bytes);
// The same bits as a number with a sign.
[[nodiscard]] std::int64_t sign_extended(std::uint64_t number, unsigned bits);

// A score as text: nullopt when it is no number, or NaN.
[[nodiscard]] std::optional<double> parse_score(std::string_view text);

}  // namespace engine::rdb
