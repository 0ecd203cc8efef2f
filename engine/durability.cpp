#include "engine/durability.hpp"

#include "base/glob.hpp"

#include <algorithm>

namespace engine {

Durability::Durability(SyncPolicy general, std::vector<DurabilityRule> rules)
    : general_(general), strictest_(general), rules_(std::move(rules)) {
  for (const DurabilityRule& rule : rules_) strictest_ = std::max(strictest_, rule.policy);
}

SyncPolicy Durability::matching(std::string_view key) const {
  for (const DurabilityRule& rule : rules_) {
    if (base::glob_matches(rule.glob, key)) return rule.policy;
  }
  return general_;
}

}  // namespace engine
