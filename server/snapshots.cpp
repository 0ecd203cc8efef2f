#include "server/snapshots.hpp"

#include "server/amounts.hpp"

#include <algorithm>
#include <utility>

namespace server {
namespace {

constexpr std::int64_t first_wait_us = 1'000'000;
constexpr int doublings_max = 5;

}  // namespace

Snapshots::Snapshots(const ServerSettings& settings, Log& log, Machine& machine,
                     engine::Keyspace& keyspace, engine::FileCommitLog& journal)
    : settings_(settings),
      log_(log),
      keyspace_(keyspace),
      journal_(journal),
      clock_(machine.clock()),
      worker_(machine.new_worker()) {
  snapshot_ = std::make_unique<engine::Snapshot>(keyspace, journal, *worker_, clock_,
                                                 engine::Snapshot::Options());
  snapshot_->set_told([this](const engine::Snapshot::Report& report) { this->ended(report); });
}

Snapshots::~Snapshots() = default;

void Snapshots::request() {
  snapshot_->request();
  changes_at_request_ = keyspace_.counters().changes;
  waits_ = false;
}

std::uint64_t Snapshots::journal_bytes() const {
  return snapshot_->journal_bytes() + (snapshot_->taken() == 0 ? found_.journal_bytes : 0);
}

std::uint64_t Snapshots::snapshot_bytes() const {
  return snapshot_->taken() == 0 ? found_.snapshot_bytes : snapshot_->last_taken_bytes();
}

bool Snapshots::is_due() const {
  if (journal_.has_failed()) return true;
  const std::uint64_t percent = settings_.snapshot_growth_percent;
  if (percent == 0) return false;
  const std::uint64_t bytes = journal_bytes();
  return bytes >= settings_.snapshot_bytes_min && bytes >= snapshot_bytes() / 100 * percent;
}

bool Snapshots::has_work() {
  if (snapshot_->is_busy()) return !waits_;
  if (!is_due() || (failures_ != 0 && clock_.monotonic_us() < not_before_us_)) return false;
  request();
  return true;
}

void Snapshots::run_slice(std::int64_t budget_us) {
  waits_ = !snapshot_->step(budget_us);
}

std::optional<std::int64_t> Snapshots::next_check_us() const {
  if (failures_ == 0 || snapshot_->is_busy() || !is_due()) return std::nullopt;
  return not_before_us_;
}

void Snapshots::ended(const engine::Snapshot::Report& report) {
  const std::string reason = report.text.empty() ? std::string() : ": " + report.text;
  if (report.taken) {
    failures_ = 0;
    changes_at_last_ = changes_at_request_;
    log_.notice("Snapshot taken: " + std::to_string(report.keys) + " keys, " +
                megabytes(report.bytes) + " in " + seconds(report.duration_us) + reason);
  } else {
    not_before_us_ = clock_.monotonic_us() + (first_wait_us << std::min(failures_, doublings_max));
    ++failures_;
    log_.warning("No snapshot could be taken" + reason);
  }
  if (ended_) ended_(report);
}

}  // namespace server
