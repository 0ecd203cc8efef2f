#include "engine/channel_registry.hpp"

#include <gtest/gtest.h>

namespace {

using engine::ChannelKind;
using engine::ChannelRegistry;

std::vector<std::string>& heard() {
  static std::vector<std::string> messages;
  return messages;
}

struct Listener : engine::Subscriber {
  explicit Listener(std::string its_name) : name(std::move(its_name)) {}
  void deliver(ChannelKind, std::string_view pattern, std::string_view channel,
               std::string_view message) override {
    heard().push_back(name + " " + std::string(pattern) + " " + std::string(channel) + " " +
                      std::string(message));
  }
  std::string name;
};

class ChannelRegistryTest : public ::testing::Test {
 protected:
  ChannelRegistryTest() { heard().clear(); }
  ChannelRegistry registry;
  Listener a{"a"};
  Listener b{"b"};
};

TEST_F(ChannelRegistryTest, silence_is_free) {
  EXPECT_TRUE(registry.is_silent());
  EXPECT_EQ(registry.publish(ChannelKind::channel, "c", "m"), 0U);
  EXPECT_FALSE(registry.is_heard(ChannelKind::channel, "c"));
}

TEST_F(ChannelRegistryTest, delivers_in_order_of_subscription_channels_before_patterns) {
  EXPECT_TRUE(registry.subscribe(b, ChannelKind::pattern, "n*"));
  EXPECT_TRUE(registry.subscribe(b, ChannelKind::channel, "news"));
  EXPECT_TRUE(registry.subscribe(a, ChannelKind::channel, "news"));
  EXPECT_TRUE(registry.subscribe(a, ChannelKind::pattern, "*s"));
  EXPECT_FALSE(registry.subscribe(a, ChannelKind::channel, "news"));
  EXPECT_EQ(registry.publish(ChannelKind::channel, "news", "m"), 4U);
  EXPECT_EQ(heard(),
            (std::vector<std::string>{"b  news m", "a  news m", "b n* news m", "a *s news m"}));
  EXPECT_EQ(registry.publish(ChannelKind::channel, "other", "m"), 0U);
}

TEST_F(ChannelRegistryTest, shard_channels_are_apart) {
  registry.subscribe(a, ChannelKind::shard, "c");
  registry.subscribe(a, ChannelKind::pattern, "*");
  EXPECT_EQ(registry.publish(ChannelKind::shard, "c", "m"), 1U);
  EXPECT_EQ(registry.publish(ChannelKind::channel, "c", "m"), 1U);
  EXPECT_EQ(registry.count_of(a, ChannelKind::shard), 1U);
}

TEST_F(ChannelRegistryTest, leaving) {
  registry.subscribe(a, ChannelKind::channel, "one");
  registry.subscribe(a, ChannelKind::channel, "two");
  registry.subscribe(a, ChannelKind::pattern, "t*");
  EXPECT_EQ(registry.names_of(a, ChannelKind::channel), (std::vector<std::string>{"one", "two"}));
  EXPECT_TRUE(registry.unsubscribe(a, ChannelKind::channel, "one"));
  EXPECT_FALSE(registry.unsubscribe(a, ChannelKind::channel, "one"));
  EXPECT_FALSE(registry.unsubscribe(b, ChannelKind::channel, "two"));
  EXPECT_EQ(registry.count_of(a, ChannelKind::channel), 1U);
  EXPECT_EQ(registry.subscribers(ChannelKind::channel, "two"), 1U);
  EXPECT_EQ(registry.names(ChannelKind::pattern), 1U);
  registry.forget(a);
  EXPECT_TRUE(registry.is_silent());
  EXPECT_EQ(registry.names(ChannelKind::channel), 0U);
  EXPECT_EQ(registry.names(ChannelKind::pattern), 0U);
  registry.forget(a);
}

TEST_F(ChannelRegistryTest, is_heard_asks_patterns_too) {
  registry.subscribe(a, ChannelKind::pattern, "lock:*");
  EXPECT_TRUE(registry.is_heard(ChannelKind::channel, "lock:1"));
  EXPECT_FALSE(registry.is_heard(ChannelKind::shard, "lock:1"));
  EXPECT_FALSE(registry.is_heard(ChannelKind::channel, "other"));
}

TEST_F(ChannelRegistryTest, names_are_listed) {
  registry.subscribe(a, ChannelKind::channel, "one");
  registry.subscribe(b, ChannelKind::channel, "one");
  int visited = 0;
  registry.for_each_name(ChannelKind::channel, [&](std::string_view name) {
    EXPECT_EQ(name, "one");
    ++visited;
  });
  EXPECT_EQ(visited, 1);
  EXPECT_EQ(registry.subscribers(ChannelKind::channel, "one"), 2U);
}

}  // namespace
