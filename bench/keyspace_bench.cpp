// What the keyspace costs a command: finding, creating and removing locks, and growth of the table.
#include "engine/keyspace.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace {

constexpr std::int64_t start_ms = 1'700'000'000'000;
constexpr std::int64_t lease_ms = 30'000;
constexpr std::string_view owner = "8743c9c0-0795-4907-87fd-6c719a6b4586:17";

std::string lock_name(std::uint64_t number) {
  std::string digits = std::to_string(number);
  return "lock:order:" + std::string(12 - digits.size(), '0') + digits;
}

// A keyspace of `keys` locks, in an open frame.
struct Locks {
  explicit Locks(std::int64_t keys) : keyspace(0, 42) {
    keyspace.begin_frame(start_ms);
    for (std::int64_t key = 0; key < keys; ++key) {
      static_cast<void>(keyspace.database(0).set_string(lock_name(static_cast<std::uint64_t>(key)),
                                                        owner, start_ms + 3'600'000 + key));
    }
    keyspace.end_frame();
    static_cast<void>(keyspace.take_batch());
  }
  engine::Keyspace keyspace;
};

// One name over and over: what a command pays when memory is warm.
void find_hot(benchmark::State& state) {
  Locks locks(state.range(0));
  const std::string key = lock_name(7);
  engine::Database& database = locks.keyspace.database(0);
  locks.keyspace.begin_frame(start_ms);
  for (auto _ : state) benchmark::DoNotOptimize(database.find(key));
  locks.keyspace.end_frame();
}
BENCHMARK(find_hot)->Arg(1000)->Arg(1'000'000);

void find_any(benchmark::State& state) {
  Locks locks(state.range(0));
  std::mt19937_64 random(1);
  std::vector<std::string> keys(1u << 16u);
  for (auto& key : keys) key = lock_name(random() % static_cast<std::uint64_t>(state.range(0)));
  engine::Database& database = locks.keyspace.database(0);
  locks.keyspace.begin_frame(start_ms);
  std::size_t at = 0;
  for (auto _ : state) benchmark::DoNotOptimize(database.find(keys[at++ % keys.size()]));
  locks.keyspace.end_frame();
}
BENCHMARK(find_any)->Arg(1000)->Arg(1'000'000);

// SET key owner NX PX; DEL key.
void string_lock_cycle(benchmark::State& state) {
  Locks locks(state.range(0));
  engine::Database& database = locks.keyspace.database(0);
  const std::string key = "resource:that:is:locked";
  std::int64_t now_ms = start_ms;
  for (auto _ : state) {
    locks.keyspace.begin_frame(now_ms);
    if (database.find(key) == nullptr) {
      benchmark::DoNotOptimize(database.set_string(key, owner, now_ms + lease_ms));
    }
    locks.keyspace.end_frame();
    locks.keyspace.begin_frame(now_ms);
    benchmark::DoNotOptimize(database.remove(key));
    locks.keyspace.end_frame();
    if (++now_ms % 64 == 0) static_cast<void>(locks.keyspace.take_batch());
  }
}
BENCHMARK(string_lock_cycle)->Arg(1000)->Arg(1'000'000);

// What Redisson's acquire and release scripts do.
void redisson_lock_cycle(benchmark::State& state) {
  Locks locks(state.range(0));
  engine::Database& database = locks.keyspace.database(0);
  const std::string key = "resource:that:is:locked";
  std::int64_t now_ms = start_ms;
  for (auto _ : state) {
    locks.keyspace.begin_frame(now_ms);
    benchmark::DoNotOptimize(database.find(key));
    benchmark::DoNotOptimize(database.hash_increment(key, owner, 1));
    benchmark::DoNotOptimize(database.set_deadline(key, now_ms + lease_ms));
    locks.keyspace.end_frame();
    locks.keyspace.begin_frame(now_ms);
    benchmark::DoNotOptimize(database.find(key));
    benchmark::DoNotOptimize(database.hash_increment(key, owner, -1));
    benchmark::DoNotOptimize(database.remove(key));
    locks.keyspace.end_frame();
    if (++now_ms % 64 == 0) static_cast<void>(locks.keyspace.take_batch());
  }
}
BENCHMARK(redisson_lock_cycle)->Arg(1000)->Arg(1'000'000);

// The same with frames recorded for a journal.
void string_lock_cycle_with_frames(benchmark::State& state) {
  Locks locks(1000);
  locks.keyspace.set_frames_wanted(true);
  engine::Database& database = locks.keyspace.database(0);
  const std::string key = "resource:that:is:locked";
  std::int64_t now_ms = start_ms;
  for (auto _ : state) {
    locks.keyspace.begin_frame(now_ms);
    benchmark::DoNotOptimize(database.set_string(key, owner, now_ms + lease_ms));
    locks.keyspace.end_frame();
    locks.keyspace.begin_frame(now_ms);
    benchmark::DoNotOptimize(database.remove(key));
    locks.keyspace.end_frame();
    if (++now_ms % 64 == 0) benchmark::DoNotOptimize(locks.keyspace.take_batch());
  }
}
BENCHMARK(string_lock_cycle_with_frames);

// New keys, the growth of the table included.
void insert(benchmark::State& state) {
  Locks locks(0);
  engine::Database& database = locks.keyspace.database(0);
  std::uint64_t number = 0;
  locks.keyspace.begin_frame(start_ms);
  for (auto _ : state) {
    benchmark::DoNotOptimize(database.set_string(lock_name(number++), owner, start_ms + lease_ms));
  }
  locks.keyspace.end_frame();
}
BENCHMARK(insert)->Iterations(1'000'000);

}  // namespace
