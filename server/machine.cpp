#include "server/machine.hpp"

#include "engine/posix_file_system.hpp"

namespace server {

std::expected<std::unique_ptr<engine::FileSystem>, std::error_code> SystemMachine::open_directory(
    const std::string& path) {
  return engine::PosixFileSystem::open_directory(path);
}

std::unique_ptr<engine::SyncWorker> SystemMachine::new_worker() {
  return std::make_unique<engine::SyncThread>(wake_);
}

}  // namespace server
