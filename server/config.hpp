// All settings of a server: one text per option, and from them the typed views that commands and
// the server read. CONFIG GET, SET and REWRITE work on it; config_loader.hpp fills it at the start.
//
// Invariant: the typed views always say the same as the texts.
#pragma once

#include "commands/server_control.hpp"
#include "commands/settings.hpp"
#include "server/config_table.hpp"
#include "server/server_settings.hpp"

#include <cstddef>
#include <expected>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace server {

class Config final : public commands::ConfigControl {
 public:
  // Puts a changed option into effect. The error is the reason of "ERR CONFIG SET failed".
  using Apply = std::function<std::expected<void, std::string>(std::string_view name)>;
  using UsersSource = std::function<std::vector<std::string>()>;

  Config();
  ~Config() override = default;
  Config(const Config&) = delete;
  Config& operator=(const Config&) = delete;

  // At the start: any option, several words. The error is Redis' reason ("argument must be 'yes' or
  // 'no'").
  std::expected<void, std::string> assign(std::size_t option, std::span<const std::string> words);
  std::expected<void, std::string> assign(std::string_view name, std::string_view value);

  [[nodiscard]] const std::string& text(std::size_t option) const {
    return texts_[value_index(option)];
  }
  [[nodiscard]] const commands::Settings& settings() const { return settings_; }
  [[nodiscard]] const ServerSettings& server() const { return server_; }
  // Options and directives that were given and mean nothing here, in order.
  [[nodiscard]] std::span<const std::string> without_meaning() const { return without_meaning_; }
  void note_without_meaning(std::string_view name);
  // `user` lines, each the words after "user".
  void add_user(std::vector<std::string> words) { users_.push_back(std::move(words)); }
  [[nodiscard]] const std::vector<std::vector<std::string>>& users() const { return users_; }
  // Lines of the users there are, for CONFIG REWRITE; unset: `user` lines stay as they are.
  void set_users_source(UsersSource source) { users_source_ = std::move(source); }
  [[nodiscard]] const UsersSource& users_source() const { return users_source_; }

  // Each is asked about each change, in order.
  void on_change(Apply apply) { listeners_.push_back(std::move(apply)); }
  void forget_listeners() {
    listeners_.clear();
    users_source_ = nullptr;
  }
  void set_file(std::string absolute_path) { file_ = std::move(absolute_path); }
  [[nodiscard]] const std::string& file() const { return file_; }

  std::vector<commands::SettingValue> get(std::span<const std::string_view> globs) override;
  std::expected<void, std::string> set(std::span<const std::string_view> pairs) override;
  std::expected<void, std::string> rewrite() override;

 private:
  struct Change {
    std::size_t option;
    std::string before;
  };

  [[nodiscard]] std::expected<std::vector<std::size_t>, std::string> admit(
      std::span<const std::string_view> pairs) const;
  std::expected<void, std::string> store(std::size_t option, std::span<const std::string> words);
  std::expected<void, std::string> apply(std::string_view name);
  void roll_back(std::span<const Change> changes);
  void refresh_views();
  [[nodiscard]] const std::string& text_of(std::string_view name) const;
  // As CONFIG GET shows it.
  [[nodiscard]] std::string shown_text(std::size_t option) const;

  std::vector<std::string> texts_;  // by option
  commands::Settings settings_;
  ServerSettings server_;
  std::vector<std::string> without_meaning_;
  std::vector<std::vector<std::string>> users_;
  UsersSource users_source_;
  std::vector<Apply> listeners_;
  std::string file_;
};

}  // namespace server
