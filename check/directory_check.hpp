// What a start of the server would make of a directory, without changing anything: the same code
// runs over a DryFileSystem.
#pragma once

#include "check/finding.hpp"
#include "engine/file_system.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <system_error>

namespace check {

// Whether batches are applied to a store in memory, to see that they fit.
enum class Replay : std::uint8_t { full, none };

[[nodiscard]] Finding check_directory(engine::FileSystem& files, Replay replay);

// Of a directory that a server is writing to: an end that changes under the eyes of the check is no
// damage, what vanishes because a snapshot replaced it is looked for again. A batch that is being
// written counts as torn.
[[nodiscard]] Finding check_live_directory(engine::FileSystem& files, Replay replay);

// Whether the directory has any file of a journal.
[[nodiscard]] std::expected<bool, std::error_code> has_journal(engine::FileSystem& files);

// A file that a newer version of the program wrote; empty: none. Also one that a check does not
// come to, because it ends before it.
[[nodiscard]] std::expected<std::string, std::error_code> file_of_newer_version(
    engine::FileSystem& files);

}  // namespace check
