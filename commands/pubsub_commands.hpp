// Publish/subscribe. Subscriptions are confirmed one by one, each as a push of three elements.
#pragma once

#include "commands/command_spec.hpp"

namespace commands::pubsub {

void channels(CommandContext& c);
void help(CommandContext& c);
void numpat(CommandContext& c);
void numsub(CommandContext& c);
void psubscribe(CommandContext& c);
void publish(CommandContext& c);
void punsubscribe(CommandContext& c);
void shardchannels(CommandContext& c);
void shardnumsub(CommandContext& c);
void spublish(CommandContext& c);
void ssubscribe(CommandContext& c);
void subscribe(CommandContext& c);
void sunsubscribe(CommandContext& c);
void unsubscribe(CommandContext& c);

inline constexpr Flags asks = flag::pubsub | flag::loading | flag::stale;
inline constexpr Flags publishes = asks | flag::fast | flag::may_replicate;
inline constexpr Flags subscribes = asks | flag::noscript | flag::subscribed_ok;
// Shard channels are named where keys stand, but are none (no access bit).
inline constexpr KeySpec one_shard_channel{1, 1, 1};
inline constexpr KeySpec all_shard_channels{1, -1, 1};

inline constexpr CommandSpec pubsub_specs[] = {
    // name, arity, flags, keys, handler, since, summary
    {"CHANNELS", -2, asks, no_keys, channels, "2.8.0", "Lists channels that have subscribers."},
    {"HELP", 2, flag::loading | flag::stale, no_keys, help, "6.2.0", "Describes the subcommands."},
    {"NUMPAT", 2, asks, no_keys, numpat, "2.8.0", "Counts the patterns subscribed to."},
    {"NUMSUB", -2, asks, no_keys, numsub, "2.8.0", "Counts the subscribers of channels."},
    {"SHARDCHANNELS", -2, asks, no_keys, shardchannels, "7.0.0",
     "Lists shard channels that have subscribers."},
    {"SHARDNUMSUB", -2, asks, no_keys, shardnumsub, "7.0.0",
     "Counts the subscribers of shard channels."},
};
static_assert(well_formed(pubsub_specs));

inline constexpr CommandSpec specs[] = {
    // name, arity, flags, keys, handler, since, summary
    {"PSUBSCRIBE", -2, subscribes | flag::names_patterns, no_keys, psubscribe, "2.0.0",
     "Subscribes to all channels that match patterns."},
    {"PUBLISH", 3, publishes | flag::names_channel, no_keys, publish, "2.0.0",
     "Sends a message to a channel."},
    {"PUBSUB", -2, flag::none, no_keys, nullptr, "2.8.0", "Inspects channels and subscriptions.",
     pubsub_specs},
    {"PUNSUBSCRIBE", -1, subscribes, no_keys, punsubscribe, "2.0.0",
     "Ends subscriptions to patterns, all of them without arguments."},
    {"SPUBLISH", 3, publishes | flag::names_channel, one_shard_channel, spublish, "7.0.0",
     "Sends a message to a shard channel."},
    {"SSUBSCRIBE", -2, subscribes | flag::names_channels, all_shard_channels, ssubscribe, "7.0.0",
     "Subscribes to shard channels."},
    {"SUBSCRIBE", -2, subscribes | flag::names_channels, no_keys, subscribe, "2.0.0",
     "Subscribes to channels."},
    {"SUNSUBSCRIBE", -1, subscribes, all_shard_channels, sunsubscribe, "7.0.0",
     "Ends subscriptions to shard channels, all of them without arguments."},
    {"UNSUBSCRIBE", -1, subscribes, no_keys, unsubscribe, "2.0.0",
     "Ends subscriptions to channels, all of them without arguments."},
};
static_assert(well_formed(specs));

}  // namespace commands::pubsub
