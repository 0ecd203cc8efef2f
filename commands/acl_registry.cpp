#include "commands/acl_registry.hpp"

#include "base/assert.hpp"

#include <utility>

namespace commands::acl {
namespace {

User original_default_user() {
  User user(std::string(default_name), ChannelDefault::all);
  for (const std::string_view rule : {"on", "nopass", "~*", "+@all"}) {
    const auto applied = user.apply(rule, ChannelDefault::all);
    ASSERT(applied.has_value());
  }
  return user;
}

}  // namespace

Registry::Registry() : default_user_(std::make_shared<User>(original_default_user())) {
  users_.emplace(default_name, default_user_);
}

void Registry::admit(ClientState& client) const {
  client.account = default_user_;
  client.user = default_user_->name();
  client.authenticated = !needs_login();
}

bool Registry::log_in(ClientState& client, std::string_view name, std::string_view password) const {
  const auto user = find(name);
  if (user == nullptr || !user->accepts(password)) return false;
  client.account = user;
  client.user = user->name();
  client.authenticated = true;
  return true;
}

bool Registry::needs_login() const {
  return !default_user_->is_on() || !default_user_->needs_no_password();
}

std::shared_ptr<User> Registry::find(std::string_view name) const {
  const auto found = users_.find(name);
  return found == users_.end() ? nullptr : found->second;
}

std::vector<std::string> Registry::describe() const {
  std::vector<std::string> lines;
  for (const auto& [name, user] : users_) lines.push_back(user->describe());
  return lines;
}

void Registry::set_default_password(std::string_view password) {
  User changed = *default_user_;
  const auto apply = [&](std::string_view rule) {
    ASSERT(changed.apply(rule, ChannelDefault::none).has_value());
  };
  apply("resetpass");
  apply(password.empty() ? "nopass" : ">" + std::string(password));
  *default_user_ = std::move(changed);
}

void Registry::put(User user) {
  const auto found = users_.find(user.name());
  if (found != users_.end()) {
    *found->second = std::move(user);
  } else {
    const std::string name = user.name();
    users_.emplace(name, std::make_shared<User>(std::move(user)));
  }
}

std::shared_ptr<User> Registry::remove(std::string_view name) {
  ASSERT(name != default_name);
  const auto found = users_.find(name);
  if (found == users_.end()) return nullptr;
  auto user = std::move(found->second);
  users_.erase(found);
  return user;
}

std::vector<std::shared_ptr<User>> Registry::replace_all(Users users) {
  const auto new_default = users.find(default_name);
  *default_user_ = new_default == users.end() ? original_default_user() : *new_default->second;
  users.insert_or_assign(std::string(default_name), default_user_);
  std::vector<std::shared_ptr<User>> gone;
  for (auto& [name, user] : std::exchange(users_, std::move(users))) {
    if (user != default_user_) gone.push_back(user);
  }
  return gone;
}

}  // namespace commands::acl
