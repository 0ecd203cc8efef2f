// Looks behind a damage: how much is there, and how much of it was known to be durable.
#pragma once

#include "check/finding.hpp"
#include "engine/file_system.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <system_error>

namespace check {

// From `offset` of a segment on, and in all segments of the directory that start later. `position`:
// of the last batch before.
[[nodiscard]] std::expected<Loss, std::error_code> survey(engine::FileSystem& files,
                                                          const std::string& segment,
                                                          std::uint64_t offset,
                                                          engine::Position position);

// Up to the last byte that is not zero.
[[nodiscard]] std::expected<std::uint64_t, std::error_code> bytes_before_zeros(engine::File& file);

}  // namespace check
