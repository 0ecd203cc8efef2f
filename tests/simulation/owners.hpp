// Who believes to hold which lock. A client believes it from the moment the grant reaches it until
// it asks for something else, or until the lease has run out, counted from when it was asked for.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace simulation {

class Owners {
 public:
  struct Holding {
    int client = 0;
    std::string owner;
    std::int64_t deadline_ms = 0;
    std::size_t changes = 0;  // Model::changes() behind the grant, or the renewal
    std::uint64_t token = 0;  // 0: not asked for
    std::uint64_t asked = 0;  // what end() gave when it was asked for
  };

  // Whom the lock belonged to at that moment, when that is someone else: then two own it.
  std::optional<int> grant(const std::string& lock, Holding holding, std::int64_t now_ms) {
    if (holding.changes <= ended_at_ || holding.asked != asked_[{lock, holding.client}] ||
        holding.deadline_ms <= now_ms) {
      return std::nullopt;
    }
    ++grants_;
    const auto found = holdings_.find(lock);
    std::optional<int> other;
    if (found != holdings_.end() && found->second.client != holding.client &&
        found->second.deadline_ms > now_ms) {
      other = found->second.client;
    }
    holdings_[lock] = std::move(holding);
    return other;
  }
  [[nodiscard]] std::uint64_t grants() const { return grants_; }
  // Null: `client` does not believe to hold it.
  Holding* of(const std::string& lock, int client, std::int64_t now_ms) {
    const auto found = holdings_.find(lock);
    if (found == holdings_.end() || found->second.client != client) return nullptr;
    return found->second.deadline_ms > now_ms ? &found->second : nullptr;
  }
  // When it asks for the lock, again or with another lease, or gives it back: what was asked for
  // before no longer counts. Result: what the answer to this is known by.
  std::uint64_t end(const std::string& lock, int client) {
    const auto found = holdings_.find(lock);
    if (found != holdings_.end() && found->second.client == client) holdings_.erase(found);
    return ++asked_[{lock, client}];
  }
  // FLUSHALL: whatever was granted so far, also when nobody knows it yet.
  void end_all(std::size_t changes) {
    holdings_.clear();
    ended_at_ = changes;
  }
  // What was granted behind `changes` never happened; who was granted it has been told of the loss.
  void forget_behind(std::size_t changes) {
    std::erase_if(holdings_, [&](const auto& entry) { return entry.second.changes > changes; });
    ended_at_ = std::min(ended_at_, changes);
  }

 private:
  std::map<std::string, Holding> holdings_;
  std::map<std::pair<std::string, int>, std::uint64_t> asked_;
  std::size_t ended_at_ = 0;
  std::uint64_t grants_ = 0;
};

}  // namespace simulation
