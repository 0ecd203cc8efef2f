// A whole server without sockets for several clients: they see each other in CLIENT LIST, send each
// other messages, block, pause and close one another. Replies read like CommandFixture's: RESP with
// spaces for line ends ("+OK", "*2 $1 a $1 b"); messages of channels come in order with them.
#pragma once

#include "base/clock.hpp"
#include "commands/client_state.hpp"
#include "commands/dispatcher.hpp"
#include "commands/notifications.hpp"
#include "commands/server_control.hpp"
#include "commands/settings.hpp"
#include "engine/channel_registry.hpp"
#include "engine/keyspace.hpp"
#include "protocol/resp_writer.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tests {

// One client: what it is sent is kept until it is read.
class Peer final : public engine::Subscriber, public commands::PushTarget {
 public:
  Peer(commands::Dispatcher& dispatcher, std::int64_t id);
  ~Peer() override;

  // Executes one request and reads everything that has come by then.
  std::string run(std::initializer_list<std::string_view> args);
  // Words separated by single spaces.
  std::string run(std::string_view line);
  // What has come since the last reading; empty: nothing.
  std::string read();
  void deliver(engine::ChannelKind kind, std::string_view pattern, std::string_view channel,
               std::string_view message) override;

  void push(base::FunctionRef<void(protocol::ReplySink&)> write) override;

  commands::ClientState state;
  bool is_closed = false;

 private:
  friend class Peers;
  std::string run(const std::vector<std::string_view>& args);

  commands::Dispatcher& dispatcher_;
  std::string received_;
};

// The connections of the fixture, and a process that notes what it is asked.
class Peers final : public commands::ConfigControl,
                    public commands::ClientRegistry,
                    public commands::ProcessControl,
                    public commands::EventLog,
                    public commands::AclFile {
 public:
  Peers(const base::Clock& clock, commands::Settings& settings)
      : clock_(clock), settings_(settings) {}
  Peer& open(commands::Dispatcher& dispatcher);
  // Before the dispatcher goes: each peer takes its leave of it.
  void close_all() { peers_.clear(); }
  // Ends the calls whose time has come.
  void end_overdue_calls();

  std::vector<commands::SettingValue> get(std::span<const std::string_view> globs) override;
  std::expected<void, std::string> set(std::span<const std::string_view> pairs) override;
  std::expected<void, std::string> rewrite() override { return {}; }

  void for_each(base::FunctionRef<void(commands::ClientState&)> visit) override;
  commands::ClientState* find(std::int64_t id) override;
  void close(commands::ClientState& client) override;
  void unblock(commands::ClientState& client, commands::UnblockReason reason) override;
  void answer_blocked_call(commands::ClientState& client, Answer answer) override;
  void pause(commands::PauseMode mode, std::int64_t until_us) override;

  commands::ProcessFigures figures() override;
  void reset_figures() override { ++resets; }
  void shutdown(commands::ShutdownMode mode) override { shutdowns.push_back(mode); }
  void serve_others() override {}
  void event(commands::LogLevel /*level*/, std::string_view text) override {
    logged.emplace_back(text);
  }

  [[nodiscard]] std::string path() const override { return acl_path; }
  [[nodiscard]] std::expected<std::string, std::string> read() override { return acl_content; }
  [[nodiscard]] std::expected<void, std::string> write(std::string_view content) override {
    if (acl_error.empty()) {
      acl_content = content;
      return {};
    }
    return std::unexpected(acl_error);
  }

  std::string acl_path;  // empty: there is no aclfile
  std::string acl_content;
  std::string acl_error;  // of the next writing; empty: none
  commands::PauseMode pause_mode = commands::PauseMode::none;
  std::int64_t paused_until_us = 0;
  int resets = 0;
  std::vector<commands::ShutdownMode> shutdowns;
  std::vector<std::string> logged;

 private:
  const base::Clock& clock_;
  commands::Settings& settings_;
  std::vector<std::unique_ptr<Peer>> peers_;
};

class ClientFixture : public ::testing::Test {
 protected:
  ClientFixture();
  ~ClientFixture() override { server.close_all(); }

  Peer& connect() { return server.open(dispatcher); }
  // As CONFIG SET would.
  void require_password(std::string_view password) {
    settings.requirepass = password;
    dispatcher.acl().set_default_password(password);
  }
  // Keys and calls that are due by then end, as the server's timers would do.
  void advance_ms(std::int64_t ms);

  base::ManualClock clock;
  commands::Settings settings;
  engine::Keyspace keyspace{1'000'000, 42};
  engine::ChannelRegistry channels;
  commands::Notifier notifier{settings, channels};
  Peers server{clock, settings};

 private:
  commands::ServerControl control_{server, server, server, server, server};

 protected:
  commands::Dispatcher dispatcher;
};

}  // namespace tests
