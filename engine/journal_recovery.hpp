// From the files of a directory to the state they hold: the newest complete snapshot, then every
// batch behind it. What a crash tore off the end is cut and reported; damage below a position that
// was durable stops the recovery. Afterwards everything recovered is durable.
#pragma once

#include "engine/commit_log.hpp"
#include "engine/file_system.hpp"
#include "engine/journal_format.hpp"
#include "engine/unsynced_tail.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace engine::journal {

class Reader;

struct Recovered {
  Position position = 0;           // of the last batch
  Position snapshot_position = 0;  // 0: there is none
  std::optional<Stamp> started;    // head of the newest file; none: the directory is new
  std::int64_t lease_ms = 0;       // of the last record
  std::int64_t wall_us = 0;
  std::uint64_t batches = 0;        // applied, behind the snapshot
  std::uint64_t bytes = 0;          // read
  std::uint64_t batch_bytes = 0;    // of the batches applied
  std::uint64_t dropped_bytes = 0;  // of the torn tail, 0: there was none
  std::string dropped_from;         // file
  std::uint64_t dropped_offset = 0;
};

// What stops a recovery: damage, or a disk that fails.
struct RecoveryFailure {
  std::string reason;
  std::string file;
  std::uint64_t offset = 0;
  std::error_code error;  // of the disk; not_supported: a newer version
  Position position = 0;  // of the last batch that was applied
};

class Recovery {
 public:
  // Both outlive it. `state` is empty.
  Recovery(FileSystem& files, CommittedState& state) : files_(files), state_(state) {}

  // Of all files there are; 0 when it cannot be told.
  [[nodiscard]] std::uint64_t bytes_to_read();
  // Leaves only files that hold what was recovered: drafts, torn tails and what a snapshot has made
  // superfluous are gone.
  std::expected<Recovered, RecoveryFailure> run();

 private:
  using Step = std::expected<void, RecoveryFailure>;
  struct Damage {
    std::string file;
    std::uint64_t offset = 0;
    std::uint64_t file_bytes = 0;
  };

  Step look_around();
  Step load_snapshot();
  Step apply_images(Reader& reader, const std::string& name, Position position);
  Step load_segments();
  Step load_segment(Position start);
  Step apply_batches(Reader& reader, const std::string& name);
  void note_head(const Stamp& stamp);
  void note_time(std::int64_t lease_ms, std::int64_t wall_us);
  // Whether what is damaged was ever known to be durable.
  std::expected<bool, RecoveryFailure> was_durable(Reader& damaged, std::size_t later,
                                                   std::size_t end);
  Step make_durable();
  Step cut(const Damage& damage, std::size_t segment);
  Step check_loss(const Damage& damage, std::size_t later, std::size_t end);
  Step cut_tail(const Damage& damage);
  Step drop(Position start);
  Step remove(const std::string& name);

  FileSystem& files_;
  CommittedState& state_;
  std::vector<Position> segments_;   // rising
  std::vector<Position> snapshots_;  // rising
  Recovered found_;
  Position durable_ = 0;  // greatest that any record names
  std::optional<Damage> damage_;
  UnsyncedTail unsynced_;
};

}  // namespace engine::journal
