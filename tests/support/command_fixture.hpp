// A whole server without sockets: engine, dispatcher and one client on a clock that moves when told
// to. Commands go in as words, replies come out as RESP with spaces for line ends: "+OK", ":1", "*2
// $1 a $1 b".
#pragma once

#include "base/clock.hpp"
#include "commands/client_state.hpp"
#include "commands/dispatcher.hpp"
#include "commands/notifications.hpp"
#include "commands/settings.hpp"
#include "engine/channel_registry.hpp"
#include "engine/keyspace.hpp"
#include "tests/support/absent_server.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace tests {

// Remembers keyspace events: "set k"; outside of database 0 "set@3 k".
class EventRecorder final : public engine::Subscriber {
 public:
  void deliver(engine::ChannelKind kind, std::string_view pattern, std::string_view channel,
               std::string_view message) override;
  [[nodiscard]] std::vector<std::string> take();

 private:
  std::vector<std::string> events_;
};

class CommandFixture : public ::testing::Test {
 protected:
  CommandFixture();

  std::string run(std::initializer_list<std::string_view> args);
  // Words separated by single spaces.
  std::string run(std::string_view line);
  // Keys that are due by then are removed, as the server's timer would do.
  void advance_ms(std::int64_t ms);
  // Begins to record the events of these classes ("KEA").
  void listen(std::string_view classes);
  // Events since the last call.
  std::vector<std::string> events() { return recorder_.take(); }

  base::ManualClock clock;
  commands::Settings settings;
  engine::Keyspace keyspace{1'000'000, 42};
  engine::ChannelRegistry channels;
  commands::Notifier notifier{settings, channels};

 private:
  std::string answer_to(const std::vector<std::string_view>& args);

  EventRecorder recorder_;

 protected:
  AbsentServer server;
  commands::Dispatcher dispatcher;
  commands::ClientState client{1, recorder_};
};

}  // namespace tests
