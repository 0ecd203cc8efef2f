// Intersection, union and difference of sets, as members of their own: nothing here is stored.
#pragma once

#include "engine/entry.hpp"
#include "engine/set_value.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace commands::set {

// Absent keys are null.
using Sets = std::vector<const engine::SetValue*>;

struct SetResult {
  std::vector<std::string> members;
  // That Redis 7.0 would give a set made of them.
  engine::Encoding encoding = engine::Encoding::intset;
};

// `integers_max`: how many integers a set may hold as an intset; such a result is in ascending
// order, any other in none.
[[nodiscard]] SetResult intersection_of(Sets sets, std::size_t integers_max);
[[nodiscard]] SetResult union_of(const Sets& sets, std::size_t integers_max);
// Of the first and all others.
[[nodiscard]] SetResult difference_of(const Sets& sets, std::size_t integers_max);
// How many members all sets share, at most `limit`.
[[nodiscard]] std::size_t count_shared(Sets sets, std::size_t limit);

[[nodiscard]] std::vector<std::string_view> views_of(std::span<const std::string> members);

}  // namespace commands::set
