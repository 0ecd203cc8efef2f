// What a request costs below the socket: parse, find, gates, frame, handler or script, reply bytes,
// end of the turn. A lock's whole cycle per iteration.
#include "base/clock.hpp"
#include "engine/commit_log.hpp"
#include "server/config.hpp"
#include "server/core.hpp"
#include "server/log.hpp"

#include <benchmark/benchmark.h>

#include <initializer_list>
#include <string>
#include <string_view>

namespace {

std::string encode(std::initializer_list<std::string_view> arguments) {
  std::string bytes = "*" + std::to_string(arguments.size()) + "\r\n";
  for (const std::string_view argument : arguments) {
    bytes += "$" + std::to_string(argument.size()) + "\r\n";
    bytes.append(argument).append("\r\n");
  }
  return bytes;
}

// A server without sockets and one client of it.
class Bench {
 public:
  Bench() { log_.silence(); }

  std::string ask(std::string_view bytes) {
    session_.feed(bytes);
    core_.end_turn();
    return session_.take_output();
  }
  // Loads a script and gives its SHA1.
  std::string load(std::string_view script) {
    const std::string reply = ask(encode({"SCRIPT", "LOAD", script}));
    return reply.substr(reply.find('\n') + 1, 40);
  }

 private:
  server::Config config_;
  server::Log log_;
  base::SystemClock clock_;
  engine::NoneCommitLog commit_log_;
  server::Core core_{config_, log_, clock_, commit_log_, 42};
  server::Session& session_ = core_.open_session();
};

void cycle(benchmark::State& state, Bench& bench, const std::string& bytes) {
  for (auto _ : state) benchmark::DoNotOptimize(bench.ask(bytes));
}

void ping(benchmark::State& state) {
  Bench bench;
  cycle(state, bench, encode({"PING"}));
}
BENCHMARK(ping);

void set_nx_px_then_del(benchmark::State& state) {
  Bench bench;
  cycle(state, bench,
        encode({"SET", "lock:order:1", "owner-a", "NX", "PX", "30000"}) +
            encode({"DEL", "lock:order:1"}));
}
BENCHMARK(set_nx_px_then_del);

void hash_lock_acquire_then_release_scripts(benchmark::State& state) {
  Bench bench;
  const std::string acquire = bench.load(
      "if redis.call('exists', KEYS[1]) == 0 or redis.call('hexists', KEYS[1], ARGV[2]) == 1 then "
      "redis.call('hincrby', KEYS[1], ARGV[2], 1) redis.call('pexpire', KEYS[1], ARGV[1]) "
      "return nil end return redis.call('pttl', KEYS[1])");
  const std::string release = bench.load(
      "if redis.call('hexists', KEYS[1], ARGV[1]) == 0 then return nil end "
      "if redis.call('hincrby', KEYS[1], ARGV[1], -1) > 0 then return 0 end "
      "redis.call('del', KEYS[1]) redis.call('publish', KEYS[2], 0) return 1");
  cycle(state, bench,
        encode({"EVALSHA", acquire, "1", "lock:order:1", "30000", "owner-a:1"}) +
            encode({"EVALSHA", release, "2", "lock:order:1", "channel", "owner-a:1"}));
}
BENCHMARK(hash_lock_acquire_then_release_scripts);

void script_of_one_call(benchmark::State& state) {
  Bench bench;
  cycle(state, bench,
        encode({"EVALSHA", bench.load("return redis.call('exists', KEYS[1])"), "1", "lock"}));
}
BENCHMARK(script_of_one_call);

void compile_a_script(benchmark::State& state) {
  Bench bench;
  int number = 0;
  for (auto _ : state) {
    const std::string script =
        "local n = " + std::to_string(number++) +
        " if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) else "
        "return n end";
    benchmark::DoNotOptimize(bench.ask(encode({"SCRIPT", "LOAD", script})));
    if (number % 1000 == 0) bench.ask(encode({"SCRIPT", "FLUSH"}));
  }
}
BENCHMARK(compile_a_script);

}  // namespace
