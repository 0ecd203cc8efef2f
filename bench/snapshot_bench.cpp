// What a snapshot costs the loop for each key, and how fast a start brings the keys back from it.
#include "engine/image_writer.hpp"
#include "engine/journal_recovery.hpp"
#include "engine/keyspace.hpp"
#include "engine/keyspace_walk.hpp"
#include "engine/posix_file_system.hpp"
#include "engine/snapshot_file.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <unistd.h>

namespace {

constexpr std::int64_t start_ms = 1'700'000'000'000;
constexpr std::string_view owner = "8743c9c0-0795-4907-87fd-6c719a6b4586:17";
constexpr std::size_t image_bytes = std::size_t{64} << 10U;
constexpr std::size_t piece_bytes = std::size_t{512} << 10U;

enum LockKind : std::int64_t { strings, hashes };

std::string lock_name(std::int64_t number) {
  std::string digits = std::to_string(number);
  return "lock:order:" + std::string(12 - digits.size(), '0') + digits;
}

void fill(engine::Keyspace& keyspace, std::int64_t keys, std::int64_t kind) {
  const engine::FieldValue fields[] = {{owner, "1"}};
  engine::Database& database = keyspace.database(0);
  keyspace.begin_frame(start_ms);
  for (std::int64_t key = 0; key < keys; ++key) {
    const std::string name = lock_name(key);
    const std::int64_t deadline_ms = start_ms + 30'000 + key % 30'000;
    if (kind == strings) {
      static_cast<void>(database.set_string(name, owner, deadline_ms));
    } else {
      static_cast<void>(database.hash_set(name, fields));
      static_cast<void>(database.set_deadline(name, deadline_ms));
    }
  }
  keyspace.end_frame();
  static_cast<void>(keyspace.take_batch());
}

// Walks everything; each piece goes to `take`.
template <typename Take>
void image(engine::Keyspace& keyspace, engine::ImageWriter& images, Take take) {
  images.begin({engine::journal::FileKind::snapshot, 1, {start_ms, 0, 0, "bench"}});
  keyspace.begin_walk(images);
  constexpr std::size_t buckets_per_step = 32;
  while (keyspace.walk().step(buckets_per_step)) {
    if (images.records().size() < piece_bytes) continue;
    take(images.records());
    images.records().clear();
  }
  images.end();
  take(images.records());
}

void walk(benchmark::State& state) {
  engine::Keyspace keyspace(0, 42);
  fill(keyspace, state.range(0), state.range(1));
  engine::ImageWriter images(image_bytes);
  for (auto _ : state) {
    image(keyspace, images,
          [](const std::string& piece) { benchmark::DoNotOptimize(piece.data()); });
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(walk)->ArgsProduct({{1'000'000}, {strings, hashes}})->Unit(benchmark::kMillisecond);

class Loaded final : public engine::CommittedState {
 public:
  explicit Loaded(engine::Keyspace& keyspace) : keyspace_(keyspace) {}
  bool apply(engine::Position, std::string_view frames) override {
    return keyspace_.replay(frames);
  }

 private:
  engine::Keyspace& keyspace_;
};

void recovery(benchmark::State& state) {
  const auto directory = std::filesystem::temp_directory_path() /
                         ("mortise-snapshot-bench-" + std::to_string(::getpid()));
  {
    auto files = engine::PosixFileSystem::open_directory(directory.string());
    if (!files) return state.SkipWithError("no directory");
    engine::Keyspace keyspace(0, 42);
    fill(keyspace, state.range(0), state.range(1));
    engine::ImageWriter images(image_bytes);
    engine::SnapshotFile file(**files, 1, ~std::uint64_t{0});
    image(keyspace, images, [&](const std::string& piece) {
      if (!file.write(piece)) state.SkipWithError("the disk failed");
    });
    if (!file.publish()) state.SkipWithError("the disk failed");
    std::uint64_t seed = 1;
    for (auto _ : state) {
      auto fresh = std::make_unique<engine::Keyspace>(0, ++seed);
      Loaded loaded(*fresh);
      const auto recovered = engine::journal::Recovery(**files, loaded).run();
      if (!recovered) state.SkipWithError("recovery failed");
      state.PauseTiming();
      fresh.reset();
      state.ResumeTiming();
    }
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
  std::filesystem::remove_all(directory);
}
BENCHMARK(recovery)
    ->ArgsProduct({{1'000'000, 5'000'000}, {strings, hashes}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
