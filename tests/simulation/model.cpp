#include "tests/simulation/model.hpp"

#include "base/assert.hpp"

#include <algorithm>

namespace simulation {

engine::SyncPolicy Rules::policy_of(const std::string& name) const {
  for (const auto& [beginning, policy] : beginnings) {
    if (name.starts_with(beginning)) return policy;
  }
  return general;
}

// --- calls

void Model::begin_call(std::int64_t now_ms) {
  now_ms_ = now_ms;
  call_began_ = undo_.size();
}

const Key* Model::find(const std::string& name) const {
  const auto found = keys_.find(name);
  if (found == keys_.end() || found->second.deadline_ms <= now_ms_) return nullptr;
  return &found->second;
}

void Model::remember(const std::string& name) {
  for (std::size_t i = call_began_; i < undo_.size(); ++i) {
    if (undo_[i].name == name) return;
  }
  const auto found = keys_.find(name);
  undo_.push_back({name, found == keys_.end() ? std::nullopt : std::optional<Key>(found->second)});
}

Key& Model::change(const std::string& name) {
  ASSERT(find(name) != nullptr);
  remember(name);
  return keys_[name];
}

Key& Model::create(const std::string& name) {
  remember(name);
  return keys_[name] = Key{};
}

void Model::remove(const std::string& name) {
  remember(name);
  keys_.erase(name);
}

bool Model::is_changed(const Undo& undo) const {
  const bool was_there = undo.before && undo.before->deadline_ms > now_ms_;
  const Key* const now = find(undo.name);
  if (!was_there) return now != nullptr;
  return now == nullptr || undo.before != *now;
}

void Model::end_call() {
  for (std::size_t i = call_began_; i < undo_.size(); ++i) {
    touched_.insert(undo_[i].name);
    if (!is_changed(undo_[i])) continue;
    turn_changed_ = true;
    turn_policy_ = std::max(turn_policy_, rules_.policy_of(undo_[i].name));
  }
}

std::vector<std::string> Model::touched_by_call() const {
  std::vector<std::string> names;
  names.reserve(undo_.size() - call_began_);
  for (std::size_t i = call_began_; i < undo_.size(); ++i) names.push_back(undo_[i].name);
  return names;
}

std::uint64_t Model::token_before_call(const std::string& name) const {
  for (std::size_t i = call_began_; i < undo_.size(); ++i) {
    if (undo_[i].name == name) return undo_[i].before ? undo_[i].before->token : 0;
  }
  return 0;
}

void Model::adopt(const std::string& name, std::optional<Key> key) {
  if (key) {
    keys_[name] = std::move(*key);
  } else {
    keys_.erase(name);
  }
}

std::vector<std::string> Model::names() const {
  std::vector<std::string> names;
  names.reserve(keys_.size());
  for (const auto& [name, key] : keys_) names.push_back(name);
  return names;
}

std::vector<std::string> Model::take_touched() {
  std::vector<std::string> touched(touched_.begin(), touched_.end());
  touched_.clear();
  return touched;
}

void Model::set_token(const std::string& name, std::uint64_t token) {
  keys_[name].token = token;
}

// --- turns

bool Model::expire(const std::string& name, std::int64_t now_ms) {
  const auto found = keys_.find(name);
  if (found == keys_.end() || found->second.deadline_ms > now_ms) return false;
  undo_.push_back({name, std::move(found->second)});
  keys_.erase(found);
  turn_changed_ = true;
  // Nobody waits for it, but it is synced.
  const engine::SyncPolicy policy = std::min(rules_.policy_of(name), engine::SyncPolicy::everysec);
  turn_policy_ = std::max(turn_policy_, policy);
  return true;
}

bool Model::end_turn(engine::Position position, const Moment& moment) {
  if (position <= newest()) return !turn_changed_;
  marks_.push_back({position, undo_.size(), turn_policy_, moment});
  turn_changed_ = false;
  turn_policy_ = engine::SyncPolicy::no;
  return true;
}

engine::Position Model::newest_always() const {
  for (std::size_t i = marks_.size(); i > 0; --i) {
    if (marks_[i - 1].policy == engine::SyncPolicy::always) return marks_[i - 1].position;
  }
  return 0;
}

void Model::note_start(engine::Position position, const Moment& moment) {
  marks_.push_back({position, undo_.size(), engine::SyncPolicy::always, moment});
}

void Model::undo_to(std::size_t changes) {
  while (undo_.size() > changes) {
    Undo& last = undo_.back();
    if (last.before) {
      keys_[last.name] = std::move(*last.before);
    } else {
      keys_.erase(last.name);
    }
    undo_.pop_back();
  }
}

void Model::roll_back(engine::Position position) {
  while (marks_.back().position > position) marks_.pop_back();
  undo_to(marks_.back().changes);
  touched_.clear();
  turn_changed_ = false;
  turn_policy_ = engine::SyncPolicy::no;
}

}  // namespace simulation
