// Makes a directory startable: cuts at the damage, sets aside what cannot be used. Of everything
// that it changes a copy stays beside it, "name.broken-<n>"; each step is durable before the next.
// What is left is a state that the server once had, but where a snapshot was damaged: then it is
// the part of it that can be read.
#pragma once

#include "base/function_ref.hpp"
#include "check/finding.hpp"
#include "engine/file_system.hpp"

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <system_error>

namespace check {

class Repair {
 public:
  // `files`: with the lock on them. `say` is told each step, a line of text. Both outlive it.
  Repair(engine::FileSystem& files, base::FunctionRef<void(std::string_view line)> say)
      : files_(files), say_(say) {}

  // What the directory holds afterwards: whole, or what could not be repaired.
  Finding run();

 private:
  void refuse_newer_version(Finding& finding);
  engine::IoResult step(const Finding& finding);
  engine::IoResult repair_snapshot(const Finding& finding);
  // The segment and all that start behind it, the last one first.
  engine::IoResult set_aside_from(engine::Position start);
  engine::IoResult set_aside(const std::string& name);
  engine::IoResult cut(const std::string& name, std::uint64_t offset);
  [[nodiscard]] std::expected<std::string, std::error_code> free_name(const std::string& name);

  engine::FileSystem& files_;
  base::FunctionRef<void(std::string_view line)> say_;
  std::string set_aside_name_;  // the last one
};

}  // namespace check
