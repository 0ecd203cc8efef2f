#include "tests/transcripts/runner/in_process_backend.hpp"

#include <algorithm>
#include <utility>

namespace transcripts {
namespace {

constexpr std::uint64_t hash_seed = 42;

}  // namespace

void InProcessBackend::Connection::flush() {
  if (session != nullptr) received += session->take_output();
}

BackendResult InProcessBackend::connect(char client) {
  Connection& connection = world_->connections[client];
  connection.session = &world_->core->open_session(&connection);
  auto& figures = connection.session->client().figures;
  figures.address = "127.0.0.1:" + std::to_string(40000 + connection.session->client().id());
  figures.local_address = "127.0.0.1:6379";
  return {};
}

BackendResult InProcessBackend::send(char client, std::string_view bytes) {
  Connection& connection = world_->connections.at(client);
  if (connection.session != nullptr) connection.session->feed(bytes);
  run_turns();
  return {};
}

std::expected<Received, std::string> InProcessBackend::receive(
    char client, std::chrono::milliseconds /*limit*/) {
  Connection& connection = world_->connections.at(client);
  return Received{.bytes = std::exchange(connection.received, {}),
                  .closed = connection.session == nullptr};
}

void InProcessBackend::disconnect(char client) {
  Connection& connection = world_->connections.at(client);
  if (connection.session != nullptr) connection.session->hang_up();
  run_turns();
  world_->connections.erase(client);
}

void InProcessBackend::advance(std::int64_t ms) {
  const std::int64_t end_us = world_->clock.monotonic_us() + ms * 1000;
  while (world_->clock.monotonic_us() < end_us) {
    const std::int64_t step_us = next_instant_us(end_us) - world_->clock.monotonic_us();
    world_->clock.advance_ms(std::max<std::int64_t>(step_us / 1000, 1));
    while (world_->core->expire_slice()) {
    }
    world_->core->check_time();
    run_turns();
  }
}

BackendResult InProcessBackend::reset() {
  restart();
  return {};
}

void InProcessBackend::restart() {
  world_.reset();
  world_ = std::make_unique<World>();
  world_->log.silence();
  // What the runner gives a server process on its command line.
  for (const auto& [name, value] : {std::pair("save", ""), std::pair("appendonly", "no"),
                                    std::pair("enable-debug-command", "yes")}) {
    static_cast<void>(world_->config.assign(name, value));
  }
  world_->core = std::make_unique<server::Core>(world_->config, world_->log, world_->clock,
                                                world_->commit_log, hash_seed);
}

void InProcessBackend::run_turns() {
  while (world_->core->run_turn()) {
  }
}

std::int64_t InProcessBackend::next_instant_us(std::int64_t limit_us) const {
  std::int64_t next_us = limit_us;
  if (const auto check_us = world_->core->next_check_us()) next_us = std::min(next_us, *check_us);
  if (const auto deadline_ms = world_->core->keyspace().next_deadline_ms()) {
    // A ManualClock's monotonic and lease time are one.
    next_us = std::min(next_us, *deadline_ms * 1000);
  }
  return next_us;
}

}  // namespace transcripts
