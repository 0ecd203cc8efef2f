// A whole server without sockets under a clock that moves only when told to.
#pragma once

#include "base/clock.hpp"
#include "engine/commit_log.hpp"
#include "server/config.hpp"
#include "server/core.hpp"
#include "server/log.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace server {

class ServerInProcess : public testing::Test {
 protected:
  ServerInProcess() { log.silence(); }

  Session& connect() { return core.open_session(); }
  // What the client is answered to `bytes` within one turn.
  std::string say(Session& session, std::string_view bytes) {
    session.feed(bytes);
    return hear(session);
  }
  std::string hear(Session& session) {
    const std::int64_t id = session.client().id();
    core.end_turn();
    return core.clients().find(id) == nullptr ? "gone" : session.take_output();
  }
  void advance_ms(std::int64_t ms) {
    clock.advance_ms(ms);
    while (core.run_turn()) {
    }
  }
  bool is_connected(std::int64_t id) {
    core.end_turn();
    return core.clients().find(id) != nullptr;
  }

  base::ManualClock clock;
  Config config;
  Log log;
  engine::NoneCommitLog commit_log;
  Core core{config, log, clock, commit_log, 1};
};

}  // namespace server
