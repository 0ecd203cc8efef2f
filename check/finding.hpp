// What a check has found.
#pragma once

#include "engine/commit_log.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace check {

enum class Verdict : std::uint8_t {
  whole,
  torn,        // a damaged end that was never known to be durable: a start cuts it by itself
  damaged,     // a start stops here
  unreadable,  // the disk failed, or a newer version wrote it
};

// What lies behind a damage and would go with it.
struct Loss {
  std::uint64_t bytes = 0;  // without the zeros ahead of the journal
  std::uint64_t intact_batches = 0;
  engine::Position last = 0;     // greatest position among them
  engine::Position durable = 0;  // greatest position that any of them, or what is before, names
};

struct Finding {
  Verdict verdict = Verdict::whole;
  std::string reason;  // unless whole
  std::string file;
  std::uint64_t offset = 0;
  std::error_code error;  // of the disk
  Loss loss;

  // What is good.
  engine::Position position = 0;           // of the last batch
  engine::Position snapshot_position = 0;  // 0: none
  std::uint64_t batches = 0;
  std::uint64_t images = 0;
  std::optional<std::uint64_t> keys;   // where batches were replayed
  std::int64_t wall_us = 0;            // of the last record; 0: unknown
  std::vector<std::string> left_over;  // files that a start removes

  [[nodiscard]] bool is_of_snapshot() const { return file.starts_with("snapshot-"); }
};

}  // namespace check
