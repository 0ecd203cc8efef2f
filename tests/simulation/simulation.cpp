#include "tests/simulation/simulation.hpp"

#include <iterator>
#include <string>

namespace simulation {
namespace {

constexpr std::int64_t ms = 1'000;
constexpr std::int64_t second = 1'000'000;
constexpr std::int64_t hour = 3'600 * second;

constexpr engine::SyncPolicy policies[] = {engine::SyncPolicy::always, engine::SyncPolicy::always,
                                           engine::SyncPolicy::everysec, engine::SyncPolicy::no};
constexpr std::errc errors[] = {std::errc::io_error, std::errc::no_space_on_device};

}  // namespace

Simulation::Simulation(std::uint64_t seed, Lie lie, Verdict& verdict)
    : verdict_(verdict),
      random_(seed),
      service_(random_, verdict),
      habits_(service_, random_),
      lie_(lie) {
  constexpr int clients = 7;
  for (int i = 0; i < clients; ++i) {
    service_.new_client(i % 3 == 0 ? Resp::three : Resp::two);
  }
}

void Simulation::run() {
  const std::uint64_t lives = 2 + random_.below(4);
  for (std::uint64_t life = 0; life < lives && !verdict_.has_failed(); ++life) {
    bring_up();
    live();
    end_life();
  }
  // What is left is looked at once more.
  if (!verdict_.has_failed()) bring_up();
}

ProcessOptions Simulation::draw_options() {
  ProcessOptions options;
  options.rules.general = random_.one_of(policies);
  if (random_.one_in(3)) {
    for (const char* const beginning : {"lock:", "acct:", "rec:", "queue:", "res:"}) {
      if (random_.one_in(2))
        options.rules.beginnings.emplace_back(beginning, random_.one_of(policies));
    }
  }
  constexpr std::uint64_t segments[] = {600, 3'000, 20'000, 100'000};
  options.segment_bytes = random_.one_of(segments);
  if (random_.one_in(2)) options.reserve_bytes = 4'000;
  if (random_.one_in(2)) {
    options.snapshot_growth_percent = 100;
    options.snapshot_bytes_min = random_.one_in(2) ? 2'000 : 20'000;
  }
  constexpr std::uint64_t blocks[] = {4, 20, 1'000};
  options.token_block = random_.one_of(blocks);
  options.seed = random_.bits();
  options.lie = lie_;
  constexpr std::int64_t syncs_us[] = {100, 2 * ms, 30 * ms, 200 * ms};
  service_.machine.sync_us_max = random_.one_of(syncs_us);
  return options;
}

// As often as it takes; the disk recovers after a few attempts.
void Simulation::bring_up() {
  test::MemoryFileSystem& disk = service_.machine.disk;
  constexpr int ill_attempts_max = 3;
  for (int attempt = 0; !verdict_.has_failed(); ++attempt) {
    disk.heal();
    if (attempt < ill_attempts_max) {
      disk.count_reads(random_.one_in(2));
      if (random_.one_in(8)) disk.fail_at(random_.below(12), random_.one_of(errors));
      if (random_.one_in(16)) disk.fail_from(random_.below(12), random_.one_of(errors));
      if (random_.one_in(6)) disk.end_process_at(random_.below(12));
    }
    const bool is_up = service_.start(draw_options());
    disk.count_reads(false);
    if (is_up) break;
    service_.kill();
    down();
  }
  disk.heal();
  disk.revive();
}

void Simulation::live() {
  disk_is_ill_ = random_.one_in(3);
  const std::uint64_t steps = 10 + random_.below(90);
  const std::uint64_t deadly_step = random_.one_in(2) ? random_.below(steps) : steps;
  for (std::uint64_t i = 0; i < steps; ++i) {
    if (verdict_.has_failed() || service_.is_ending()) return;
    if (i == deadly_step) service_.machine.disk.end_process_at(random_.below(10));
    step();
  }
}

void Simulation::step() {
  constexpr std::int64_t moments_us[] = {0, 50, ms, 5 * ms, 30 * ms, 400 * ms, 3 * second};
  switch (random_.below(20)) {
    case 0:
      return spoil();
    case 1:
      service_.machine.time.wall_step_us += random_.between(-700 * ms, 700 * ms);
      return;
    case 2:
      if (random_.one_in(4)) service_.machine.time.wall_step_us += random_.between(-2, 2) * hour;
      return;
    case 3:
    case 4:
    case 5:
    case 6:
      return service_.pass(random_.between(0, random_.one_of(moments_us)));
    default:
      act();
      return service_.pass(random_.between(0, 300));
  }
}

void Simulation::act() {
  connect_some();
  for (std::uint64_t count = 1 + random_.below(4); count > 0; --count) {
    Client& client = *random_.one_of(service_.clients());
    if (!client.is_connected() || client.waits() || client.monitors) continue;
    // Most wait for their answers, some do not.
    if (client.unanswered() > 0 && !random_.one_in(6)) continue;
    habits_.act(client);
    if (verdict_.has_failed()) return;
  }
  service_.finish();
}

void Simulation::connect_some() {
  for (const auto& client : service_.clients()) {
    if (client->is_connected()) {
      client->read_slowly(random_.one_in(10) ? 1 + random_.below(20) : 0);
      client->flush();
      continue;
    }
    if (random_.one_in(4)) continue;
    service_.connect(*client);
    if (client->version() == Resp::two && random_.one_in(12)) service_.monitor(*client);
  }
}

void Simulation::spoil() {
  if (random_.one_in(3)) {
    Client& client = *random_.one_of(service_.clients());
    if (client.is_connected()) service_.hang_up(client);
  }
  if (!disk_is_ill_) return;
  if (random_.one_in(2)) {
    service_.machine.disk.fail_at(random_.below(6), random_.one_of(errors));
  } else {
    service_.machine.disk.fail_from(random_.below(20), random_.one_of(errors));
  }
}

void Simulation::end_life() {
  if (verdict_.has_failed()) return;
  if (!service_.is_ending() && random_.one_in(3)) service_.convalesce();
  if (verdict_.has_failed()) return;
  if (!service_.is_ending() && random_.one_in(4)) {
    service_.stop();
  } else {
    service_.kill();
  }
  down();
}

// Between two processes.
void Simulation::down() {
  if (random_.one_in(2)) {
    constexpr std::int64_t steps_us[] = {0, 0, -hour, hour, -5 * second};
    service_.crash_machine(random_.between(0, 3 * second), random_.one_of(steps_us));
  } else {
    service_.machine.time.true_us += random_.between(0, second);
  }
}

}  // namespace simulation
