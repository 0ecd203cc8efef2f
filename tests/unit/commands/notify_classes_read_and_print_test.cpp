#include "commands/notifications.hpp"

#include <gtest/gtest.h>

namespace commands {
namespace {

// What CONFIG GET prints after CONFIG SET on redis-server 7.0.15.
TEST(NotifyClasses, ArePrintedInRedisOrder) {
  const auto printed = [](std::string_view text) {
    const auto classes = parse_notify_classes(text);
    return classes ? format_notify_classes(*classes) : std::string("refused");
  };
  EXPECT_EQ(printed(""), "");
  EXPECT_EQ(printed("KEA"), "AKE");
  EXPECT_EQ(printed("gxE"), "gxE");
  EXPECT_EQ(printed("KEAmn"), "AKEm");
  EXPECT_EQ(printed("Kdg"), "gdK");
  EXPECT_EQ(printed("g$lshzxetdKE"), "AKE");
  EXPECT_EQ(printed("KEn"), "nKE");
  EXPECT_EQ(printed("q"), "refused");
}

class Recorder final : public engine::Subscriber {
 public:
  void deliver(engine::ChannelKind, std::string_view, std::string_view channel,
               std::string_view message) override {
    heard.append(channel).append("=").append(message).append(" ");
  }
  std::string heard;
};

TEST(Notifier, PublishesOnTheChannelsAskedFor) {
  Settings settings;
  engine::ChannelRegistry channels;
  Recorder recorder;
  channels.subscribe(recorder, engine::ChannelKind::pattern, "__key*");
  Notifier notifier(settings, channels);
  notifier.notify(notify_string, "set", 3, "lock");
  EXPECT_EQ(recorder.heard, "");
  settings.notify_classes = *parse_notify_classes("KE$x");
  notifier.notify(notify_string, "set", 3, "lock");
  notifier.notify(notify_generic, "del", 3, "lock");
  notifier.key_expired(0, "k");
  EXPECT_EQ(recorder.heard,
            "__keyspace@3__:lock=set __keyevent@3__:set=lock __keyspace@0__:k=expired "
            "__keyevent@0__:expired=k ");
}

}  // namespace
}  // namespace commands
