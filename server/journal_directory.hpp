// The directory of a journal, for one process at a time.
#pragma once

#include "engine/file_system.hpp"
#include "server/machine.hpp"
#include "server/start_error.hpp"

#include <expected>
#include <memory>
#include <string>

namespace server {

[[nodiscard]] std::expected<std::unique_ptr<engine::FileSystem>, StartError> open_journal_directory(
    Machine& machine, const std::string& path);

}  // namespace server
