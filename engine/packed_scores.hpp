// Small sorted sets as one run of bytes, in order: { score (8 bytes as in memory), varint length,
// member }. Has no -0, as Redis' packed form: it is kept as 0. Searched from the front. Knows no
// limit: callers move to an index in time.
#pragma once

#include "engine/mutation.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace engine::packed_scores {

// Takes the first item off `rest`, which is not empty.
ScoredMember take(std::string_view& rest);
[[nodiscard]] std::optional<double> find(std::string_view packed, std::string_view member);
// Adds, or moves to another score. True when the member is new. It may lie in `packed`.
bool set(std::string& packed, const ScoredMember& item);
// Returns how many were there. Members may lie in `packed`.
std::size_t remove(std::string& packed, std::span<const std::string_view> members);

}  // namespace engine::packed_scores
