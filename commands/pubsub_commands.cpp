#include "commands/pubsub_commands.hpp"

#include "base/glob.hpp"
#include "commands/command_context.hpp"
#include "commands/help_reply.hpp"
#include "commands/subcommand_syntax.hpp"

#include <string>
#include <vector>

namespace commands::pubsub {
namespace {

using engine::ChannelKind;

struct Words {
  std::string_view subscribe;
  std::string_view unsubscribe;
};

constexpr Words words_of(ChannelKind kind) {
  switch (kind) {
    case ChannelKind::pattern:
      return {"psubscribe", "punsubscribe"};
    case ChannelKind::shard:
      return {"ssubscribe", "sunsubscribe"};
    case ChannelKind::channel:
      break;
  }
  return {"subscribe", "unsubscribe"};
}

void update_counts(CommandContext& c) {
  const engine::Subscriber& subscriber = c.client.subscriber();
  c.client.subscriptions = c.channels.count_of(subscriber, ChannelKind::channel) +
                           c.channels.count_of(subscriber, ChannelKind::pattern);
  c.client.shard_subscriptions = c.channels.count_of(subscriber, ChannelKind::shard);
}

// What a confirmation counts: channels and patterns together, shard channels apart.
void reply_count(CommandContext& c, ChannelKind kind) {
  const std::size_t count =
      kind == ChannelKind::shard ? c.client.shard_subscriptions : c.client.subscriptions;
  c.reply.integer(static_cast<std::int64_t>(count));
}

void confirm(CommandContext& c, ChannelKind kind, std::string_view word, std::string_view name) {
  update_counts(c);
  c.reply.push(3);
  c.reply.bulk(word);
  c.reply.bulk(name);
  reply_count(c, kind);
}

void subscribe_to(CommandContext& c, ChannelKind kind) {
  for (const std::string_view name : c.args.subspan(1)) {
    c.channels.subscribe(c.client.subscriber(), kind, name);
    confirm(c, kind, words_of(kind).subscribe, name);
  }
}

void unsubscribe_all(CommandContext& c, ChannelKind kind) {
  const std::vector<std::string> names = c.channels.names_of(c.client.subscriber(), kind);
  for (const std::string& name : names) {
    c.channels.unsubscribe(c.client.subscriber(), kind, name);
    confirm(c, kind, words_of(kind).unsubscribe, name);
  }
  if (!names.empty()) return;
  c.reply.push(3);
  c.reply.bulk(words_of(kind).unsubscribe);
  c.reply.null();
  reply_count(c, kind);
}

void unsubscribe_from(CommandContext& c, ChannelKind kind) {
  if (c.args.size() == 1) return unsubscribe_all(c, kind);
  for (const std::string_view name : c.args.subspan(1)) {
    c.channels.unsubscribe(c.client.subscriber(), kind, name);
    confirm(c, kind, words_of(kind).unsubscribe, name);
  }
}

void reply_names(CommandContext& c, ChannelKind kind) {
  if (c.args.size() > 3) return reply_subcommand_syntax(c, "PUBSUB");
  std::vector<std::string> names;
  c.channels.for_each_name(kind, [&](std::string_view name) {
    if (c.args.size() == 2 || base::glob_matches(c.args[2], name)) names.emplace_back(name);
  });
  c.reply.array(names.size());
  for (const std::string& name : names) c.reply.bulk(name);
}

void reply_subscribers(CommandContext& c, ChannelKind kind) {
  const auto names = c.args.subspan(2);
  c.reply.array(names.size() * 2);
  for (const std::string_view name : names) {
    c.reply.bulk(name);
    c.reply.integer(static_cast<std::int64_t>(c.channels.subscribers(kind, name)));
  }
}

void publish_to(CommandContext& c, ChannelKind kind) {
  c.reply.integer(static_cast<std::int64_t>(c.channels.publish(kind, c.args[1], c.args[2])));
}

}  // namespace

void publish(CommandContext& c) {
  publish_to(c, ChannelKind::channel);
}
void spublish(CommandContext& c) {
  publish_to(c, ChannelKind::shard);
}
void subscribe(CommandContext& c) {
  subscribe_to(c, ChannelKind::channel);
}
void psubscribe(CommandContext& c) {
  subscribe_to(c, ChannelKind::pattern);
}
// Redis 7.0 lets EXEC subscribe to channels and patterns, but not to shard channels.
void ssubscribe(CommandContext& c) {
  if (c.denies_blocking()) {
    return c.reply.error("ERR SSUBSCRIBE isn't allowed for a DENY BLOCKING client");
  }
  subscribe_to(c, ChannelKind::shard);
}
void unsubscribe(CommandContext& c) {
  unsubscribe_from(c, ChannelKind::channel);
}
void punsubscribe(CommandContext& c) {
  unsubscribe_from(c, ChannelKind::pattern);
}
void sunsubscribe(CommandContext& c) {
  unsubscribe_from(c, ChannelKind::shard);
}

void channels(CommandContext& c) {
  reply_names(c, ChannelKind::channel);
}
void shardchannels(CommandContext& c) {
  reply_names(c, ChannelKind::shard);
}
void numsub(CommandContext& c) {
  reply_subscribers(c, ChannelKind::channel);
}
void shardnumsub(CommandContext& c) {
  reply_subscribers(c, ChannelKind::shard);
}

void numpat(CommandContext& c) {
  c.reply.integer(static_cast<std::int64_t>(c.channels.names(ChannelKind::pattern)));
}

void help(CommandContext& c) {
  reply_help(c.reply, "PUBSUB",
             {
                 "CHANNELS [<pattern>]",
                 "    Lists channels that have subscribers, those that match <pattern> if given.",
                 "NUMPAT",
                 "    Counts the distinct patterns subscribed to.",
                 "NUMSUB [<channel> ...]",
                 "    Counts the subscribers of each channel; patterns do not count.",
                 "SHARDCHANNELS [<pattern>]",
                 "    Like CHANNELS, for shard channels.",
                 "SHARDNUMSUB [<shardchannel> ...]",
                 "    Like NUMSUB, for shard channels.",
             });
}

}  // namespace commands::pubsub
