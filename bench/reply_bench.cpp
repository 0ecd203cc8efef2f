// Reply verbs → bytes.
#include "protocol/resp_writer.hpp"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

namespace {

template <typename Speak>
void write_replies(benchmark::State& state, Speak speak) {
  std::string out;
  protocol::RespWriter writer(out);
  for (auto _ : state) {
    out.clear();
    speak(writer);
    benchmark::DoNotOptimize(out.data());
  }
}

void ok(benchmark::State& state) {
  write_replies(state, [](protocol::ReplySink& reply) { reply.simple("OK"); });
}
BENCHMARK(ok);

void small_integer(benchmark::State& state) {
  write_replies(state, [](protocol::ReplySink& reply) { reply.integer(1); });
}
BENCHMARK(small_integer);

void lease_in_milliseconds(benchmark::State& state) {
  write_replies(state, [](protocol::ReplySink& reply) { reply.integer(29'987); });
}
BENCHMARK(lease_in_milliseconds);

void owner(benchmark::State& state) {
  write_replies(state,
                [](protocol::ReplySink& reply) { reply.bulk("0123456789abcdef0123456789abcdef"); });
}
BENCHMARK(owner);

void hash_of_ten_fields(benchmark::State& state) {
  write_replies(state, [](protocol::ReplySink& reply) {
    reply.map(10);
    for (int i = 0; i < 20; ++i) reply.bulk("field");
  });
}
BENCHMARK(hash_of_ten_fields);

}  // namespace
