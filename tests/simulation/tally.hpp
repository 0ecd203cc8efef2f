// What has happened in simulations: shows that they do not pass because nothing happens.
#pragma once

#include <cstdint>
#include <string>

namespace simulation {

struct Tally {
  std::uint64_t calls = 0;
  std::uint64_t batches = 0;
  std::uint64_t starts = 0;
  std::uint64_t refused_starts = 0;
  std::uint64_t interrupted_starts = 0;
  std::uint64_t kills = 0;
  std::uint64_t machine_crashes = 0;
  std::uint64_t lost_batches = 0;  // by crashes, all of them allowed to be lost
  std::uint64_t snapshots = 0;
  std::uint64_t full_turns = 0;    // turns with a full disk
  std::uint64_t failed_turns = 0;  // with a journal that has failed
  std::uint64_t recoveries = 0;    // of the journal, without a restart
  std::uint64_t refusals = 0;      // MISCONF
  std::uint64_t grants = 0;        // of locks
  std::uint64_t expired = 0;       // keys
  std::uint64_t pushes = 0;        // messages, invalidations, lines of MONITOR

  void add(const Tally& other) {
    for (const auto count :
         {&Tally::calls, &Tally::batches, &Tally::starts, &Tally::refused_starts,
          &Tally::interrupted_starts, &Tally::kills, &Tally::machine_crashes, &Tally::lost_batches,
          &Tally::snapshots, &Tally::full_turns, &Tally::failed_turns, &Tally::recoveries,
          &Tally::refusals, &Tally::grants, &Tally::expired, &Tally::pushes}) {
      this->*count += other.*count;
    }
  }
  // For people, on a few lines.
  [[nodiscard]] std::string text() const {
    const auto of = [](std::uint64_t count, const char* what) {
      return std::to_string(count) + " " + what;
    };
    return of(calls, "calls, ") + of(grants, "grants of locks, ") + of(expired, "keys expired, ") +
           of(pushes, "pushes, ") + of(batches, "batches;\n") + of(starts, "starts, ") +
           of(refused_starts, "refused, ") + of(interrupted_starts, "interrupted; ") +
           of(kills, "kills, ") + of(machine_crashes, "crashes of the machine, ") +
           of(lost_batches, "batches lost;\n") + of(snapshots, "snapshots; ") +
           of(full_turns, "turns with a full disk, ") +
           of(failed_turns, "with a failed journal, ") + of(recoveries, "recoveries of it, ") +
           of(refusals, "refusals\n");
  }
};

}  // namespace simulation
