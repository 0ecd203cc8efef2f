// What commands ask of the process, answered by nobody: no settings to change, no clients to list.
#pragma once

#include "commands/server_control.hpp"

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tests {

class AbsentServer final : public commands::ConfigControl,
                           public commands::ClientRegistry,
                           public commands::ProcessControl,
                           public commands::EventLog,
                           public commands::AclFile {
 public:
  commands::ServerControl control{*this, *this, *this, *this, *this};

  std::vector<commands::SettingValue> get(std::span<const std::string_view> /*globs*/) override {
    return {};
  }
  std::expected<void, std::string> set(std::span<const std::string_view> /*pairs*/) override {
    return std::unexpected("ERR there is no configuration");
  }
  std::expected<void, std::string> rewrite() override {
    return std::unexpected("ERR there is no configuration");
  }

  void for_each(base::FunctionRef<void(commands::ClientState&)> /*visit*/) override {}
  commands::ClientState* find(std::int64_t /*id*/) override { return nullptr; }
  void close(commands::ClientState& /*client*/) override {}
  void unblock(commands::ClientState& /*client*/, commands::UnblockReason /*reason*/) override {}
  void answer_blocked_call(commands::ClientState& /*client*/, Answer /*answer*/) override {}
  void pause(commands::PauseMode /*mode*/, std::int64_t /*until_us*/) override {}

  commands::ProcessFigures figures() override { return {}; }
  void reset_figures() override {}
  void shutdown(commands::ShutdownMode /*mode*/) override {}
  void serve_others() override {}

  void event(commands::LogLevel /*level*/, std::string_view text) override {
    logged.emplace_back(text);
  }

  [[nodiscard]] std::string path() const override { return {}; }
  [[nodiscard]] std::expected<std::string, std::string> read() override {
    return std::unexpected("there is no file");
  }
  [[nodiscard]] std::expected<void, std::string> write(std::string_view /*content*/) override {
    return std::unexpected("there is no file");
  }

  std::vector<std::string> logged;
};

}  // namespace tests
