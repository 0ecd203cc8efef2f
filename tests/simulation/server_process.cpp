#include "tests/simulation/server_process.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <utility>

namespace simulation {
namespace {

std::string name_of(engine::SyncPolicy policy) {
  switch (policy) {
    case engine::SyncPolicy::no:
      return "no";
    case engine::SyncPolicy::everysec:
      return "everysec";
    case engine::SyncPolicy::always:
      break;
  }
  return "always";
}

void configure(server::Config& config, const Rules& rules) {
  std::string durability;
  for (const auto& [beginning, policy] : rules.beginnings) {
    if (!durability.empty()) durability += ' ';
    durability += beginning + "* " + name_of(policy);
  }
  ASSERT(config.assign("appendonly", "yes"));
  ASSERT(config.assign("appendfsync", name_of(rules.general)));
  ASSERT(config.assign("durability", durability));
}

}  // namespace

// Slices of background work are as short as can be, or go on to the end.
class ServerProcess::Slices final : public server::Background {
 public:
  Slices(server::Background& work, Random& random) : work_(work), random_(random) {}

  [[nodiscard]] bool has_work() override { return work_.has_work(); }
  void run_slice(std::int64_t /*budget_us*/) override {
    constexpr std::int64_t long_us = 3'600'000'000;
    work_.run_slice(random_.one_in(2) ? 0 : long_us);
  }
  [[nodiscard]] std::optional<std::int64_t> next_check_us() const override {
    return work_.next_check_us();
  }

 private:
  server::Background& work_;
  Random& random_;
};

ServerProcess::ServerProcess(SimulatedMachine& machine, Random& random,
                             const ProcessOptions& options, std::function<void()> turn_ended)
    : machine_(machine), turn_ended_(std::move(turn_ended)) {
  configure(config_, options.rules);
  settings_ = config_.server();
  settings_.journal_segment_bytes_max = options.segment_bytes;
  settings_.journal_reserve_bytes = options.reserve_bytes;
  settings_.snapshot_growth_percent = options.snapshot_growth_percent;
  settings_.snapshot_bytes_min = options.snapshot_bytes_min;
  log_.silence();
  machine.begin_process();
  machine.disk.lie_about_syncs(options.lie == Lie::unsynced);
  journal_ = std::make_unique<server::Journal>(settings_, log_, machine);
  watched_ = std::make_unique<WatchedLog>(journal_->commit_log(), options.lie);
  core_ = std::make_unique<server::Core>(config_, log_, machine.clock(), *watched_, options.seed);
  journal_->set_progress(core_.get());
  core_->set_journal(*journal_);
  core_->keyspace().set_token_block(options.token_block);
  slices_ = std::make_unique<Slices>(*journal_, random);
  core_->set_background(*slices_);
}

ServerProcess::~ServerProcess() {
  machine_.disk.end_process();
  machine_.hurries = true;
  journal_->close();
}

std::expected<void, server::StartError> ServerProcess::start() {
  core_->begin_loading();
  auto loaded = journal_->open(core_->keyspace(), [] { return true; });
  core_->end_loading();
  return loaded;
}

void ServerProcess::end_turn() {
  core_->end_turn();
  turn_ended_();
}

void ServerProcess::finish() {
  end_turn();
  constexpr int rounds_max = 1000;
  for (int round = 0; round < rounds_max && core_->has_work(); ++round) {
    core_->run_ready();
    while (core_->expire_slice()) {
    }
    end_turn();
  }
}

void ServerProcess::run_due() {
  machine_.run_workers();
  if (machine_.has_work_done()) {
    journal_->on_wake();
    finish();
  }
  const std::int64_t now_us = machine_.clock().monotonic_us();
  const auto check_us = core_->next_check_us();
  if (check_us && *check_us <= now_us) {
    core_->check_time();
    finish();
  }
  const auto deadline_ms = core_->keyspace().next_deadline_ms();
  if (deadline_ms && *deadline_ms <= machine_.clock().lease_ms()) {
    while (core_->expire_slice()) {
    }
    finish();
  }
}

std::optional<std::int64_t> ServerProcess::next_due_us() {
  std::optional<std::int64_t> next = machine_.next_work_us();
  const auto earlier = [&](std::optional<std::int64_t> at_us) {
    if (at_us) next = std::min(next.value_or(*at_us), *at_us);
  };
  earlier(core_->next_check_us());
  if (const auto deadline_ms = core_->keyspace().next_deadline_ms()) {
    earlier(machine_.clock().boottime_us_at(*deadline_ms));
  }
  return next;
}

void ServerProcess::stop() {
  end_turn();
  machine_.hurries = true;
  journal_->close();
  core_->committed(journal_->commit_log().committed_position());
}

}  // namespace simulation
