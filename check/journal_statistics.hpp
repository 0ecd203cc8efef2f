// Counts what it is shown.
#pragma once

#include "check/journal_walk.hpp"

#include <array>
#include <cstdint>
#include <limits>
#include <ostream>
#include <string>
#include <unordered_set>

namespace check {

class JournalStatistics final : public JournalVisitor {
 public:
  void file(const std::string& name, const engine::journal::Head& head) override;
  void batch(const engine::journal::BatchRecord& batch, const RecordPlace& place) override;
  void image(std::string_view frames, const RecordPlace& place) override;
  void damage(std::uint64_t /*offset*/, std::string_view /*reason*/) override { ++damages_; }

  void print(std::ostream& out) const;

 private:
  static constexpr std::size_t kinds =
      static_cast<std::size_t>(engine::MutationKind::expect_keys) + 1;
  struct Sum {
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    void add(std::uint64_t its_bytes) {
      ++count;
      bytes += its_bytes;
    }
  };
  struct Sums {
    Sum records;
    std::uint64_t frames = 0;
    std::uint64_t largest = 0;  // record
    std::array<Sum, kinds> by_kind;
  };

  void add(Sums& sums, std::string_view frames, const RecordPlace& place);
  void note_moment(std::int64_t wall_us);
  static void print(std::ostream& out, const Sums& sums, std::string_view record);

  std::uint64_t segments_ = 0;
  std::uint64_t snapshots_ = 0;
  std::uint64_t damages_ = 0;
  Sums batches_;
  Sums images_;
  std::int64_t first_wall_us_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t last_wall_us_ = std::numeric_limits<std::int64_t>::min();
  std::unordered_set<std::size_t> keys_;  // hashes of names
};

}  // namespace check
