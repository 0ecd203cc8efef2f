// Rules of users as text: the arguments of ACL SETUSER, `user` lines of the configuration, and
// files of them (aclfile).
//
//   file = { [ "user" " " name { " " rule } ] "\n" }
//
// A selector may stretch over several words: from the one that begins with "(" to the one that ends
// with ")".
#pragma once

#include "commands/acl_user.hpp"

#include <expected>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace commands::acl {

// Clients hold their user, too. Sorted by bytes, as ACL LIST shows them.
using Users = std::map<std::string, std::shared_ptr<User>, std::less<>>;

[[nodiscard]] bool is_user_name(std::string_view name);
// One rule per element. The error is the word that opens what is not closed.
[[nodiscard]] std::expected<std::vector<std::string>, std::string_view> join_selectors(
    std::span<const std::string_view> words);
// A user made by the words after "user"; the error is a sentence with the word that is wrong.
[[nodiscard]] std::expected<User, std::string> user_of_line(std::span<const std::string_view> words,
                                                            ChannelDefault channels);
// The users of a whole file, without the default user unless it is there. The error lists what is
// wrong, by line; `path` is only for that.
[[nodiscard]] std::expected<Users, std::string> users_of_file(std::string_view content,
                                                              std::string_view path,
                                                              ChannelDefault channels);

}  // namespace commands::acl
