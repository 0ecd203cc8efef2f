// What of a damaged snapshot is good: its intact images that still fit together.
#pragma once

#include "base/function_ref.hpp"
#include "engine/file_system.hpp"
#include "engine/journal_format.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace check {

struct Salvaged {
  std::uint64_t images = 0;
  std::uint64_t image_bytes = 0;
  std::uint64_t keys = 0;
  std::uint64_t file_bytes = 0;
  std::optional<engine::journal::Head> head;  // when it is intact
  std::int64_t lease_ms = 0;                  // of the last frame
};

// Hands each good image to `take`.
[[nodiscard]] std::expected<Salvaged, std::error_code> salvage_images(
    engine::File& file, base::FunctionRef<void(std::string_view frames)> take);

// Writes what can be salvaged of `damaged` as the snapshot at `position`, durably. Without an
// intact head its times are those of `fallback`, or what its frames say.
[[nodiscard]] std::expected<Salvaged, std::error_code> salvage_snapshot(
    engine::FileSystem& files, const std::string& damaged, engine::Position position,
    const std::optional<engine::journal::Stamp>& fallback);

}  // namespace check
