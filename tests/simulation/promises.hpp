// What the server has promised by what it let out: how much of the model's past must be there after
// a crash. Positions are those of the model's marks.
//
// A crash of the process loses nothing that any client has seen. A crash of the machine may lose
// what is behind the newest batch that asked for `always` and was seen, or that asked for
// `everysec` and is older than a second.
#pragma once

#include "tests/simulation/model.hpp"

#include <cstdint>
#include <string>

namespace simulation {

// Whether the disk did what it was told, as quickly as a second allows: else `everysec` promises
// nothing.
enum class DiskWas : std::uint8_t { healthy, ill };

class Promises {
 public:
  // Something left that was said at `position`, or shows a state of then.
  void saw(engine::Position position) { seen_ = std::max(seen_, position); }
  // The process has ended, by itself or not.
  void process_ended(const Model& model, std::int64_t true_us, DiskWas disk);
  // It has ended in order: everything was synced.
  void ended_in_order(engine::Position position);
  void machine_crashed() { only_synced_ = true; }

  [[nodiscard]] engine::Position seen() const { return seen_; }

  // What a start must find at least.
  [[nodiscard]] engine::Position least() const { return only_synced_ ? synced_ : seen_; }
  // A start has found all up to `position`, and says that it is durable.
  void recovered(engine::Position position);

 private:
  engine::Position seen_ = 0;
  engine::Position synced_ = 0;  // must survive everything
  bool only_synced_ = false;     // the machine has crashed since the process ended
};

}  // namespace simulation
