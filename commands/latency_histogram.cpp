#include "commands/latency_histogram.hpp"

#include <cmath>

namespace commands {

std::uint64_t LatencyHistogram::last_ns_of(std::size_t slot) {
  if (slot < slots_per_doubling) return slot;
  const auto shift = static_cast<unsigned>(slot >> slot_bits) - 1;
  const std::uint64_t first = (slot - (std::size_t{shift} << slot_bits)) << shift;
  return first + (std::uint64_t{1} << shift) - 1;
}

std::uint64_t LatencyHistogram::ns_at_percentile(double percentile) const {
  if (total_ == 0) return 0;
  const double wanted = std::clamp(percentile, 0.0, 100.0) / 100 * static_cast<double>(total_);
  const auto rank = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ceil(wanted)));
  std::uint64_t seen = 0;
  for (std::size_t slot = 0; slot < counts_.size(); ++slot) {
    seen += counts_[slot];
    if (seen >= rank) return last_ns_of(slot);
  }
  return ns_max;
}

void LatencyHistogram::for_each_doubling(
    base::FunctionRef<void(std::uint64_t ns, std::uint64_t calls_below)> visit) const {
  std::uint64_t bound = 1024;
  std::uint64_t below = 0;
  std::size_t slot = 0;
  while (below < total_) {
    for (; slot < counts_.size() && last_ns_of(slot) < bound; ++slot) below += counts_[slot];
    visit(bound, below);
    bound *= 2;
  }
}

}  // namespace commands
