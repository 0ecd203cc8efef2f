// Calls that simulated clients make: what they say to the server, and what that does to the model
// and answers.
#pragma once

#include "tests/simulation/model.hpp"
#include "tests/simulation/resp.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace simulation {

struct Call {
  Words words;
  std::function<std::string(Model&, Resp)> effect;
};

namespace calls {

// --- locks
[[nodiscard]] Call set_nx_px(const std::string& key, const std::string& owner, std::int64_t ttl_ms);
[[nodiscard]] Call fence_token(const std::string& key, const std::string& owner);
[[nodiscard]] Call fence_check(const std::string& resource, std::uint64_t token);

// --- strings and keys. ttl 0: none.
[[nodiscard]] Call set(const std::string& key, const std::string& value, std::int64_t ttl_ms);
[[nodiscard]] Call get(const std::string& key);
[[nodiscard]] Call increment(const std::string& key, std::int64_t by);
[[nodiscard]] Call del(const std::string& key);
[[nodiscard]] Call exists(const std::string& key);
[[nodiscard]] Call pttl(const std::string& key);
[[nodiscard]] Call pexpire(const std::string& key, std::int64_t ttl_ms);
[[nodiscard]] Call persist(const std::string& key);
[[nodiscard]] Call rename(const std::string& from, const std::string& to);
[[nodiscard]] Call copy(const std::string& from, const std::string& to);
[[nodiscard]] Call flush_all();

// --- collections
[[nodiscard]] Call push_right(const std::string& key, const std::string& element);
[[nodiscard]] Call pop_left(const std::string& key);
[[nodiscard]] Call list_range(const std::string& key);
[[nodiscard]] Call hash_set(const std::string& key, const std::string& field,
                            const std::string& value);
[[nodiscard]] Call hash_delete(const std::string& key, const std::string& field);
[[nodiscard]] Call hash_get(const std::string& key, const std::string& field);
[[nodiscard]] Call set_add(const std::string& key, const std::string& member);
[[nodiscard]] Call set_remove(const std::string& key, const std::string& member);
[[nodiscard]] Call set_count(const std::string& key);
[[nodiscard]] Call add_score(const std::string& key, const std::string& member, std::int64_t score);
[[nodiscard]] Call sorted_range(const std::string& key);

// --- several at once
// MULTI, `queued`, EXEC: as one text that is sent at once.
[[nodiscard]] std::vector<Call> transaction(std::vector<Call> queued);

}  // namespace calls
}  // namespace simulation
