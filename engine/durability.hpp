// Which SyncPolicy a key has: the first rule whose glob matches its name, else the general one
// (settings `durability` and `appendfsync`).
#pragma once

#include "engine/sync_policy.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace engine {

struct DurabilityRule {
  std::string glob;
  SyncPolicy policy = SyncPolicy::everysec;
};

class Durability {
 public:
  Durability() = default;
  Durability(SyncPolicy general, std::vector<DurabilityRule> rules);

  [[nodiscard]] SyncPolicy policy_of(std::string_view key) const {
    return rules_.empty() ? general_ : matching(key);
  }
  // Of what concerns keys without naming them (FLUSHALL, SWAPDB): the strictest there is.
  [[nodiscard]] SyncPolicy strictest() const { return strictest_; }
  [[nodiscard]] SyncPolicy general() const { return general_; }

 private:
  [[nodiscard]] SyncPolicy matching(std::string_view key) const;

  SyncPolicy general_ = SyncPolicy::everysec;
  SyncPolicy strictest_ = SyncPolicy::everysec;
  std::vector<DurabilityRule> rules_;
};

}  // namespace engine
