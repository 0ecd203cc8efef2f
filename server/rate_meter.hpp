// How many commands and bytes per second, of late. Samples are taken while the server works, at
// most ten a second; an idle one has its last sample to compare with.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace server {

class RateMeter {
 public:
  enum Count : std::uint8_t { commands, input_bytes, output_bytes };
  using Counts = std::array<std::uint64_t, 3>;

  [[nodiscard]] bool wants_sample(std::int64_t now_us) const { return now_us >= next_us_; }
  void sample(std::int64_t now_us, const Counts& counts);
  // Per second since a sample about 1.6 s old, or since the latest if that is older.
  [[nodiscard]] Counts per_second(std::int64_t now_us, const Counts& counts) const;
  // The counts begin anew.
  void reset();

 private:
  static constexpr std::size_t samples_kept = 16;
  static constexpr std::int64_t interval_us = 100'000;
  struct Sample {
    std::int64_t at_us = 0;
    Counts counts{};
  };

  std::array<Sample, samples_kept> samples_{};
  std::size_t taken_ = 0;
  std::int64_t next_us_ = 0;
};

}  // namespace server
