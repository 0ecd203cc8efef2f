#include "commands/acl_command_index.hpp"

#include "base/assert.hpp"
#include "commands/acl_unserved_commands.hpp"
#include "commands/argument_reader.hpp"
#include "commands/command_table.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

namespace commands::acl {
namespace {

constexpr auto categories = std::to_array<std::string_view>(
    {"keyspace", "read",   "write",       "set",       "sortedset",  "list",        "hash",
     "string",   "bitmap", "hyperloglog", "geo",       "stream",     "pubsub",      "admin",
     "fast",     "slow",   "blocking",    "dangerous", "connection", "transaction", "scripting"});

// Not newer, and not our own.
bool is_of_redis_7_0(const CommandSpec& spec) {
  return group_of(spec) != Group::lock && spec.since < std::string_view("7.1");
}

struct Index {
  Index() {
    for (const CommandSpec& spec : command_table()) {
      enter(spec);
      for (const CommandSpec& subcommand : spec.subcommands) enter(subcommand);
    }
    for (const UnservedCommand& command : unserved_commands()) enter(command);
    for (std::size_t i = 0; i < categories.size(); ++i) {
      for (const KnownCommand& command : commands) {
        if (members.at(i).test(command.number)) reach.at(i) |= command.reach;
      }
    }
  }

  std::vector<KnownCommand> commands;
  std::unordered_map<std::string, std::size_t> by_name;
  std::unordered_map<const CommandSpec*, std::size_t> by_row;
  CommandSet all;
  CommandSet shared;
  std::array<CommandSet, categories.size()> members;
  std::array<CommandSet, categories.size()> reach;

 private:
  void enter(const CommandSpec& spec) {
    by_row.emplace(&spec, commands.size());
    enter(full_name(spec), true);
    if (is_of_redis_7_0(spec)) shared.set(commands.size() - 1);
    for (const std::string_view name : acl_categories(spec)) enter_category(name.substr(1));
  }

  void enter(const UnservedCommand& command) {
    enter(std::string(command.name), false);
    shared.set(commands.size() - 1);
    std::string_view rest = command.categories;
    while (!rest.empty()) {
      const std::string_view name = rest.substr(0, rest.find(' '));
      enter_category(name);
      rest.remove_prefix(std::min(name.size() + 1, rest.size()));
    }
  }

  void enter(std::string name, bool is_served) {
    const std::size_t number = commands.size();
    ASSERT(number < commands_max);
    all.set(number);
    if (const std::size_t bar = name.find('|'); bar != std::string::npos) {
      KnownCommand& container = commands.at(by_name.at(name.substr(0, bar)));
      container.has_subcommands = true;
      container.reach.set(number);
    }
    const bool is_new = by_name.emplace(name, number).second;
    ASSERT(is_new);
    commands.push_back({std::move(name), {}, number, is_served, false});
    commands.back().reach.set(number);
  }

  // Of the latest command.
  void enter_category(std::string_view name) {
    const auto found = std::ranges::find(categories, name);
    ASSERT(found != categories.end());
    members.at(static_cast<std::size_t>(found - categories.begin())).set(commands.size() - 1);
  }
};

const Index& index() {
  static const Index built;
  return built;
}

}  // namespace

std::span<const KnownCommand> known_commands() {
  return index().commands;
}

std::size_t number_of(const CommandSpec& spec) {
  return index().by_row.at(&spec);
}

const CommandSet& shared_commands() {
  return index().shared;
}

const CommandSet& all_commands() {
  return index().all;
}

const KnownCommand* find_named(std::string_view name) {
  const auto found = index().by_name.find(lower_case(name));
  return found == index().by_name.end() ? nullptr : &index().commands[found->second];
}

std::span<const std::string_view> category_names() {
  return categories;
}

std::optional<std::size_t> find_category(std::string_view name) {
  const auto found = std::ranges::find(categories, lower_case(name));
  if (found == categories.end()) return std::nullopt;
  return static_cast<std::size_t>(found - categories.begin());
}

const CommandSet& category(std::size_t position) {
  return index().members.at(position);
}

const CommandSet& category_reach(std::size_t position) {
  return index().reach.at(position);
}

}  // namespace commands::acl
