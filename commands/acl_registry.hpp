// All users. The default user is always there; connections begin as it, and requirepass is its
// password.
#pragma once

#include "commands/acl_log.hpp"
#include "commands/acl_rules.hpp"
#include "commands/acl_user.hpp"
#include "commands/client_state.hpp"

#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace commands::acl {

inline constexpr std::string_view default_name = "default";

class Registry {
 public:
  Registry();

  // A new connection, or one after RESET: the default user, logged in when it needs no password.
  void admit(ClientState& client) const;
  // AUTH. False: wrong password, no such user, or it is off.
  [[nodiscard]] bool log_in(ClientState& client, std::string_view name,
                            std::string_view password) const;
  // Whether who has not logged in is refused.
  [[nodiscard]] bool needs_login() const;

  [[nodiscard]] const std::shared_ptr<User>& default_user() const { return default_user_; }
  [[nodiscard]] std::shared_ptr<User> find(std::string_view name) const;
  [[nodiscard]] const Users& users() const { return users_; }
  // ACL LIST: a line for each.
  [[nodiscard]] std::vector<std::string> describe() const;

  // CONFIG SET requirepass; empty: none needed.
  void set_default_password(std::string_view password);
  // Adds the user, or changes the one of that name in place.
  void put(User user);
  // Not the default user. The user, for whom clients may still act; null: there was none.
  std::shared_ptr<User> remove(std::string_view name);
  // In place of all there are; the default user changes in place. Returns those that are gone.
  std::vector<std::shared_ptr<User>> replace_all(Users users);

  [[nodiscard]] Log& log() { return log_; }

 private:
  Users users_;
  std::shared_ptr<User> default_user_;  // also in users_
  Log log_;
};

}  // namespace commands::acl
