// The seam between execution and durability (or, later, agreement of a set of nodes). Called on the
// loop thread only, never blocks. Positions count batches, from 1, and only rise.
//
// A turn that changed something: append(keyspace.take_batch()) → position; its replies may leave
// once committed_position() has reached it. A turn without changes: read_barrier(); nullopt means
// its replies may leave as soon as everything they could have seen is committed.
#pragma once

#include "engine/file_system.hpp"
#include "engine/sync_policy.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace engine {

using Position = std::uint64_t;
using ReadTicket = std::uint64_t;

enum class Role : std::uint8_t { active, follower };

// What the log can take.
enum class LogHealth : std::uint8_t {
  good,
  full,    // no room on the disk; a reserve takes releases and renewals
  failed,  // what is on disk is unknown: nothing is committed until a snapshot is
};

// The frames of one turn of the loop.
struct Batch {
  std::string bytes;  // frames one after the other; empty when the log wants none
  std::size_t frames = 0;
  std::size_t mutations = 0;
  std::int64_t lease_ms = 0;           // of the last frame
  SyncPolicy policy = SyncPolicy::no;  // the strictest of its frames
  [[nodiscard]] bool empty() const { return frames == 0; }
};

// What the log says about what it was given. Never called from within append() or read_barrier().
class CommitProgress {
 public:
  virtual ~CommitProgress() = default;
  virtual void committed(Position position) = 0;
  virtual void read_ready(ReadTicket ticket) = 0;
  virtual void role_changed(Role role) = 0;
  // Everything appended behind `last_committed` never happened: rebuild from the committed state.
  virtual void tail_void(Position last_committed) = 0;
  // `reason` is one line for people; empty when it is good again.
  virtual void health_changed(LogHealth health, std::string_view reason) = 0;
};

// What committed frames are applied to, at recovery and on a follower.
class CommittedState {
 public:
  virtual ~CommittedState() = default;
  // The frames of one batch, or of an image of a snapshot: that is applied to an empty state.
  // False: they are damaged, or do not fit what is there.
  virtual bool apply(Position position, std::string_view frames) = 0;
};

class CommitLog {
 public:
  virtual ~CommitLog() = default;
  // `batch` is not empty.
  virtual Position append(Batch&& batch) = 0;
  // A ticket: wait for read_ready(ticket), or a later one. nullopt: nothing to wait for but
  // commits.
  virtual std::optional<ReadTicket> read_barrier() = 0;
  // A complete snapshot of the state at `position` is safe: what is before it may go.
  virtual void snapshot_taken(Position position) = 0;
  [[nodiscard]] virtual Position committed_position() const = 0;
  // What a turn without changes must see committed before its replies leave.
  [[nodiscard]] virtual Position read_position() const = 0;
  [[nodiscard]] virtual Role role() const = 0;
  // --- the disk's answers, and time. The loop calls collect() when a worker has woken it, and
  // check_time() (monotonic) no later than next_check_us().
  virtual void collect() {}
  // What is ready has been executed and appended: whatever that waits for may begin.
  virtual void end_turn() {}
  virtual void check_time(std::int64_t now_us);
  // nullopt: not until something is appended.
  [[nodiscard]] virtual std::optional<std::int64_t> next_check_us() const { return std::nullopt; }
  // Waits until all that was appended is durable: the orderly end.
  [[nodiscard]] virtual IoResult flush() { return {}; }
  // Whether batches must carry bytes; fixed for the life of the log. False spares live execution
  // all serialisation (Keyspace::set_frames_wanted).
  [[nodiscard]] virtual bool wants_frames() const = 0;
};

// Keeps nothing: everything is committed when it is appended.
class NoneCommitLog final : public CommitLog {
 public:
  Position append(Batch&& batch) override;
  std::optional<ReadTicket> read_barrier() override { return std::nullopt; }
  void snapshot_taken(Position position) override;
  [[nodiscard]] Position committed_position() const override { return position_; }
  [[nodiscard]] Position read_position() const override { return 0; }
  [[nodiscard]] Role role() const override { return Role::active; }
  [[nodiscard]] bool wants_frames() const override { return false; }

 private:
  Position position_ = 0;
};

}  // namespace engine
