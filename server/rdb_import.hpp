// mortise-server --import-rdb: what a dump of Redis holds becomes the first state of a journal
// directory, as one snapshot. It has a name there only when it is complete and durable, so a failed
// or broken-off import leaves nothing that a server would load.
#pragma once

#include "engine/file_system.hpp"
#include "engine/rdb_loader.hpp"
#include "server/config.hpp"
#include "server/log.hpp"
#include "server/machine.hpp"
#include "server/start_error.hpp"

#include <cstdint>
#include <expected>
#include <memory>
#include <string>

namespace server {

class Core;

struct Imported {
  engine::rdb::Loaded loaded;
  std::uint64_t dump_bytes = 0;
  std::uint64_t snapshot_bytes = 0;
  std::int64_t took_us = 0;
};

class RdbImport {
 public:
  // All outlive it. How far it has come goes to the log now and then.
  RdbImport(Config& config, Log& log, Machine& machine);

  // Refused when the journal directory of the settings holds a state. `name`: of the dump, for
  // people.
  [[nodiscard]] std::expected<Imported, StartError> run(engine::File& dump,
                                                        const std::string& name);

 private:
  using Done = std::expected<void, StartError>;
  [[nodiscard]] Done open_directory();
  [[nodiscard]] Done read(engine::File& dump, const std::string& name, Core& core);
  [[nodiscard]] static Done load_scripts(const engine::rdb::Loaded& loaded, Core& core);
  [[nodiscard]] Done write_snapshot(Core& core);

  Config& config_;
  Log& log_;
  Machine& machine_;
  std::unique_ptr<engine::FileSystem> directory_;
  Imported imported_;
};

// For people: what came along and what did not, a line for each database.
[[nodiscard]] std::string import_summary(const Imported& imported);

}  // namespace server
