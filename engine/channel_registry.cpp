#include "engine/channel_registry.hpp"

#include "base/glob.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <unordered_map>

namespace engine {
namespace {

// Lets maps keyed by std::string be searched by view.
struct TextHash {
  using is_transparent = void;  // NOLINT(readability-identifier-naming): the library's name
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};
template <typename Value>
using TextMap = std::unordered_map<std::string, Value, TextHash, std::equal_to<>>;

constexpr std::size_t kinds = 3;

std::size_t at(ChannelKind kind) {
  return static_cast<std::size_t>(kind);
}

// Who hears one name, in the order in which they came.
struct Audience {
  std::string_view name;  // the key of the map it lies in
  std::vector<Subscriber*> subscribers;
};

struct Subscription {
  ChannelKind kind;
  std::string name;
};

}  // namespace

struct ChannelRegistry::State {
  std::array<TextMap<Audience>, kinds> names;
  // Patterns in the order in which they were first heard: PUBLISH tries them one after the other.
  std::vector<const Audience*> patterns;
  // Of each subscriber, in order of subscription.
  std::unordered_map<const Subscriber*, std::vector<Subscription>> subscriptions;
};

ChannelRegistry::ChannelRegistry() : state_(std::make_unique<State>()) {}
ChannelRegistry::~ChannelRegistry() = default;

bool ChannelRegistry::subscribe(Subscriber& subscriber, ChannelKind kind, std::string_view name) {
  auto& names = state_->names[at(kind)];
  auto audience = names.find(name);
  if (audience == names.end()) {
    audience = names.emplace(std::string(name), Audience{}).first;
    audience->second.name = audience->first;
    if (kind == ChannelKind::pattern) state_->patterns.push_back(&audience->second);
  }
  auto& subscribers = audience->second.subscribers;
  if (std::ranges::find(subscribers, &subscriber) != subscribers.end()) return false;
  subscribers.push_back(&subscriber);
  state_->subscriptions[&subscriber].push_back({kind, std::string(name)});
  return true;
}

bool ChannelRegistry::leave(Subscriber& subscriber, ChannelKind kind, std::string_view name) {
  auto& names = state_->names[at(kind)];
  const auto audience = names.find(name);
  if (audience == names.end()) return false;
  if (std::erase(audience->second.subscribers, &subscriber) == 0) return false;
  if (audience->second.subscribers.empty()) {
    if (kind == ChannelKind::pattern) std::erase(state_->patterns, &audience->second);
    names.erase(audience);
  }
  return true;
}

bool ChannelRegistry::unsubscribe(Subscriber& subscriber, ChannelKind kind, std::string_view name) {
  if (!leave(subscriber, kind, name)) return false;
  const auto subscriptions = state_->subscriptions.find(&subscriber);
  std::erase_if(subscriptions->second, [&](const Subscription& subscription) {
    return subscription.kind == kind && subscription.name == name;
  });
  if (subscriptions->second.empty()) state_->subscriptions.erase(subscriptions);
  return true;
}

void ChannelRegistry::forget(Subscriber& subscriber) {
  const auto subscriptions = state_->subscriptions.find(&subscriber);
  if (subscriptions == state_->subscriptions.end()) return;
  for (const auto& [kind, name] : subscriptions->second) leave(subscriber, kind, name);
  state_->subscriptions.erase(subscriptions);
}

std::size_t ChannelRegistry::publish(ChannelKind kind, std::string_view channel,
                                     std::string_view message) {
  if (is_silent()) return 0;
  std::size_t deliveries = 0;
  const auto& names = state_->names[at(kind)];
  const auto audience = names.empty() ? names.end() : names.find(channel);
  if (audience != names.end()) {
    for (Subscriber* subscriber : audience->second.subscribers) {
      subscriber->deliver(kind, {}, channel, message);
    }
    deliveries = audience->second.subscribers.size();
  }
  return kind == ChannelKind::shard ? deliveries
                                    : deliveries + publish_to_patterns(channel, message);
}

std::size_t ChannelRegistry::publish_to_patterns(std::string_view channel,
                                                 std::string_view message) {
  std::size_t deliveries = 0;
  for (const Audience* audience : state_->patterns) {
    if (!base::glob_matches(audience->name, channel)) continue;
    for (Subscriber* subscriber : audience->subscribers) {
      subscriber->deliver(ChannelKind::pattern, audience->name, channel, message);
    }
    deliveries += audience->subscribers.size();
  }
  return deliveries;
}

bool ChannelRegistry::is_heard(ChannelKind kind, std::string_view channel) const {
  if (is_silent()) return false;
  const auto& names = state_->names[at(kind)];
  if (!names.empty() && names.contains(channel)) return true;
  if (kind == ChannelKind::shard) return false;
  return std::ranges::any_of(state_->patterns, [&](const Audience* audience) {
    return base::glob_matches(audience->name, channel);
  });
}

bool ChannelRegistry::is_silent() const {
  return state_->subscriptions.empty();
}

std::vector<std::string> ChannelRegistry::names_of(const Subscriber& subscriber,
                                                   ChannelKind kind) const {
  std::vector<std::string> names;
  const auto subscriptions = state_->subscriptions.find(&subscriber);
  if (subscriptions == state_->subscriptions.end()) return names;
  for (const auto& subscription : subscriptions->second) {
    if (subscription.kind == kind) names.push_back(subscription.name);
  }
  return names;
}

std::size_t ChannelRegistry::count_of(const Subscriber& subscriber, ChannelKind kind) const {
  const auto subscriptions = state_->subscriptions.find(&subscriber);
  if (subscriptions == state_->subscriptions.end()) return 0;
  return static_cast<std::size_t>(
      std::ranges::count(subscriptions->second, kind, &Subscription::kind));
}

std::size_t ChannelRegistry::subscribers(ChannelKind kind, std::string_view name) const {
  const auto& names = state_->names[at(kind)];
  const auto audience = names.find(name);
  return audience == names.end() ? 0 : audience->second.subscribers.size();
}

std::size_t ChannelRegistry::names(ChannelKind kind) const {
  return state_->names[at(kind)].size();
}

void ChannelRegistry::for_each_name(ChannelKind kind,
                                    base::FunctionRef<void(std::string_view)> visit) const {
  for (const auto& [name, audience] : state_->names[at(kind)]) visit(name);
}

}  // namespace engine
