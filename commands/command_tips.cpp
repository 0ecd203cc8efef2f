#include "commands/command_tips.hpp"

#include <algorithm>

namespace commands {
namespace {

using Text = std::string_view;

constexpr Text varies[] = {"nondeterministic_output"};
constexpr Text varies_all_nodes_special[] = {"nondeterministic_output", "request_policy:all_nodes",
                                             "response_policy:special"};
constexpr Text varies_all_shards_special[] = {
    "nondeterministic_output", "request_policy:all_shards", "response_policy:special"};
constexpr Text varies_special[] = {"nondeterministic_output", "request_policy:special"};
constexpr Text any_order[] = {"nondeterministic_output_order"};
constexpr Text all_nodes_varies[] = {"request_policy:all_nodes", "nondeterministic_output"};
constexpr Text all_nodes_agg_sum_varies[] = {"request_policy:all_nodes", "response_policy:agg_sum",
                                             "nondeterministic_output"};
constexpr Text all_nodes_all_succeeded[] = {"request_policy:all_nodes",
                                            "response_policy:all_succeeded"};
constexpr Text all_shards_varies[] = {"request_policy:all_shards", "nondeterministic_output"};
constexpr Text all_shards_any_order[] = {"request_policy:all_shards",
                                         "nondeterministic_output_order"};
constexpr Text all_shards_agg_logical_and[] = {"request_policy:all_shards",
                                               "response_policy:agg_logical_and"};
constexpr Text all_shards_agg_min[] = {"request_policy:all_shards", "response_policy:agg_min"};
constexpr Text all_shards_agg_sum[] = {"request_policy:all_shards", "response_policy:agg_sum"};
constexpr Text all_shards_all_succeeded[] = {"request_policy:all_shards",
                                             "response_policy:all_succeeded"};
constexpr Text all_shards_one_succeeded[] = {"request_policy:all_shards",
                                             "response_policy:one_succeeded"};
constexpr Text multi_shard[] = {"request_policy:multi_shard"};
constexpr Text multi_shard_agg_min[] = {"request_policy:multi_shard", "response_policy:agg_min"};
constexpr Text multi_shard_agg_sum[] = {"request_policy:multi_shard", "response_policy:agg_sum"};
constexpr Text multi_shard_all_succeeded[] = {"request_policy:multi_shard",
                                              "response_policy:all_succeeded"};

struct Row {
  Text name;
  std::span<const Text> tips;
};

// By name.
constexpr Row rows[] = {
    {"client|info", varies},
    {"client|list", varies},
    {"cluster|bumpepoch", varies},
    {"cluster|count-failure-reports", varies},
    {"cluster|getkeysinslot", varies},
    {"cluster|info", varies},
    {"cluster|links", varies},
    {"cluster|nodes", varies},
    {"cluster|replicas", varies},
    {"cluster|shards", varies},
    {"cluster|slaves", varies},
    {"cluster|slots", varies},
    {"command", any_order},
    {"command|docs", any_order},
    {"command|info", any_order},
    {"command|list", any_order},
    {"config|set", all_nodes_all_succeeded},
    {"dbsize", all_shards_agg_sum},
    {"del", multi_shard_agg_sum},
    {"dump", varies},
    {"exists", multi_shard_agg_sum},
    {"flushall", all_shards_all_succeeded},
    {"flushdb", all_shards_all_succeeded},
    {"function|delete", all_shards_all_succeeded},
    {"function|flush", all_shards_all_succeeded},
    {"function|kill", all_shards_one_succeeded},
    {"function|list", any_order},
    {"function|load", all_shards_all_succeeded},
    {"function|restore", all_shards_all_succeeded},
    {"function|stats", varies_all_shards_special},
    {"hgetall", any_order},
    {"hkeys", any_order},
    {"hrandfield", varies},
    {"hscan", varies},
    {"hvals", any_order},
    {"info", varies_all_shards_special},
    {"keys", all_shards_any_order},
    {"lastsave", varies},
    {"latency|doctor", varies_all_nodes_special},
    {"latency|graph", varies_all_nodes_special},
    {"latency|histogram", varies_all_nodes_special},
    {"latency|history", varies_all_nodes_special},
    {"latency|latest", varies_all_nodes_special},
    {"latency|reset", all_nodes_all_succeeded},
    {"memory|doctor", varies_all_shards_special},
    {"memory|malloc-stats", varies_all_shards_special},
    {"memory|purge", all_shards_all_succeeded},
    {"memory|stats", varies_all_shards_special},
    {"mget", multi_shard},
    {"migrate", varies},
    {"module|list", any_order},
    {"mset", multi_shard_all_succeeded},
    {"msetnx", multi_shard_agg_min},
    {"object|encoding", varies},
    {"object|freq", varies},
    {"object|idletime", varies},
    {"object|refcount", varies},
    {"ping", all_shards_all_succeeded},
    {"pttl", varies},
    {"randomkey", all_shards_varies},
    {"scan", varies_special},
    {"script|exists", all_shards_agg_logical_and},
    {"script|flush", all_nodes_all_succeeded},
    {"script|kill", all_shards_one_succeeded},
    {"script|load", all_nodes_all_succeeded},
    {"sdiff", any_order},
    {"sinter", any_order},
    {"slowlog|get", all_nodes_varies},
    {"slowlog|len", all_nodes_agg_sum_varies},
    {"slowlog|reset", all_nodes_all_succeeded},
    {"smembers", any_order},
    {"spop", varies},
    {"srandmember", varies},
    {"sscan", varies},
    {"sunion", any_order},
    {"time", varies},
    {"touch", multi_shard_agg_sum},
    {"ttl", varies},
    {"unlink", multi_shard_agg_sum},
    {"wait", all_shards_agg_min},
    {"zrandmember", varies},
    {"zscan", varies},
};
static_assert(std::ranges::is_sorted(rows, {}, &Row::name));

}  // namespace

std::span<const std::string_view> tips_of(std::string_view full_name) {
  const Row* found = std::ranges::lower_bound(rows, full_name, {}, &Row::name);
  if (found == std::end(rows) || found->name != full_name) return {};
  return found->tips;
}

}  // namespace commands
