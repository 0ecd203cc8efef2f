// A whole server without sockets, fed as one client would feed it: inline and multibulk requests of
// any kind, in two pieces. Nothing crashes, nothing hangs, every structure of the store stays
// valid, and whoever comes after finds the server answering.
#include "base/assert.hpp"
#include "base/clock.hpp"
#include "engine/commit_log.hpp"
#include "server/config.hpp"
#include "server/core.hpp"
#include "server/log.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace {

constexpr int turns_max = 64;

void run_turns(server::Core& core) {
  for (int turn = 0; turn < turns_max && core.run_turn(); ++turn) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  server::Config config;
  // Small limits: a fuzzer's machine is not the subject.
  ASSERT(config.assign("proto-max-bulk-len", "1mb"));
  ASSERT(config.assign("script-memory-limit", "16mb"));
  ASSERT(config.assign("busy-reply-threshold", "20"));
  server::Log log;
  log.silence();
  base::ManualClock clock;
  engine::NoneCommitLog commit_log;
  server::Core core(config, log, clock, commit_log, 42);
  core.set_serve_others([&core] { core.dispatcher().scripts().kill(); });

  server::Session& session = core.open_session();
  const std::int64_t id = session.client().id();
  const std::size_t cut = size / 2;
  session.feed(input.substr(0, cut));
  run_turns(core);
  clock.advance_ms(7);
  if (core.clients().find(id) != nullptr) session.feed(input.substr(cut));
  run_turns(core);
  core.keyspace().validate();

  server::Session& other = core.open_session();
  other.feed("PING\r\n");
  run_turns(core);
  ASSERT(core.is_stopping() || !other.take_output().empty());
  return 0;
}
