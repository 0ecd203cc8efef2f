#include "tests/simulation/promises.hpp"

#include <algorithm>

namespace simulation {
namespace {

constexpr std::int64_t second_us = 1'000'000;

}  // namespace

void Promises::process_ended(const Model& model, std::int64_t true_us, DiskWas disk) {
  for (const Mark& mark : model.marks()) {
    const bool was_seen = mark.position <= seen_;
    const bool is_old = mark.moment.true_us <= true_us - second_us;
    const bool is_due =
        (mark.policy == engine::SyncPolicy::always && was_seen) ||
        (mark.policy == engine::SyncPolicy::everysec && is_old && disk == DiskWas::healthy);
    if (is_due) synced_ = std::max(synced_, mark.position);
  }
  seen_ = std::max(seen_, synced_);
}

void Promises::ended_in_order(engine::Position position) {
  synced_ = std::max(synced_, position);
  seen_ = std::max(seen_, synced_);
}

void Promises::recovered(engine::Position position) {
  seen_ = synced_ = position;
  only_synced_ = false;
}

}  // namespace simulation
