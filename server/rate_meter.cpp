#include "server/rate_meter.hpp"

#include <algorithm>

namespace server {

void RateMeter::sample(std::int64_t now_us, const Counts& counts) {
  samples_.at(taken_++ % samples_kept) = {now_us, counts};
  next_us_ = now_us + interval_us;
}

RateMeter::Counts RateMeter::per_second(std::int64_t now_us, const Counts& counts) const {
  constexpr std::int64_t window_us = static_cast<std::int64_t>(samples_kept) * interval_us;
  Counts rates{};
  if (taken_ == 0) return rates;
  const Sample* since = &samples_.at((taken_ - 1) % samples_kept);
  const std::size_t kept = std::min(taken_, samples_kept);
  for (std::size_t back = 1; back < kept; ++back) {
    const Sample& older = samples_.at((taken_ - 1 - back) % samples_kept);
    if (now_us - older.at_us <= window_us) since = &older;
  }
  const std::int64_t passed_us = now_us - since->at_us;
  if (passed_us < interval_us) return rates;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const double more = static_cast<double>(counts.at(i) - since->counts.at(i));
    rates.at(i) = static_cast<std::uint64_t>(more * 1e6 / static_cast<double>(passed_us));
  }
  return rates;
}

void RateMeter::reset() {
  taken_ = 0;
  next_us_ = 0;
}

}  // namespace server
