// Mutations and moments as text, for people.
#pragma once

#include "engine/mutation.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace check {

enum class Values : std::uint8_t { abbreviated, whole };

// As the grammar in engine/mutation.hpp calls it.
[[nodiscard]] std::string_view name_of(engine::MutationKind kind);
// One line: kind, database, key, values. `lease_ms`: of its frame, deadlines are shown from there.
[[nodiscard]] std::string text_of(const engine::Mutation& mutation, std::int64_t lease_ms,
                                  Values values);
// "2026-12-01T01:02:03.004Z".
[[nodiscard]] std::string moment_text(std::int64_t wall_us);
// "1,234,567".
[[nodiscard]] std::string grouped(std::uint64_t number);

}  // namespace check
