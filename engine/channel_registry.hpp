// Publish/subscribe: which subscriber hears which channel, pattern and shard channel. Delivery is a
// call into Subscriber, which queues bytes and must not call back into the registry.
#pragma once

#include "base/function_ref.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

enum class ChannelKind : std::uint8_t { channel, pattern, shard };

class Subscriber {
 public:
  virtual ~Subscriber() = default;
  // `pattern` is empty unless kind is pattern.
  virtual void deliver(ChannelKind kind, std::string_view pattern, std::string_view channel,
                       std::string_view message) = 0;
};

class ChannelRegistry {
 public:
  ChannelRegistry();
  ~ChannelRegistry();
  ChannelRegistry(const ChannelRegistry&) = delete;
  ChannelRegistry& operator=(const ChannelRegistry&) = delete;

  // False when already subscribed.
  bool subscribe(Subscriber& subscriber, ChannelKind kind, std::string_view name);
  // False when it was not subscribed.
  bool unsubscribe(Subscriber& subscriber, ChannelKind kind, std::string_view name);
  // Everything of a connection that ends.
  void forget(Subscriber& subscriber);

  // Returns the number of deliveries. `kind` is channel (patterns match too) or shard.
  std::size_t publish(ChannelKind kind, std::string_view channel, std::string_view message);
  // Whether a message on `channel` would reach anyone: lets callers build messages only when heard.
  [[nodiscard]] bool is_heard(ChannelKind kind, std::string_view channel) const;
  // Whether nobody subscribes to anything: the cheapest of questions.
  [[nodiscard]] bool is_silent() const;

  // Names a subscriber listens to, in the order of subscription.
  [[nodiscard]] std::vector<std::string> names_of(const Subscriber& subscriber,
                                                  ChannelKind kind) const;
  [[nodiscard]] std::size_t count_of(const Subscriber& subscriber, ChannelKind kind) const;
  [[nodiscard]] std::size_t subscribers(ChannelKind kind, std::string_view name) const;
  // Number of distinct names with at least one subscriber.
  [[nodiscard]] std::size_t names(ChannelKind kind) const;
  void for_each_name(ChannelKind kind, base::FunctionRef<void(std::string_view)> visit) const;

 private:
  struct State;
  // unsubscribe() without the subscriber's own list.
  bool leave(Subscriber& subscriber, ChannelKind kind, std::string_view name);
  std::size_t publish_to_patterns(std::string_view channel, std::string_view message);
  std::unique_ptr<State> state_;
};

}  // namespace engine
