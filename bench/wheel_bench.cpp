// The expiry wheel: links and unlinks of keys that never fire, and keys that all fire at once.
#include "engine/expiry_wheel.hpp"
#include "engine/keyspace.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace {

constexpr std::int64_t start_ms = 1'700'000'000'000;

// A lock that is taken and given back long before its time.
void link_and_unlink(benchmark::State& state) {
  engine::ExpiryWheel wheel(start_ms);
  engine::ExpiryNode node;
  std::int64_t now_ms = start_ms;
  for (auto _ : state) {
    wheel.link(node, ++now_ms + 30'000);
    wheel.unlink(node);
  }
}
BENCHMARK(link_and_unlink);

// A watchdog that renews one of many leases.
void relink_among(benchmark::State& state) {
  engine::ExpiryWheel wheel(start_ms);
  std::vector<engine::ExpiryNode> nodes(static_cast<std::size_t>(state.range(0)));
  std::int64_t deadline_ms = start_ms + 30'000;
  for (auto& node : nodes) wheel.link(node, ++deadline_ms);
  std::size_t at = 0;
  for (auto _ : state) {
    engine::ExpiryNode& node = nodes[at++ % nodes.size()];
    wheel.unlink(node);
    wheel.link(node, ++deadline_ms);
  }
  for (auto& node : nodes) wheel.unlink(node);
}
BENCHMARK(relink_among)->Arg(1000)->Arg(1'000'000);

// One tick of an idle wheel, and what arming the timer asks.
void advance_and_next(benchmark::State& state) {
  engine::ExpiryWheel wheel(start_ms);
  std::vector<engine::ExpiryNode> nodes(1000);
  std::int64_t deadline_ms = start_ms + (std::int64_t{1} << 38U);
  for (auto& node : nodes) wheel.link(node, deadline_ms += 977);
  std::int64_t now_ms = start_ms;
  for (auto _ : state) {
    wheel.advance(++now_ms);
    benchmark::DoNotOptimize(wheel.next_deadline_ms());
  }
  for (auto& node : nodes) wheel.unlink(node);
}
BENCHMARK(advance_and_next);

// Keys that all end in one millisecond, removed in slices as the server does it.
void expire_burst(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    auto keyspace = std::make_unique<engine::Keyspace>(0, 42);
    keyspace->begin_frame(start_ms);
    for (std::int64_t key = 0; key < state.range(0); ++key) {
      static_cast<void>(
          keyspace->database(0).set_string(std::to_string(key), "owner", start_ms + 30'000));
    }
    keyspace->end_frame();
    state.ResumeTiming();
    while (keyspace->expire_due(start_ms + 30'000, 500)) {
    }
    state.PauseTiming();
    keyspace.reset();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(expire_burst)->Arg(100'000)->Unit(benchmark::kMillisecond);

}  // namespace
