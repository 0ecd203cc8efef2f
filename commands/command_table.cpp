#include "commands/command_table.hpp"

#include "base/assert.hpp"
#include "base/integers.hpp"
#include "commands/argument_reader.hpp"
#include "commands/cluster_commands.hpp"
#include "commands/connection_commands.hpp"
#include "commands/database_commands.hpp"
#include "commands/fence_commands.hpp"
#include "commands/function_commands.hpp"
#include "commands/hash_commands.hpp"
#include "commands/keyspace_commands.hpp"
#include "commands/list_blocking_commands.hpp"
#include "commands/list_commands.hpp"
#include "commands/module_commands.hpp"
#include "commands/observation_commands.hpp"
#include "commands/persistence_commands.hpp"
#include "commands/pubsub_commands.hpp"
#include "commands/replication_commands.hpp"
#include "commands/script_commands.hpp"
#include "commands/server_commands.hpp"
#include "commands/set_commands.hpp"
#include "commands/sort_commands.hpp"
#include "commands/sorted_set_blocking_commands.hpp"
#include "commands/sorted_set_commands.hpp"
#include "commands/string_commands.hpp"
#include "commands/transaction_commands.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace commands {
namespace {

struct Family {
  Group group;
  std::span<const CommandSpec> specs;
};

// clang-format off: one family a line
constexpr Family families[] = {
    {Group::string, string::specs},
    {Group::hash, hash::specs},
    {Group::list, list::specs},
    {Group::list, list::blocking_specs},
    {Group::set, set::specs},
    {Group::sorted_set, sorted_set::specs},
    {Group::sorted_set, sorted_set::blocking_specs},
    {Group::keyspace, keyspace::specs},
    {Group::keyspace, sort::specs},
    {Group::lock, lock::specs},
    {Group::pubsub, pubsub::specs},
    {Group::scripting, script::specs},
    {Group::scripting, function::specs},
    {Group::transactions, transaction::specs},
    {Group::connection, connection::specs},
    {Group::server, database::specs},
    {Group::server, observation::specs},
    {Group::server, server::specs},
    {Group::server, cluster::specs},
    {Group::server, module::specs},
    {Group::server, persistence::specs},
    {Group::server, replication::specs},
};
// clang-format on

consteval std::size_t count_commands() {
  std::size_t count = 0;
  for (const Family& family : families) count += family.specs.size();
  return count;
}

consteval auto merge_families() {
  std::array<CommandSpec, count_commands()> merged{};
  std::size_t next = 0;
  for (const Family& family : families) {
    for (CommandSpec spec : family.specs) {
      spec.group = family.group;
      merged[next++] = spec;
    }
  }
  std::sort(merged.begin(), merged.end(),
            [](const CommandSpec& a, const CommandSpec& b) { return a.name < b.name; });
  return merged;
}

constexpr auto merged_table = merge_families();
static_assert(well_formed(merged_table));

constexpr char upper(char letter) {
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 32) : letter;
}

// FNV-1a of the upper-cased name.
constexpr std::uint32_t hash_of(std::string_view name) {
  std::uint32_t hash = 2166136261u;
  for (const char letter : name) {
    hash = (hash ^ static_cast<unsigned char>(upper(letter))) * 16777619u;
  }
  return hash ^ (hash >> 15u);
}

constexpr std::size_t slot_count = 1024;
static_assert(merged_table.size() < slot_count / 2);

// Open addressing, built at compile time: a name costs one hash and mostly one comparison.
consteval auto build_slots() {
  std::array<std::int16_t, slot_count> slots{};
  slots.fill(-1);
  for (std::size_t i = 0; i < merged_table.size(); ++i) {
    std::size_t slot = hash_of(merged_table[i].name) % slot_count;
    while (slots[slot] >= 0) slot = (slot + 1) % slot_count;
    slots[slot] = static_cast<std::int16_t>(i);
  }
  return slots;
}
constexpr auto name_slots = build_slots();

constexpr std::size_t longest_name() {
  std::size_t longest = 0;
  for (const CommandSpec& spec : merged_table) longest = std::max(longest, spec.name.size());
  return longest;
}

// Of SORT: where the last STORE's key is, 0 when there is none.
std::size_t sort_destination(std::span<const std::string_view> args) {
  std::size_t destination = 0;
  for (std::size_t i = 2; i < args.size(); ++i) {
    if (is_word(args[i], "LIMIT")) {
      i += 2;
    } else if (is_word(args[i], "GET") || is_word(args[i], "BY")) {
      ++i;
    } else if (is_word(args[i], "STORE") && i + 1 < args.size()) {
      destination = ++i;
    }
  }
  return destination;
}

// Scripts count their keys and may have none.
constexpr Flags no_mandatory_keys = flag::runs_script;

struct FlagName {
  Flags flag;
  std::string_view name;
};
// COMMAND's order.
constexpr FlagName shown_flags[] = {
    {flag::write, "write"},
    {flag::readonly, "readonly"},
    {flag::denyoom, "denyoom"},
    {flag::admin, "admin"},
    {flag::pubsub, "pubsub"},
    {flag::noscript, "noscript"},
    {flag::blocking, "blocking"},
    {flag::loading, "loading"},
    {flag::stale, "stale"},
    {flag::skip_monitor, "skip_monitor"},
    {flag::skip_slowlog, "skip_slowlog"},
    {flag::fast, "fast"},
    {flag::no_auth, "no_auth"},
    {no_mandatory_keys, "no_mandatory_keys"},
    {flag::no_async_loading, "no_async_loading"},
    {flag::no_multi, "no_multi"},
    {flag::movablekeys, "movablekeys"},
    {flag::allow_busy, "allow_busy"},
};

std::string_view category_of(Group group) {
  switch (group) {
    case Group::string:
      return "@string";
    case Group::hash:
      return "@hash";
    case Group::set:
      return "@set";
    case Group::sorted_set:
      return "@sortedset";
    case Group::list:
      return "@list";
    case Group::keyspace:
      return "@keyspace";
    case Group::pubsub:
      return "@pubsub";
    case Group::scripting:
      return "@scripting";
    case Group::transactions:
      return "@transaction";
    case Group::connection:
      return "@connection";
    case Group::server:
    case Group::lock:
      return {};
  }
  ASSERT(false && "a group without a category");
}

}  // namespace

std::span<const CommandSpec> command_table() {
  return merged_table;
}

int find_command(std::string_view name) {
  if (name.size() > longest_name()) return -1;
  std::size_t slot = hash_of(name) % slot_count;
  while (name_slots[slot] >= 0) {
    const int index = name_slots[slot];
    if (is_word(name, merged_table[static_cast<std::size_t>(index)].name)) return index;
    slot = (slot + 1) % slot_count;
  }
  return -1;
}

const CommandSpec* find_subcommand(const CommandSpec& container, std::string_view name) {
  for (const CommandSpec& row : container.subcommands) {
    if (is_word(name, row.name)) return &row;
  }
  return nullptr;
}

const CommandSpec* container_of(const CommandSpec& spec) {
  for (const CommandSpec& row : merged_table) {
    if (row.subcommands.empty()) continue;
    const CommandSpec* first = row.subcommands.data();
    if (first <= &spec && &spec < first + row.subcommands.size()) return &row;
  }
  return nullptr;
}

std::string full_name(const CommandSpec& spec) {
  const CommandSpec* container = container_of(spec);
  const std::string name = lower_case(spec.name);
  return container == nullptr ? name : lower_case(container->name) + "|" + name;
}

Group group_of(const CommandSpec& spec) {
  const CommandSpec* container = container_of(spec);
  return container == nullptr ? spec.group : container->group;
}

bool arity_fits(const CommandSpec& spec, std::size_t arguments) {
  const auto arity = static_cast<std::size_t>(spec.arity < 0 ? -spec.arity : spec.arity);
  return spec.arity < 0 ? arguments >= arity : arguments == arity;
}

std::optional<std::vector<std::size_t>> key_positions(const CommandSpec& spec,
                                                      std::span<const std::string_view> args) {
  std::vector<std::size_t> positions;
  if (spec.keys.numkeys_at != 0) {
    if (spec.keys.first != 0) positions.push_back(static_cast<std::size_t>(spec.keys.first));
    const auto at = static_cast<std::size_t>(spec.keys.numkeys_at);
    const auto count = at < args.size() ? base::parse_int64(args[at]) : std::nullopt;
    const auto step = static_cast<std::size_t>(std::max<std::int16_t>(spec.keys.step, 1));
    if (!count || *count < 0 ||
        static_cast<std::uint64_t>(*count) > (args.size() - at - 1) / step) {
      return std::nullopt;
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(*count); ++i) {
      positions.push_back(at + 1 + i * step);
    }
    return positions;
  }
  if (spec.keys.first == 0) return positions;
  const int count = static_cast<int>(args.size());
  const int last = spec.keys.last < 0 ? count + spec.keys.last : spec.keys.last;
  for (int i = spec.keys.first; i <= last; i += spec.keys.step) {
    if (i >= count) return std::nullopt;
    positions.push_back(static_cast<std::size_t>(i));
  }
  if (spec.keys.search == KeySearch::sort) {
    if (const std::size_t at = sort_destination(args); at != 0) positions.push_back(at);
  }
  return positions;
}

std::vector<std::string_view> flag_names(const CommandSpec& spec) {
  std::vector<std::string_view> names;
  for (const FlagName& shown : shown_flags) {
    if (spec.flags.has(shown.flag)) names.push_back(shown.name);
  }
  return names;
}

// The rules by which Redis derives categories from flags, in COMMAND's order.
std::vector<std::string_view> acl_categories(const CommandSpec& spec) {
  const Group group = group_of(spec);
  // A mere container has no category of its own.
  const bool is_container = !spec.handler.is_set();
  const bool dangerous = spec.flags.has(flag::admin) || spec.flags.has(flag::dangerous);
  // SORT belongs to the types it sorts.
  const bool sorts = spec.keys.search != KeySearch::none;
  const bool keyspace = !is_container && !sorts &&
                        (group == Group::keyspace || spec.flags.has(flag::keyspace_category));
  const std::string_view own = is_container ? std::string_view() : category_of(group);
  std::vector<std::string_view> names;
  const auto add_if = [&names](bool condition, std::string_view name) {
    if (condition) names.push_back(name);
  };
  add_if(keyspace, "@keyspace");
  add_if(spec.flags.has(flag::readonly) && group != Group::scripting, "@read");
  add_if(spec.flags.has(flag::write), "@write");
  add_if(
      own == "@string" || own == "@hash" || own == "@list" || own == "@set" || own == "@sortedset",
      own);
  for (const std::string_view sorted : {"@set", "@sortedset", "@list"}) add_if(sorts, sorted);
  add_if(spec.flags.has(flag::pubsub), "@pubsub");
  add_if(spec.flags.has(flag::admin) || spec.flags.has(flag::admin_category), "@admin");
  add_if(spec.flags.has(flag::fast), "@fast");
  add_if(!spec.flags.has(flag::fast), "@slow");
  add_if(spec.flags.has(flag::blocking), "@blocking");
  add_if(dangerous, "@dangerous");
  add_if(own == "@connection" || own == "@transaction" || own == "@scripting", own);
  return names;
}

}  // namespace commands
