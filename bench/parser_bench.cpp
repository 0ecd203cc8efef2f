// Bytes → requests, for the requests of lock clients.
#include "protocol/request_parser.hpp"

#include <benchmark/benchmark.h>

#include <string>

namespace {

const std::string set_request =
    "*6\r\n$3\r\nSET\r\n$10\r\nlock:00042\r\n$16\r\n0123456789abcdef\r\n$2\r\nNX\r\n$2\r\nPX\r\n"
    "$5\r\n30000\r\n";

void one_request(benchmark::State& state) {
  protocol::RequestParser parser;
  for (auto _ : state) {
    benchmark::DoNotOptimize(parser.next(set_request));
    benchmark::DoNotOptimize(parser.args().data());
  }
}
BENCHMARK(one_request);

void pipeline_of_32(benchmark::State& state) {
  std::string bytes;
  for (int i = 0; i < 32; ++i) bytes += set_request;
  protocol::RequestParser parser;
  for (auto _ : state) {
    std::string_view rest = bytes;
    while (!rest.empty()) {
      benchmark::DoNotOptimize(parser.next(rest));
      rest.remove_prefix(parser.consumed());
    }
  }
  state.SetItemsProcessed(state.iterations() * 32);
}
BENCHMARK(pipeline_of_32);

void big_argument_in_pieces(benchmark::State& state) {
  constexpr std::size_t piece = std::size_t{64} << 10u;
  const std::string bytes =
      "*2\r\n$4\r\nECHO\r\n$16000000\r\n" + std::string(16'000'000, 'x') + "\r\n";
  for (auto _ : state) {
    protocol::RequestParser parser;
    for (std::size_t end = piece; end < bytes.size(); end += piece) {
      benchmark::DoNotOptimize(parser.next(std::string_view(bytes).substr(0, end)));
    }
    benchmark::DoNotOptimize(parser.next(bytes));
  }
}
BENCHMARK(big_argument_in_pieces);

void inline_request(benchmark::State& state) {
  protocol::RequestParser parser;
  for (auto _ : state) {
    benchmark::DoNotOptimize(parser.next("SET lock:42 owner NX PX 30000\r\n"));
  }
}
BENCHMARK(inline_request);

}  // namespace
