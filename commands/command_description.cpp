#include "commands/command_description.hpp"

#include "base/assert.hpp"
#include "commands/command_table.hpp"
#include "commands/command_tips.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace commands {
namespace {

using protocol::ReplySink;

std::string_view name_of(Group group) {
  switch (group) {
    case Group::string:
      return "string";
    case Group::hash:
      return "hash";
    case Group::set:
      return "set";
    case Group::sorted_set:
      return "sorted-set";
    case Group::list:
      return "list";
    case Group::keyspace:
      return "generic";
    case Group::pubsub:
      return "pubsub";
    case Group::scripting:
      return "scripting";
    case Group::transactions:
      return "transactions";
    case Group::connection:
      return "connection";
    case Group::server:
      return "server";
    case Group::lock:
      return "lock";
  }
  ASSERT(false && "a group without a name");
}

struct AccessName {
  std::uint16_t bit;
  std::string_view name;
};
constexpr AccessName access_names[] = {{key_access::ro, "RO"},
                                       {key_access::rw, "RW"},
                                       {key_access::ow, "OW"},
                                       {key_access::rm, "RM"},
                                       {key_access::access, "access"},
                                       {key_access::update, "update"},
                                       {key_access::insert, "insert"},
                                       {key_access::del, "delete"},
                                       {key_access::variable_flags, "variable_flags"}};

void reply_names(ReplySink& reply, const std::vector<std::string_view>& names) {
  reply.set(names.size());
  for (const std::string_view name : names) reply.simple(name);
}

void reply_number(ReplySink& reply, std::string_view name, std::int64_t value) {
  reply.bulk(name);
  reply.integer(value);
}

// Where the search for keys begins, by position.
void reply_begin_search(ReplySink& reply, std::int64_t index) {
  reply.bulk("begin_search");
  reply.map(2);
  reply.bulk("type");
  reply.bulk("index");
  reply.bulk("spec");
  reply.map(1);
  reply_number(reply, "index", index);
}

// `last` counts from the first key; negative: from the end of the arguments.
void reply_key_range(ReplySink& reply, std::uint16_t access, std::int64_t first, std::int64_t last,
                     std::int64_t step) {
  reply.map(3);
  reply.bulk("flags");
  reply_key_access(reply, access);
  reply_begin_search(reply, first);
  reply.bulk("find_keys");
  reply.map(2);
  reply.bulk("type");
  reply.bulk("range");
  reply.bulk("spec");
  reply.map(3);
  reply_number(reply, "lastkey", last);
  reply_number(reply, "keystep", step);
  reply_number(reply, "limit", 0);
}

void reply_counted_keys(ReplySink& reply, const KeySpec& keys, std::uint16_t access) {
  reply.map(3);
  reply.bulk("flags");
  reply_key_access(reply, access);
  reply_begin_search(reply, keys.numkeys_at);
  reply.bulk("find_keys");
  reply.map(2);
  reply.bulk("type");
  reply.bulk("keynum");
  reply.bulk("spec");
  reply.map(3);
  reply_number(reply, "keynumidx", 0);
  reply_number(reply, "firstkey", 1);
  reply_number(reply, "keystep", std::max<std::int64_t>(keys.step, 1));
}

void reply_unknown_keys(ReplySink& reply, std::uint16_t access) {
  reply.map(3);
  reply.bulk("flags");
  reply_key_access(reply, access);
  for (const std::string_view part : {"begin_search", "find_keys"}) {
    reply.bulk(part);
    reply.map(2);
    reply.bulk("type");
    reply.bulk("unknown");
    reply.bulk("spec");
    reply.map(0);
  }
}

void reply_sort_keys(ReplySink& reply, const KeySpec& keys) {
  const bool stores = keys.search == KeySearch::sort;
  reply.set(stores ? 3 : 2);
  reply_key_range(reply, keys.access, keys.first, 0, keys.step);
  reply_unknown_keys(reply, keys.access);
  if (stores) reply_unknown_keys(reply, keys.second_access);
}

void reply_key_specs(ReplySink& reply, const KeySpec& keys) {
  if (keys.search != KeySearch::none) return reply_sort_keys(reply, keys);
  if (keys.numkeys_at != 0 && keys.first != 0) {
    reply.set(2);
    reply_key_range(reply, keys.access, keys.first, 0, keys.step);
    reply_counted_keys(reply, keys, keys.second_access);
  } else if (keys.numkeys_at != 0) {
    reply.set(1);
    reply_counted_keys(reply, keys, keys.access);
  } else if (keys.first == 0) {
    reply.set(0);
  } else if (keys.second_access != 0) {
    reply.set(2);
    reply_key_range(reply, keys.access, keys.first, 0, keys.step);
    if (keys.last > 0) return reply_key_range(reply, keys.second_access, keys.last, 0, keys.step);
    reply_key_range(reply, keys.second_access, keys.first + 1, keys.last, keys.step);
  } else {
    reply.set(1);
    const int last = keys.last < 0 ? keys.last : keys.last - keys.first;
    reply_key_range(reply, keys.access, keys.first, last, keys.step);
  }
}

}  // namespace

std::string_view group_name(Group group) {
  return name_of(group);
}

void reply_key_access(ReplySink& reply, std::uint16_t access) {
  std::vector<std::string_view> names;
  for (const AccessName& known : access_names) {
    if ((access & known.bit) != 0) names.push_back(known.name);
  }
  if (access == 0) names.push_back("not_key");
  reply_names(reply, names);
}

void reply_command_info(ReplySink& reply, const CommandSpec& spec) {
  reply.array(10);
  reply.bulk(full_name(spec));
  reply.integer(spec.arity);
  reply_names(reply, flag_names(spec));
  reply.integer(spec.keys.first);
  reply.integer(spec.keys.last);
  reply.integer(spec.keys.first == 0 ? 0 : spec.keys.step);
  reply_names(reply, acl_categories(spec));
  const auto tips = tips_of(full_name(spec));
  reply.set(tips.size());
  for (const std::string_view tip : tips) reply.bulk(tip);
  reply_key_specs(reply, spec.keys);
  // Redis 7.0.15: an empty set, or an array.
  if (spec.subcommands.empty()) return reply.set(0);
  reply.array(spec.subcommands.size());
  for (const CommandSpec& subcommand : spec.subcommands) reply_command_info(reply, subcommand);
}

void reply_command_docs(ReplySink& reply, const CommandSpec& spec) {
  reply.bulk(full_name(spec));
  reply.map(spec.subcommands.empty() ? 3 : 4);
  reply.bulk("summary");
  reply.bulk(spec.summary);
  reply.bulk("since");
  reply.bulk(spec.since);
  reply.bulk("group");
  reply.bulk(name_of(group_of(spec)));
  if (spec.subcommands.empty()) return;
  reply.bulk("subcommands");
  reply.map(spec.subcommands.size());
  for (const CommandSpec& subcommand : spec.subcommands) reply_command_docs(reply, subcommand);
}

}  // namespace commands
