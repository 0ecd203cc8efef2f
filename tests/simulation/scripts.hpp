// Scripts of simulated clients, as calls. Each is one step: all of it or nothing. That the server
// has one in its cache is a key of the model with a name that no client can use.
#pragma once

#include "tests/simulation/calls.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace simulation {

// How a script is named: by its text, or by its SHA1 (which may be unknown to the server).
enum class Named : std::uint8_t { by_text, by_sha1 };

namespace scripts {

// The string lock: deletes, or prolongs, what still holds `owner`.
[[nodiscard]] Call release(Named named, const std::string& key, const std::string& owner);
[[nodiscard]] Call renew(Named named, const std::string& key, const std::string& owner,
                         std::int64_t ttl_ms);
// The hash lock, which its owner may enter again. Acquired: hold count; held by another: minus
// the remaining time.
[[nodiscard]] Call enter(Named named, const std::string& key, const std::string& owner,
                         std::int64_t ttl_ms);
// The hold count left; nil: not the owner.
[[nodiscard]] Call leave(Named named, const std::string& key, const std::string& owner);
// As Redisson's clients do it: when the lock is free `owner` is published, which reaches
// `tell(owner)` clients. Then the answer is minus that.
[[nodiscard]] Call leave_and_tell(Named named, const std::string& key, const std::string& owner,
                                  const std::string& channel,
                                  std::function<int(const std::string& text)> tell);
// Moves `amount` from one account to the other and notes it in a list of the last few.
[[nodiscard]] Call transfer(Named named, const std::string& prefix, std::int64_t amount,
                            const std::string& note);

// SCRIPT FLUSH
[[nodiscard]] Call flush();

}  // namespace scripts
}  // namespace simulation
